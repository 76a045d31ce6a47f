/** Events that could not be written to the audit, in words. */
import { plural } from '#contract/text.ts';
import type { Missed } from './anchor.ts';

export function gapInWords({ count, from, to, why }: Missed): string {
  return `${eventsInWords(count)} not recorded in the audit, from ${timeOf(from)} to ${timeOf(to)}: ${why}.`;
}

export function eventsInWords(count: number): string {
  return plural(count, 'event was', 'events were');
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
