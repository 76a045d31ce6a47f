/** Access to long replies that were stored. Tools read them by a path. */
import { WorkbenchError } from '#core/base/error.ts';
import type { ToolContext } from '../tool.ts';

/** Returns a page of a long reply by its handle, or the whole reply. @throws WorkbenchError `not-found` if the reply is not stored. */
export function keptReply(handle: string, { replies, actor }: ToolContext, part: 'page' | 'whole'): string {
  const text = replies[part](handle, actor);
  if (text !== null) return text;
  throw new WorkbenchError('not-found', 'This long reply is no longer stored. Repeat the call.');
}
