/**
 * `npm run texts`: writes every text that a person or a model may read, and every comment, to `out`, with their locations, so that they can
 * be read in one go.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { inRoot } from '../setup/places.mjs';
import { collectComments, collectTexts } from './collect.mjs';

write('texts.md', collectTexts(), ({ line, text }) => `${line}: ${text}`);
write('comments.md', collectComments(), ({ line, text, code }) => `${line}: ${text}\n    ${code}`);

function write(name, texts, format) {
  const files = Map.groupBy(texts, ({ file }) => file);
  const sections = [...files].map(([file, own]) => `## ${file}\n${own.map(format).join('\n')}\n`);
  mkdirSync(inRoot('out'), { recursive: true });
  writeFileSync(inRoot('out', name), sections.join('\n'));
  process.stdout.write(`out/${name}: ${texts.length} of ${files.size} files.\n`);
}
