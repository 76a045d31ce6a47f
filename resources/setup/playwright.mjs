/** Playwright against the built program, on a display of its own where there is one to be had. */
import { ask, run } from './children.mjs';
import { electronEnvironment } from './electron-runtime.mjs';
import { node, tools } from './places.mjs';

/**
 * Runs `playwright test` with `args`; what it starts ends with it. `report` is the file that tells of the tests. Runs at one
 * time have each a `part` of their own, from 0.
 */
export function playwright(args, { timeout, report, part = 0 }) {
  const command = [node(), tools.playwright, 'test', `--output=out/playwright/${part}`, ...args];
  // Without -noreset the server begins anew when the last window closes, and refuses the next one while it does.
  const display = ['xvfb-run', '-n', String(FIRST_DISPLAY + 100 * part), '-a', '-s', '-screen 0 1600x1000x24 -noreset'];
  const [first, ...rest] = hasXvfb() ? [...display, ...command] : command;
  const env = { ...electronEnvironment(), ...(report ? { E2E_REPORT: report } : {}) };
  delete env.ELECTRON_RUN_AS_NODE;
  return run(first, rest, { env, timeout, echo: true });
}

const FIRST_DISPLAY = 99;

/** Its size is known and nobody moves the mouse on it, so it is taken even where there is a screen. */
export const hasXvfb = () => process.platform === 'linux' && ask('sh', ['-c', 'command -v xvfb-run']) !== undefined;
