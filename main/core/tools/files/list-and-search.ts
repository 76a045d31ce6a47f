/** Tools that list the files of the project, and tools that search in them and in the person's open buffers. */
import { plural } from '#contract/text/text.ts';
import { z } from 'zod';
import { maskTokens } from '#core/base/tokens.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { findBuffer, type FoundBuffer, type OpenBuffer } from '#core/project/files/buffers.ts';
import type { Project } from '#core/project/project.ts';
import { matcher } from '#core/project/search/matcher.ts';
import { listFolder, searchText, type FoundText } from '#core/project/search/search.ts';
import { existingFile, readableAt } from './existing-files.ts';
import { pageOf } from './pages.ts';
import { countOf, startOf } from '../lookup/names.ts';
import { keptReply } from '../replies/kept-reply.ts';
import { REPLIES } from '../replies/long-replies.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';

const MOST_ENTRIES = 1000;
const MOST_HITS = 200;

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List a folder',
  level: 'safe',
  description:
    'The entries of a folder of the project, or of a loaded system, with sizes. Use it before reading files.',
  input: z.strictObject({
    path: z.string().min(1).optional().describe('Default: the project.'),
    depth: z.int().min(1).max(10).default(1).describe('How many levels.'),
  }),
  openWorld: false,
  summarize: ({ path }) => path ?? '.',
  run: async ({ path, depth }, context) => {
    const { file: folder, folder: isFolder, bytes: size } = await readableAt(context, path ?? '.');
    if (!isFolder)
      throw new WorkbenchError('invalid', `${folder} is a file of ${size} bytes. Use read-file to see its contents.`);
    return { success: true, text: await folderText(folder, context, depth) };
  },
});

/** Returns a line for each entry of a folder. */
export async function folderText(
  folder: string,
  { project }: Pick<ToolContext, 'project'>,
  depth = 1,
): Promise<string> {
  const { found, more } = await listFolder(folder, depth, MOST_ENTRIES);
  if (found.length === 0) return `${project.display(folder)} is empty.`;
  const lines = found.map(
    ({ file, kind, bytes }) =>
      `${project.display(file)}${{ folder: '/', file: `  ${bytes} bytes`, link: '  a link', other: '  not a regular file' }[kind]}`,
  );
  return [...lines, ...(more ? [`… more than ${MOST_ENTRIES}; list a folder of it`] : [])].join('\n');
}

export const searchFiles = defineTool({
  name: 'search_files',
  title: 'Search the files',
  level: 'safe',
  description:
    'Find lines that contain a text in the files of the project, or of a loaded system, including the person’s unsaved text. Use it if who-calls and find-definition, which are exact, find nothing.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1000).describe('Case-sensitive if it has capitals.'),
    regex: z.boolean().optional().describe('As a JavaScript regular expression.'),
    path: z.string().min(1).optional().describe('Folder or file. Default: the project.'),
    glob: z.string().min(1).max(200).optional().describe('Such as "src/**/*.lisp".'),
    from: z.string().min(1).max(4096).optional().describe('The end of the previous reply.'),
    start: startOf,
    count: countOf(MOST_HITS, 50),
  }),
  openWorld: false,
  summarize: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
  run: async ({ pattern, regex, path, glob, from, start, count }, context) => {
    const { project, signal } = context;
    if (path?.startsWith(REPLIES)) return searchReply(path, { pattern, regex: regex ?? false, start, count }, context);
    const { file: place } = await readableAt(context, path ?? '.');
    const matches = matcher(pattern, { regex: regex ?? false });
    const unsaved = new Map(
      context.buffers().flatMap(({ path: file, text }) => (file === null || text === null ? [] : [[file, text]])),
    );
    const search = { matches, glob: glob ?? null, from: from ?? null, most: start + count, signal, unsaved };
    const found = await searchText(place, search);
    const { lines, total, files, searched, left } = found;
    const gaps = [...filesLeft(found), ...leftOut(left.map((file) => project.display(file)))];
    if (total === 0) {
      const which = `${glob ? ` named ${glob}` : ''}${path === undefined ? '' : ` in ${project.display(place)}`}`;
      const none =
        searched === 0
          ? `There are no text files${which} to search`
          : `No line of the files${which} matches ${pattern}`;
      return { success: true, text: `${[none, ...gaps].join('; ')}.` };
    }
    if (start >= total)
      return { success: true, text: `There are only ${total}, so there is nothing to show from ${start} on.` };
    const shown = lines.slice(start).map(({ file, line, text }) => `${project.display(file)}:${line}: ${text}`);
    const rest = total - lines.length;
    const head = `${plural(total, 'line')} in ${plural(files, 'file')}${gaps.map((gap) => `; ${gap}`).join('')}`;
    return {
      success: true,
      text: [head, ...shown, ...(rest > 0 ? [`… ${rest} more, from start ${lines.length}`] : [])].join('\n'),
    };
  },
});

