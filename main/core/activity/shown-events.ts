/** Events of the activity as the window is told of them: what a client wrote can be a megabyte, of which a row shows a line. */
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import { beginning } from '#contract/text/text.ts';

/** Characters of each text of an event. The details of a call, which are asked for, have more. */
const LONGEST = 1_000;

/** The event with the beginnings of its texts. */
export function shownEvent(event: ActivityEvent): ActivityEvent {
  const long = Object.entries(event).filter(([, value]) => typeof value === 'string' && value.length > LONGEST);
  if (long.length === 0) return event;
  return { ...event, ...Object.fromEntries(long.map(([name, value]) => [name, beginning(value, LONGEST)])) };
}
