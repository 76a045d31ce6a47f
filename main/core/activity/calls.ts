/**
 * Delays the events of tool calls for the activity. Calls are recorded after their answers were sent, in the original order, and several at
 * a time.
 */
import { Emitter } from '#core/base/emitter.ts';
import type { CallEvents } from '#core/tools/executor/caller.ts';
import type { Executor } from '#core/tools/executor/executor.ts';
import type { ActivityStream } from './stream.ts';

/** Returns the executor's events, delayed until the activity stream processes them. */
export function recordedCalls(executor: Executor, stream: ActivityStream): Emitter<CallEvents> {
  const calls = new Emitter<CallEvents>();
  executor.events.on('started', (call) => stream.later(() => calls.emit('started', call)));
  executor.events.on('ended', (call) => stream.later(() => calls.emit('ended', call)));
  return calls;
}
