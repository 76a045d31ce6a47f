/** Looking at the project's files and at what the person has open. */
import { z } from 'zod';
import { WorkbenchError } from '#core/error.ts';
import { findBuffer, type FoundBuffer, type OpenBuffer } from '#core/project/buffers.ts';
import type { Project } from '#core/project/project.ts';
import { listFolder, matcher, searchText } from '#core/project/search.ts';
import { existing, existingFile } from './existing.ts';
import { countOf, startOf } from './names.ts';
import { defineTool } from './tool.ts';

const MOST_ENTRIES = 1000;
const MOST_HITS = 200;
const PAGE_LINES = 2000;

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List a folder',
  level: 'safe',
  description: 'What a folder of the project holds, with sizes. Use it to find your way before reading files.',
  input: z.strictObject({
    path: z.string().min(1).optional().describe('Folder, relative to the project. The project itself when left out.'),
    depth: z.int().min(1).max(10).default(1).describe('How many levels; 1 when left out.'),
  }),
  openWorld: false,
  summarize: ({ path }) => path ?? '.',
  run: async ({ path, depth }, { project }) => {
    const { file: folder, folder: isFolder, bytes: size } = await existing(project, path ?? '.');
    if (!isFolder)
      throw new WorkbenchError('invalid', `${folder} is a file of ${size} bytes. read-file shows what it holds.`);
    const { found, more } = await listFolder(folder, depth, MOST_ENTRIES);
    if (found.length === 0) return { success: true, text: `${project.display(folder)} holds nothing.` };
    const lines = found.map(
      ({ file, kind, bytes }) =>
        `${project.display(file)}${{ folder: '/', file: `  ${bytes} bytes`, link: '  a link', other: '  no ordinary file' }[kind]}`,
    );
    return {
      success: true,
      text: [...lines, ...(more ? [`… more than ${MOST_ENTRIES}; list a folder of it`] : [])].join('\n'),
    };
  },
});

export const searchFiles = defineTool({
  name: 'search_files',
  title: 'Search the files',
  level: 'safe',
  description:
    'Lines of the text files of the project that contain a text or match a regular expression. When it is about loaded code, who-calls and find-definition are more exact.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1000).describe('What to look for. Case counts when it has capital letters.'),
    regex: z.boolean().optional().describe('The pattern is a regular expression (of JavaScript).'),
    path: z.string().min(1).optional().describe('Folder or file to search, relative to the project.'),
    glob: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Only files of that name, such as "*.lisp" or "src/**/*.asd".'),
    start: startOf,
    count: countOf(MOST_HITS, 50),
  }),
  openWorld: false,
  summarize: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
  run: async ({ pattern, regex, path, glob, start, count }, { project, signal }) => {
    const { file: place } = await existing(project, path ?? '.');
    const matches = matcher(pattern, regex ?? false);
    const { lines, total, files, searched, cut, left } = await searchText(place, {
      matches,
      glob: glob ?? null,
      most: start + count,
      signal,
    });
    const gaps = [
      ...(cut ? ['not all files were searched'] : []),
      ...leftOut(left.map((file) => project.display(file))),
    ];
    if (total === 0) {
      const which = `${glob ? ` named ${glob}` : ''}${path === undefined ? '' : ` in ${project.display(place)}`}`;
      const none =
        searched === 0
          ? `There are no text files${which} to search`
          : `No line of the files${which} matches ${pattern}`;
      return { success: true, text: `${[none, ...gaps].join('; ')}.` };
    }
    if (start >= total) return { success: true, text: `There are ${total} and none from ${start} on.` };
    const shown = lines.slice(start).map(({ file, line, text }) => `${project.display(file)}:${line}: ${text}`);
    const rest = total - lines.length;
    const head = `${total} line${total === 1 ? '' : 's'} in ${files} file${files === 1 ? '' : 's'}${gaps.map((gap) => `; ${gap}`).join('')}`;
    return {
      success: true,
      text: [head, ...shown, ...(rest > 0 ? [`… ${rest} more, from start ${lines.length}`] : [])].join('\n'),
    };
  },
});

