/** Gives each parallel test a separate display, because two windows on the same display would take the focus from each other. */

/** The displays that `resources/gate/playwright.mjs` started, each with its number and its key file. */
const DISPLAYS = (process.env['E2E_DISPLAYS'] ?? '').split(';').filter(Boolean);

/** The number of tests that can run in parallel; 1 if no displays were started, because then there is only the person's display. */
export const PARALLEL = Math.max(1, DISPLAYS.length);

/** Makes the programs that this process starts from now on appear on a separate display. */
export function takeDisplay(): void {
  const own = DISPLAYS[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)];
  if (own === undefined) return;
  const [display, key] = own.split(' ');
  process.env['DISPLAY'] = display;
  process.env['XAUTHORITY'] = key;
}
