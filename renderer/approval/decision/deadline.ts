/** The remaining time of a card, as text and as a fraction for the ring. Pure. */

/** Formats minutes and seconds, and hours if needed: `4:31`, `1:02:09`. Seconds are rounded up, so that 0:00 means now. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Describes what will happen at the deadline, and when. A `deadline` of null means that the clock is stopped. */
export function deadlineWords(deadline: number | null, now: number): string {
  return deadline === null ? 'Paused while you edit' : `Denied in ${clock(deadline - now)}`;
}

/** Returns the remaining fraction of the time, from 0 to 1, in steps of a second. */
export function timeLeft(requestedAt: number, deadline: number | null, now: number): number {
  if (deadline === null) return 1;
  const whole = Math.max(1000, deadline - requestedAt);
  const left = Math.max(0, Math.ceil((deadline - now) / 1000) * 1000);
  return Math.min(1, left / whole);
}