/** Returns the matching lines of a stored reply. */
function searchReply(
  path: string,
  { pattern, regex, start, count }: { pattern: string; regex: boolean; start: number; count: number },
  context: ToolContext,
): ToolOutcome {
  const hits = matcher(pattern, { regex })(keptReply(path, context, 'whole'));
  if (hits.length === 0) return { success: true, text: `No line of the reply matches ${pattern}.` };
  if (start >= hits.length)
    return { success: true, text: `There are only ${hits.length}, so there is nothing to show from ${start} on.` };
  const shown = hits.slice(start, start + count).map(({ line, text }) => `${line}: ${text}`);
  const rest = hits.length - start - shown.length;
  const more = rest > 0 ? [`… ${rest} more, from start ${start + shown.length}`] : [];
  const head = `${plural(hits.length, 'line')} of the reply; read-file with start shows what is around one`;
  return { success: true, text: [head, ...shown, ...more].join('\n') };
}

const bufferName = z
  .string()
  .min(1)
  .optional()
  .describe('Title of the buffer, or path of a file of the project. Default: the person’s current buffer.');

export const readBuffer = defineTool({
  name: 'read_buffer',
  title: 'Read a buffer',
  level: 'safe',
  description:
    'The text of an open buffer, with unsaved changes, by numbered lines. Use it to see the person’s current work.',
  input: z.strictObject({
    buffer: bufferName,
    start: z.int().min(1).optional().describe('First line, from 1.'),
    end: z.int().min(1).optional().describe('Last line.'),
  }),
  openWorld: false,
  summarize: ({ buffer }) => buffer ?? 'in front',
  run: async ({ buffer, start, end }, { project, buffers, replySize }) => {
    const { title, text, unsaved } = await bufferOf(buffer, buffers(), project);
    const lines = text.split('\n');
    const first = start ?? 1;
    if (end !== undefined && end < first)
      throw new WorkbenchError('invalid', `The last line, ${end}, comes before the first, ${first}.`);
    if (first > lines.length) throw new WorkbenchError('invalid', `${title} has ${lines.length} lines.`);
    const wanted = lines.slice(first - 1, end).map((line, index) => `${first + index}\t${line}`);
    const shown = pageOf(wanted, replySize);
    const last = first + shown.length - 1;
    const head = `${title}, lines ${first} to ${last} of ${lines.length}${unsaved ? ', with unsaved changes' : ''}`;
    const rest = wanted.length - shown.length;
    const more = rest > 0 ? [`… ${rest} more lines, from start ${last + 1}`] : [];
    return { success: true, text: [head, ...shown, ...more].join('\n') };
  },
});

export const searchInBuffer = defineTool({
  name: 'search_in_buffer',
  title: 'Search a buffer',
  level: 'safe',
  description:
    'Find lines of an open buffer, including unsaved text, that contain a text or match a regular expression. Use it before reading a long one.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1000).describe('The text to find. Case-sensitive if it has capitals.'),
    buffer: bufferName,
    regex: z.boolean().optional().describe('The pattern is a regular expression (of JavaScript).'),
    all_matches: z.boolean().optional().describe('All lines rather than the first one only.'),
  }),
  openWorld: false,
  summarize: ({ pattern, buffer }) => `${pattern} in ${buffer ?? 'the buffer in the foreground'}`,
  run: async ({ pattern, buffer, regex, all_matches: all }, { project, buffers }) => {
    const { title, text } = await bufferOf(buffer, buffers(), project);
    const hits = matcher(pattern, { regex: regex ?? false })(maskTokens(text));
    if (hits.length === 0) return { success: true, text: `No line of ${title} matches ${pattern}.` };
    const shown = hits.slice(0, all ? MOST_HITS : 1).map(({ line, text: found }) => `${title}:${line}: ${found}`);
    const rest = hits.length - shown.length;
    const how = all ? 'use a more specific pattern' : 'all_matches shows them';
    return { success: true, text: [...shown, ...(rest > 0 ? [`… ${rest} more: ${how}`] : [])].join('\n') };
  },
});

/** Returns the buffer with a given name. If no window has the file open, the file must exist. */
async function bufferOf(name: string | undefined, open: readonly OpenBuffer[], project: Project): Promise<FoundBuffer> {
  const isOpen = name === undefined || open.some(({ title }) => title === name);
  if (!isOpen && !open.some(({ path }) => path !== null && project.display(path) === name))
    await existingFile(project, name);
  return findBuffer(name ?? null, open, project);
}

/** Returns a line with the number of files that a search did not reach, and how to continue the search. */
function filesLeft({ next, rest, searched }: FoundText): string[] {
  if (next === null) return [];
  const count = `${plural(rest, 'file is', 'files are')} left after ${searched}`;
  return [`${count}: call it again with from ${JSON.stringify(next)}`];
}

/** Returns lines about the files that a search skipped. Without these lines, the caller could conclude that the files contain no match. */
function leftOut(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, 3).join(', ') + (files.length > 3 ? ' and others' : '');
  return [`${plural(files.length, 'file is', 'files are')} too large to be searched (${named})`];
}
