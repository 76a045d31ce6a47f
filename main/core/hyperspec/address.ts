/** The address of a page of the HyperSpec: made of the program's own tables and the person's setting, never of a text of Lisp or of a client. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type HyperspecTopic, topicPage } from '#contract/hyperspec/topics.ts';
import { WorkbenchError } from '../base/error.ts';
import { type HyperspecPlace, placeOf } from './location.ts';

/**
 * The address of the page about a topic, http(s) or that of a file within the copy. `place`: what the person set. Throws `not-found`
 * for a topic or a page that is not there, and what `placeOf` throws.
 */
export async function addressOf(topic: HyperspecTopic, place: string): Promise<string> {
  const page = topicPage(topic);
  if (page === null) throw new WorkbenchError('not-found', `The standard has nothing about ${topic.name}.`);
  const found = await placeOf(place);
  return found.kind === 'web' ? new URL(`Body/${page}`, found.root).href : fileAddress(found, topic, page);
}

async function fileAddress(copy: HyperspecPlace & { kind: 'copy' }, topic: HyperspecTopic, page: string) {
  const mapped = topic.kind === 'symbol' ? mappedPage(copy.map, topic.name) : null;
  const [file, anchor] = (mapped ?? path.posix.join('..', 'Body', page)).split('#', 2);
  const wanted = path.resolve(copy.root, 'Data', ...file!.split('/'));
  const [root, real] = await Promise.all([copy.root, wanted].map((each) => realpath(each).catch(() => null)));
  if (root == null || real == null)
    throw new WorkbenchError('not-found', `Your copy of the HyperSpec lacks the page about ${topic.name}: ${wanted}.`);
  // The index is a file of anybody's: it names pages of the copy, and nothing else of the disk.
  if (!real.startsWith(root + path.sep) || !/\.html?$/i.test(real))
    throw new WorkbenchError(
      'refused',
      `Your copy of the HyperSpec names ${real} as the page about ${topic.name}, but the copy has no such page.`,
    );
  const address = pathToFileURL(real);
  address.hash = anchor ?? '';
  return address.href;
}

/** The page that the index of a copy has for a symbol, from the index's own folder on; null for none. */
function mappedPage(map: string, symbol: string): string | null {
  const lines = map.split(/\r?\n/);
  const at = lines.findIndex((line, index) => index % 2 === 0 && line.trim().toLowerCase() === symbol);
  return at < 0 ? null : (lines[at + 1]?.trim() ?? null);
}
