/**
 * Activity events in the short form in which the window gets them: a client's text can be a megabyte long, but a row shows only one line.
 */
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import { beginning } from '#contract/text/text.ts';

/** The maximum number of characters of each text in an event. The details of a call contain longer texts. */
const LONGEST = 1_000;

/** Returns the event with its texts shortened. */
export function shownEvent(event: ActivityEvent): ActivityEvent {
  const long = Object.entries(event).filter(([, value]) => typeof value === 'string' && value.length > LONGEST);
  if (long.length === 0) return event;
  return { ...event, ...Object.fromEntries(long.map(([name, value]) => [name, beginning(value, LONGEST)])) };
}
