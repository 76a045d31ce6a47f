/** `npm run texts`: writes every text that a person or a model may read, with its place, to one file in `out`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { inRoot } from '../setup/places.mjs';
import { collectTexts } from './collect.mjs';

const texts = collectTexts();
const files = Map.groupBy(texts, ({ file }) => file);
const sections = [...files].map(
  ([file, own]) => `## ${file}\n${own.map(({ line, text }) => `${line}: ${text}`).join('\n')}\n`,
);
mkdirSync(inRoot('out'), { recursive: true });
writeFileSync(inRoot('out', 'texts.md'), sections.join('\n'));
process.stdout.write(`${texts.length} texts of ${files.size} files are in out/texts.md.\n`);
