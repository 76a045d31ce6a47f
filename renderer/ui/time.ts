/** Formatting of times for the window. */

export function clockTime(at: number, precision: 'minutes' | 'seconds' = 'seconds'): string {
  const date = new Date(at);
  const pieces = [date.getHours(), date.getMinutes(), ...(precision === 'seconds' ? [date.getSeconds()] : [])];
  return pieces.map((piece) => String(piece).padStart(2, '0')).join(':');
}

/** Returns a duration in minutes and whole seconds: `0:14`, `71:05`. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Returns a text about the time since `at`: "just now", "4 min ago", "yesterday". */
export function ago(at: number, now = Date.now()): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
