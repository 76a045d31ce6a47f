/** Activity events for the window, shortened: a client's text can be a megabyte, and a row shows only one line. */
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import { beginning } from '#contract/text/text.ts';

/** The maximum number of characters of each text in an event. The details of a call contain more. */
const LONGEST = 1_000;

/** Returns the event with its texts shortened. */
export function shownEvent(event: ActivityEvent): ActivityEvent {
  const long = Object.entries(event).filter(([, value]) => typeof value === 'string' && value.length > LONGEST);
  if (long.length === 0) return event;
  return { ...event, ...Object.fromEntries(long.map(([name, value]) => [name, beginning(value, LONGEST)])) };
}
