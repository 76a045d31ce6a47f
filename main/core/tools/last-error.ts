import { z } from 'zod';
import { conditionText } from './format.ts';
import { defineTool } from './tool.ts';

export const getLastError = defineTool({
  name: 'get_last_error',
  title: 'Last error',
  level: 'safe',
  description:
    'The last error of this connection with its backtrace and the code that caused it. Use it when an earlier answer was cut or is no longer at hand.',
  input: z.strictObject({}),
  openWorld: false,
  summarize: () => '',
  run: async (_args, { session, context }) => {
    const { condition, code } = await session.lookUp('last-error', { context });
    if (!condition) return { success: true, text: 'No error so far in this session.' };
    return {
      success: true,
      text: code === null ? conditionText(condition) : `${conditionText(condition)}\n\n[Code]\n${code}`,
    };
  },
});
