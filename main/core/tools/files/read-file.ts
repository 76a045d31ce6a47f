/** The tool that reads a file of the project. */
import { z } from 'zod';
import { readText } from '#core/project/files.ts';
import { WorkbenchError } from '#core/error.ts';
import { fileOf, readableAt } from './existing.ts';
import { linesOf, outlineOf } from './pages.ts';
import { REPLIES } from '../replies/long-replies.ts';
import { defineTool, type ToolContext } from '../tool.ts';

export const PATH = 'Path of the file, relative to the project folder or absolute inside it.';

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  level: 'safe',
  description:
    'The text of a file of the project or of a loaded system, whole or by lines, or its outline. Use it before writing to a file, and to go on with a reply that was too long for one answer.',
  input: z.strictObject({
    path: z.string().min(1).describe(`${PATH} Or where a long reply goes on, as it said: ${REPLIES}….`),
    offset: z.int().min(1).optional().describe('First line to show, from 1.'),
    limit: z.int().min(1).optional().describe('At most so many lines.'),
    outline: z
      .boolean()
      .optional()
      .describe(
        'Of a Lisp file only the beginning of each top-level form, with its lines. Use it before you read a long file.',
      ),
  }),
  openWorld: false,
  summarize: ({ path }) => path,
  paths: async ({ path }, context) => (path.startsWith(REPLIES) ? [] : [await canonicalOf(path, context)]),
  run: async ({ path, offset, limit, outline }, context) => {
    const { replies, replySize, actor } = context;
    if (path.startsWith(REPLIES)) {
      const page = replies.page(path, actor);
      if (page !== null) return { success: true, text: page };
      throw new WorkbenchError('not-found', 'No long reply of yours is kept there. Send the call again that made it.');
    }
    const { text, lossy } = await readText(fileOf(await readableAt(context, path)));
    const whole = text.replace(/^\uFEFF/, ''); // the tools that change a file keep the mark by themselves
    const shown = outline ? outlineOf(whole) : linesOf(whole, path, offset ?? 1, limit ?? Infinity, replySize);
    return {
      success: true,
      text: lossy ? `(This file is no valid UTF-8: what could not be read shows as \uFFFD.)\n${shown}` : shown,
    };
  },
});

/** The path by which rules are asked, also where nothing is there. */
async function canonicalOf(given: string, context: Pick<ToolContext, 'project' | 'session'>): Promise<string> {
  return context.project.locate(given).catch(async () => (await readableAt(context, given)).file);
}
