/** The tool that reads a file of the project. */
import { z } from 'zod';
import { readText } from '#core/project/files/files.ts';
import { globMatcher } from '#core/project/search/glob.ts';
import { listFolder } from '#core/project/search/search.ts';
import { readableAt } from './existing-files.ts';
import { folderText } from './list-and-search.ts';
import { linesOf, outlineOf } from './pages.ts';
import { keptReply } from '../replies/kept-reply.ts';
import { REPLIES } from '../replies/long-replies.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';

export const PATH = 'Relative to the project, or absolute.';

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  level: 'safe',
  description:
    'The text of a file of the project or of a loaded system, by lines, or its outline; includes the person’s unsaved changes. For a folder, its entries. Use it before you edit; for one definition, find-definition with source is shorter.',
  input: z.strictObject({
    path: z.string().min(1).describe(`A file, several such as "src/*.lisp", or ${REPLIES}… for a long reply.`),
    start: z.int().min(1).optional().describe('First line, from 1.'),
    count: z.int().min(1).optional().describe('Maximum number of lines.'),
    outline: z.boolean().optional().describe('Only the first line of each form.'),
  }),
  openWorld: false,
  summarize: ({ path }) => path,
  paths: async ({ path }, context) => {
    if (path.startsWith(REPLIES)) return [];
    return PATTERN.test(path) ? filesOf(path, context) : [await canonicalOf(path, context)];
  },
  run: async ({ path, start, count, outline }, context) => {
    const { replySize } = context;
    if (PATTERN.test(path)) return filesText(path, context);
    if (path.startsWith(REPLIES)) {
      const byLines = [start, count, outline].some((each) => each !== undefined);
      if (!byLines) return { success: true, text: keptReply(path, context, 'page') };
      const reply = keptReply(path, context, 'whole');
      const lines = outline ? outlineOf(reply) : linesOf(reply, path, start ?? 1, count ?? Infinity, replySize);
      return { success: true, text: lines };
    }
    const found = await readableAt(context, path);
    if (found.folder) return { success: true, text: await folderText(found.file, context) };
    const open = context.buffers().find((buffer) => buffer.path === found.file)?.text ?? null;
    const { text, lossy } = open === null ? await readText(found.file) : { text: open, lossy: false };
    const whole = text.replace(/^\uFEFF/, ''); // the mark is left out, because tools that change a file preserve it automatically
    const shown = outline ? outlineOf(whole) : linesOf(whole, path, start ?? 1, count ?? Infinity, replySize);
    const notes = [
      ...(lossy ? ['(This file is no valid UTF-8: what could not be read shows as \uFFFD.)'] : []),
      ...(open === null ? [] : ['(The person has changed this text and not saved it; edits apply to the file.)']),
    ];
    return { success: true, text: [...notes, shown].join('\n') };
  },
});

/** Matches an asterisk. A path that contains one matches all files of the project whose paths match the pattern. */
const PATTERN = /\*/;
const DEEPEST = 40;
const MOST_LISTED = 50_000;

/** Returns the canonical paths of the files that match a pattern, in alphabetical order. */
async function filesOf(pattern: string, { project }: Pick<ToolContext, 'project'>): Promise<string[]> {
  if (project.root === null) return [];
  const { found } = await listFolder(project.root, DEEPEST, MOST_LISTED);
  const matches = globMatcher(pattern);
  const files = found.filter(({ file, kind }) => kind === 'file' && matches(project.display(file)));
  return Promise.all(files.map(({ file }) => project.locate(file)));
}

async function filesText(pattern: string, context: ToolContext): Promise<ToolOutcome> {
  const { project, buffers } = context;
  const files = await filesOf(pattern, context);
  if (files.length === 0) return { success: false, text: `No file of the project matches ${pattern}.` };
  const texts: string[] = [];
  for (const file of files) {
    const open = buffers().find((buffer) => buffer.path === file)?.text ?? null;
    const text = open ?? (await readText(file)).text;
    texts.push(`==> ${project.display(file)}${open === null ? '' : ', not saved'} <==\n${text}`);
  }
  return { success: true, text: texts.join('\n').trimEnd() };
}

/** Returns the path against which rules are checked, even if nothing exists there. */
async function canonicalOf(given: string, context: Pick<ToolContext, 'project' | 'session'>): Promise<string> {
  return context.project.locate(given).catch(async () => (await readableAt(context, given)).file);
}
