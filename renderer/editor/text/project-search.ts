/** The search in the project's files: its options, its results, and the replacement of matches in the texts. */
import { UNSAVED_FILES, UNSAVED_LIMIT } from '#contract/limits.ts';
import type { FoundLine } from '#contract/project.ts';
import { searchSource, type Sought } from '#contract/text/search-expression.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { absolutePath } from '../../base/project-files.ts';
import { buffers, modelOf } from './buffers.ts';
import { openFile } from '../files/files.ts';
import { makeStore } from '../../base/store.ts';

export interface SearchState extends Sought {
  readonly glob: string;
  readonly replacement: string;
  readonly found: {
    readonly lines: readonly FoundLine[];
    readonly total: number;
    readonly files: number;
    readonly unfinished: boolean;
  } | null;
  readonly problem: string | null;
  readonly isSearching: boolean;
}

const MOST = 5_000;
/** The maximum number of files that are opened for one replacement. */
export const MOST_REPLACED = 100;

const [store, useSearch] = makeStore<SearchState>({
  pattern: '',
  regex: false,
  matchCase: false,
  wholeWord: false,
  glob: '',
  replacement: '',
  found: null,
  problem: null,
  isSearching: false,
});

export { useSearch };

export function changeSearch(part: Partial<Pick<SearchState, 'pattern' | 'glob' | 'replacement'>>): void {
  store.setState(part);
}

/** The search options that can be on or off. */
export type SearchToggle = Exclude<keyof Sought, 'pattern'>;

/** Toggles a search option, and searches again if there are results. */
export function toggleSearch(which: SearchToggle): void {
  const { [which]: wasOn, found, problem } = store.getState();
  store.setState({ [which]: !wasOn });
  if (found !== null || problem !== null) void search();
}

export function isSearchOn(which: SearchToggle): boolean {
  return store.getState()[which];
}

/** Sets the search text, for example to the selected text, without searching yet. */
export function startSearch(pattern: string): void {
  if (pattern !== '') store.setState({ pattern, found: null, problem: null });
}

/** Searches all files for a regular expression, ignoring case. */
export async function searchFor(pattern: string): Promise<void> {
  store.setState({ pattern, regex: true, matchCase: false, wholeWord: false, glob: '', found: null });
  await search();
}

let searches = 0;

/** Searches the files and the unsaved open texts with the options of the search fields. */
export async function search(): Promise<void> {
  const { pattern, regex, matchCase, wholeWord, glob } = store.getState();
  const number = (searches += 1);
  if (pattern === '') return store.setState({ found: null, problem: null, isSearching: false });
  store.setState({ isSearching: true, problem: null });
  // The answer to an earlier search must be ignored.
  const answer = (told: Partial<SearchState>): void => {
    if (number === searches) store.setState({ ...told, isSearching: false });
  };
  try {
    const asked = {
      pattern,
      regex,
      matchCase,
      wholeWord,
      glob: glob.trim() === '' ? null : glob.trim(),
      most: MOST,
      unsaved: unsavedTexts(),
    };
    const { lines, total, files, unfinished } = await call('project.search', asked);
    answer({ found: { lines, total, files, unfinished } });
  } catch (error) {
    answer({ problem: messageOf(error), found: null });
  }
}

function unsavedTexts(): { file: string; text: string }[] {
  const dirty = buffers.getState().buffers.filter((buffer) => buffer.dirty && buffer.path !== null);
  const texts = dirty.flatMap(({ id, path: file }) => {
    const model = modelOf(id);
    return model && model.getValueLength() <= UNSAVED_LIMIT ? [{ file: file!, text: model.getValue() }] : [];
  });
  return texts.slice(0, UNSAVED_FILES);
}

/**
 * Replaces the matches in the texts of their files. The files are opened and left unsaved, so that each change can be checked, undone and
 * saved. Resolves to the numbers of replaced matches and changed texts.
 */
export async function replaceAll(): Promise<{ places: number; texts: number }> {
  const { pattern, regex, matchCase, wholeWord, replacement, found } = store.getState();
  const isExpression = regex || wholeWord;
  const sought = isExpression ? searchSource({ pattern, regex, wholeWord }) : pattern;
  const files = [...new Set(found?.lines.map(({ file }) => file))].slice(0, MOST_REPLACED);
  let [places, texts] = [0, 0];
  for (const file of files) {
    const model = modelOf(await openFile(absolutePath(file)));
    if (!model || buffers.getState().buffers.some(({ id, readOnly }) => readOnly && modelOf(id) === model)) continue;
    const matches = model.findMatches(sought, false, isExpression, matchCase, null, regex);
    if (matches.length === 0) continue;
    model.pushStackElement();
    model.pushEditOperations(
      [],
      matches.map(({ range, matches: groups }) => ({
        range,
        text: regex ? expanded(replacement, groups ?? []) : replacement,
      })),
      () => null,
    );
    model.pushStackElement();
    places += matches.length;
    texts += 1;
  }
  // Search again, to list the matches in the changed texts.
  await search();
  return { places, texts };
}

/** Returns a replacement with `$1` and `$&` replaced by the groups of a match. */
function expanded(replacement: string, groups: readonly string[]): string {
  return replacement.replaceAll(/\$(\$|&|\d)/g, (_, name: string) =>
    name === '$' ? '$' : (groups[name === '&' ? 0 : Number(name)] ?? ''),
  );
}
