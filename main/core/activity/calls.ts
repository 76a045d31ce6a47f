/**
 * Delays the events of tool calls for the activity: each call is recorded after its answer was sent, in the original order, and many calls
 * at once.
 */
import { Emitter } from '#core/base/emitter.ts';
import type { CallEvents } from '#core/tools/executor/caller.ts';
import type { Executor } from '#core/tools/executor/executor.ts';
import type { ActivityStream } from './stream.ts';

/** Returns the executor's events, delayed until the activity stream has time for them. */
export function recordedCalls(executor: Executor, stream: ActivityStream): Emitter<CallEvents> {
  const calls = new Emitter<CallEvents>();
  executor.events.on('started', (call) => stream.later(() => calls.emit('started', call)));
  executor.events.on('ended', (call) => stream.later(() => calls.emit('ended', call)));
  return calls;
}
