/** The tool that shows a connection's last error again, with its backtrace and code. */
import { z } from 'zod';
import type { SourceLine } from '#contract/image/source-line.ts';
import { conditionText } from '../replies/format.ts';
import { defineTool, type ToolContext } from '../tool.ts';

export const getLastError = defineTool({
  name: 'get_last_error',
  title: 'Last error',
  level: 'safe',
  description:
    'The last error of this connection with its backtrace, the file and line of each frame that has one, and the code that caused it. Use it if an earlier reply was truncated or is lost.',
  input: z.strictObject({}),
  openWorld: false,
  summarize: () => '',
  run: async (_args, { session, connectionId, project }) => {
    const { condition: told, code, places } = await session.lookUp('last-error', { context: connectionId });
    if (!told) return { success: true, text: 'No error so far in this session.' };
    const frames = told.frames.map((frame, at) => ({
      ...frame,
      call: `${frame.call}${atPlace(places[at] ?? null, project)}`,
    }));
    const condition = { ...told, frames };
    return {
      success: true,
      text: code === null ? conditionText(condition) : `${conditionText(condition)}\n\n[Code]\n${code}`,
    };
  },
});

/** Returns text such as ` at src/shop.lisp:12`; empty for a frame whose code is not in a file. */
export function atPlace(place: SourceLine | null, project: ToolContext['project']): string {
  return place === null ? '' : ` at ${project.display(place.file)}:${place.line}`;
}
