/** The time that a card has left, in words and as the part of a ring. Pure. */

/** Minutes and seconds, or hours too: `4:31`, `1:02:09`. Whole seconds, rounded up, so that 0:00 means now. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Returns what will happen at the deadline and when; a `deadline` of null is a clock that stands still. */
export function deadlineWords(deadline: number | null, now: number): string {
  return deadline === null ? 'Paused while you edit' : `Denied in ${clock(deadline - now)}`;
}

/** The part of the time that is left, from 0 to 1, in steps of a second. */
export function timeLeft(requestedAt: number, deadline: number | null, now: number): number {
  if (deadline === null) return 1;
  const whole = Math.max(1000, deadline - requestedAt);
  const left = Math.max(0, Math.ceil((deadline - now) / 1000) * 1000);
  return Math.min(1, left / whole);
}
