/** The time limit that a caller sets for a call that runs code. */
import { z } from 'zod';
import type { ToolContext, ToolOutcome } from './tool.ts';

const DAY_S = 86_400;

/** The `timeout` parameter, in seconds, which each tool that runs code has. */
export const TIMEOUT = {
  timeout: z.int().min(1).max(DAY_S).optional().describe('In seconds.'),
};

/**
 * Runs a call. If the call has a `timeout`, its signal fires after that time. If the timeout stopped the call, the answer begins with a
 * sentence that says so.
 */
export async function runWithin(
  { timeout }: Record<string, unknown>,
  context: ToolContext,
  run: (context: ToolContext) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  if (typeof timeout !== 'number') return run(context);
  const late = AbortSignal.timeout(timeout * 1000);
  const outcome = await run({ ...context, signal: AbortSignal.any([context.signal, late]) });
  if (outcome.success || !late.aborted || context.signal.aborted) return outcome;
  return { ...outcome, text: `Interrupted after ${timeout} s, the timeout of this call.\n${outcome.text}` };
}