const bufferName = z
  .string()
  .min(1)
  .optional()
  .describe('Title of the buffer, or path of a file of the project. The one that the person looks at when left out.');

export const readBuffer = defineTool({
  name: 'read_buffer',
  title: 'Read a buffer',
  level: 'safe',
  description:
    'The text of an open buffer with what the person has not saved yet, by numbered lines. Use it to see what they are working on.',
  input: z.strictObject({
    buffer: bufferName,
    start: z.int().min(1).optional().describe('First line, from 1.'),
    end: z.int().min(1).optional().describe('Last line.'),
  }),
  openWorld: false,
  summarize: ({ buffer }) => buffer ?? 'in front',
  run: async ({ buffer, start, end }, { project, buffers }) => {
    const { title, text, unsaved } = await bufferOf(buffer, buffers(), project);
    const lines = text.split('\n');
    const first = start ?? 1;
    if (end !== undefined && end < first)
      throw new WorkbenchError('invalid', `The last line, ${end}, comes before the first, ${first}.`);
    if (first > lines.length) throw new WorkbenchError('invalid', `${title} has ${lines.length} lines.`);
    const last = Math.min(end ?? lines.length, lines.length, first + PAGE_LINES - 1);
    const head = `${title}, lines ${first} to ${last} of ${lines.length}${unsaved ? ', with unsaved changes' : ''}`;
    const shown = lines.slice(first - 1, last).map((line, index) => `${first + index}\t${line}`);
    const rest = Math.min(end ?? lines.length, lines.length) - last;
    const more = rest > 0 ? [`… ${rest} more lines, from start ${last + 1}`] : [];
    return { success: true, text: [head, ...shown, ...more].join('\n') };
  },
});

export const searchInBuffer = defineTool({
  name: 'search_in_buffer',
  title: 'Search a buffer',
  level: 'safe',
  description:
    'Lines of an open buffer, unsaved text included, that contain a text or match a regular expression. Use it before reading a long one.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1000).describe('What to look for. Case counts when it has capital letters.'),
    buffer: bufferName,
    regex: z.boolean().optional().describe('The pattern is a regular expression (of JavaScript).'),
    all_matches: z.boolean().optional().describe('All lines rather than the first one only.'),
  }),
  openWorld: false,
  summarize: ({ pattern, buffer }) => `${pattern} in ${buffer ?? 'the one in front'}`,
  run: async ({ pattern, buffer, regex, all_matches: all }, { project, buffers }) => {
    const { title, text } = await bufferOf(buffer, buffers(), project);
    const hits = matcher(pattern, regex ?? false)(text);
    if (hits.length === 0) return { success: true, text: `No line of ${title} matches ${pattern}.` };
    const shown = hits.slice(0, all ? MOST_HITS : 1).map(({ line, text: found }) => `${title}:${line}: ${found}`);
    const rest = hits.length - shown.length;
    const how = all ? 'a pattern that says more shows them' : 'all_matches shows them';
    return { success: true, text: [...shown, ...(rest > 0 ? [`… ${rest} more: ${how}`] : [])].join('\n') };
  },
});

/** A buffer by its name; where no window has it open, the file must be there. */
async function bufferOf(name: string | undefined, open: readonly OpenBuffer[], project: Project): Promise<FoundBuffer> {
  const isOpen = name === undefined || open.some(({ title }) => title === name);
  if (!isOpen && !open.some(({ path }) => path !== null && project.display(path) === name))
    await existingFile(project, name);
  return findBuffer(name ?? null, open, project);
}

/** Files that a search passed over, so that nobody takes its silence for an answer. */
function leftOut(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const named = files.slice(0, 3).join(', ') + (files.length > 3 ? ' and others' : '');
  return [`${files.length === 1 ? '1 file is' : `${files.length} files are`} too large to be searched (${named})`];
}
