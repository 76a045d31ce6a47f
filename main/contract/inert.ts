/**
 * How long a card that has just appeared, changed or come into view cannot be approved, in milliseconds: a click meant for
 * something else must not count. Main enforces it; the page shows it.
 */
export const INERT_MS = 700;
