/**
 * Makes the digest of a dist: the description and the licence of each system, from the definition files in its archives. The program uses it
 * to search systems that are not installed. Made before a release, because it downloads all archives of the dist (several hundred
 * megabytes): npm run dist-digest -- [ADDRESS [FILE]]
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { downloadFile } from '#core/downloads/download.ts';
import { readTar } from '#core/downloads/tar.ts';
import { factsIn } from '#core/libraries/definition-text.ts';
import { fetchDist, fetchIndex } from '#core/libraries/dist-source.ts';
import { secure } from '#core/libraries/secure-address.ts';
import { settings } from '#contract/settings.ts';
import { inRoot } from '../setup/places.mjs';

const AT_ONCE = 4;
const [
  address = settings.parse({ version: 1 }).libraries.dists[0],
  target = inRoot('main', 'core', 'libraries', 'dist-digest.json'),
] = process.argv.slice(2);
const { signal } = new AbortController();
const environment = process.env;

const { dist } = await fetchDist(address, (each) => fetchIndex(each, environment));
const known = new Set(dist.systems.keys());
const releases = [...dist.releases.values()];
const systems = {};
const failed = [];
const work = await mkdtemp(path.join(tmpdir(), 'dist-digest-'));
let done = 0;
const say = (line) => process.stdout.write(`${line}\n`);

/** Resolves with the facts in the definition files of a release. */
async function factsOf(release) {
  const file = path.join(work, `${release.project}.tgz`);
  const request = { what: release.project, most: release.size, signal, progress: () => {}, environment };
  const md5 = await downloadFile(secure(release.url), file, { ...request, checksum: 'md5', resume: true });
  if (md5 !== release.md5) throw new Error('The archive is not the one of the index.');
  const definitions = new Set(release.systemFiles.map((name) => `${release.prefix}/${name}`));
  const found = [];
  await readTar(createReadStream(file), async (entry) => {
    if (entry.kind !== 'file') return;
    if (definitions.has(entry.name)) found.push(...factsIn(await text(entry.content)));
    else for await (const _chunk of entry.content);
  });
  await rm(file);
  return found;
}

async function next() {
  for (let release = releases.pop(); release; release = releases.pop()) {
    try {
      for (const [name, { description, licence }] of await factsOf(release))
        if (known.has(name) && (description || licence)) systems[name] = [description ?? '', licence ?? ''];
    } catch (error) {
      failed.push(`${release.project}: ${error.message}`);
    }
    done += 1;
    if (done % 100 === 0) say(`${done} of ${dist.releases.size} releases`);
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, next));
await rm(work, { recursive: true });
for (const each of failed) say(`left out: ${each}`);
const sorted = Object.fromEntries(Object.entries(systems).sort(([one], [other]) => (one < other ? -1 : 1)));
const lines = Object.entries(sorted).map((entry) => `    ${JSON.stringify(entry[0])}: ${JSON.stringify(entry[1])}`);
const name = JSON.stringify(`${dist.info.name} ${dist.info.version}`);
await writeFile(target, `{\n  "dist": ${name},\n  "systems": {\n${lines.join(',\n')}\n  }\n}\n`);
say(
  `${lines.length} of ${known.size} systems of ${dist.info.name} ${dist.info.version} have a description or a licence.`,
);
