/** Gives each of the tests that run at once a display of its own: two windows on one would take the focus from each other. */

/** The displays that `resources/gate/playwright.mjs` started: of each its number and the file of its key. */
const DISPLAYS = (process.env['E2E_DISPLAYS'] ?? '').split(';').filter(Boolean);

/** Tests that can run at once. Where nobody started displays there is the one of the person. */
export const PARALLEL = Math.max(1, DISPLAYS.length);

/** Lets the programs that this process starts from now on appear on its own display. */
export function takeDisplay(): void {
  const own = DISPLAYS[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)];
  if (own === undefined) return;
  const [display, key] = own.split(' ');
  process.env['DISPLAY'] = display;
  process.env['XAUTHORITY'] = key;
}
