/** The events of traced functions. Each event is parsed once for all listeners. */
import type { TracedCalls } from '#contract/image/observation/tracing.ts';
import { on } from '../bridge.ts';

const followers: ((told: TracedCalls) => void)[] = [];

/** Calls `follower` with all traced calls from now on. */
export function followTraceEvents(follower: (told: TracedCalls) => void): void {
  if (followers.length === 0)
    on('calls-traced', ({ calls, ...rest }) => {
      const told = { ...rest, calls: JSON.parse(calls) as TracedCalls['calls'] };
      for (const each of followers) each(told);
    });
  followers.push(follower);
}
