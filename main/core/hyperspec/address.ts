/**
 * Builds the address of a HyperSpec page, only from the program's own tables and the person's setting, never from text of Lisp code or of a
 * client.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type HyperspecTopic, topicPage } from '#contract/hyperspec/topics.ts';
import { WorkbenchError } from '../base/error.ts';
import { type HyperspecPlace, placeOf } from './location.ts';

/**
 * Returns the address of the page about a topic: an http(s) address, or a file's address in the person's copy. `place` is the person's
 * setting.
 * @throws `not-found` for a missing topic or page, and the errors of `placeOf`.
 */
export async function addressOf(topic: HyperspecTopic, place: string): Promise<string> {
  const page = topicPage(topic);
  if (page === null) throw new WorkbenchError('not-found', `The standard has no page about ${topic.name}.`);
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
  // The index is an untrusted file. It may refer only to pages of the copy, and to no other files on the disk.
  if (!real.startsWith(root + path.sep) || !/\.html?$/i.test(real))
    throw new WorkbenchError(
      'refused',
      `Your copy of the HyperSpec refers to ${real} for ${topic.name}, but that page is missing.`,
    );
  const address = pathToFileURL(real);
  address.hash = anchor ?? '';
  return address.href;
}

/** Returns the page of a symbol from the index of a copy, relative to the index's folder; null if there is none. */
function mappedPage(map: string, symbol: string): string | null {
  const lines = map.split(/\r?\n/);
  const at = lines.findIndex((line, index) => index % 2 === 0 && line.trim().toLowerCase() === symbol);
  return at < 0 ? null : (lines[at + 1]?.trim() ?? null);
}
