/** A long reply that is kept for its reader, as tools that take a path find it. */
import { WorkbenchError } from '#core/base/error.ts';
import type { ToolContext } from '../tool.ts';

/** Returns the page of a long reply at its handle, or all of the reply. @throws WorkbenchError `not-found` when it is not kept. */
export function keptReply(handle: string, { replies, actor }: ToolContext, part: 'page' | 'whole'): string {
  const text = replies[part](handle, actor);
  if (text !== null) return text;
  throw new WorkbenchError('not-found', 'This long reply is no longer stored. Repeat the call.');
}
