/** Playwright against the built program, on a display of its own where there is one to be had. */
import { ask, run } from '../setup/children.mjs';
import { electronEnvironment } from '../setup/electron-runtime.mjs';
import { node, tools } from '../setup/places.mjs';

/**
 * Runs `playwright test` with `args`; what it starts ends with it. `report` is the file that tells of the tests. Where there
 * is xvfb-run, `displays` of them are made, numbered from `firstDisplay` on, and as many tests run at once.
 */
export function playwright(args, { timeout, report, displays = 1, firstDisplay = FIRST_DISPLAY }) {
  let command = [node(), tools.playwright, 'test', ...args];
  const env = { ...electronEnvironment(), ...(report ? { E2E_REPORT: report } : {}) };
  if (hasXvfb())
    for (let index = 0; index < displays; index += 1) command = withDisplay(firstDisplay + 100 * index, command);
  delete env.ELECTRON_RUN_AS_NODE;
  const [first, ...rest] = command;
  return run(first, rest, { env, timeout, echo: true });
}

/** `command` with a display more, told in E2E_DISPLAYS. */
function withDisplay(number, command) {
  const told = 'export E2E_DISPLAYS="$DISPLAY $XAUTHORITY;$E2E_DISPLAYS"; exec "$@"';
  // The flag -noreset keeps the server from beginning anew when the last window closes; it would refuse the next one meanwhile.
  const server = ['xvfb-run', '-n', String(number), '-a', '-s', '-screen 0 1600x1000x24 -noreset'];
  return [...server, 'sh', '-c', told, 'sh', ...command];
}

const FIRST_DISPLAY = 99;
/** The first number that stages have which run beside the stories. */
export const OTHER_DISPLAYS = 599;

/** True when there is Xvfb. Its size is known and nobody moves the mouse on it, so it is taken even where there is a screen. */
const hasXvfb = () => process.platform === 'linux' && ask('sh', ['-c', 'command -v xvfb-run']) !== undefined;
