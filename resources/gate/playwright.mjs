/** Runs Playwright against the built program, on separate displays if they are available. */
import { ask, run } from '../setup/children.mjs';
import { electronEnvironment } from '../setup/electron-runtime.mjs';
import { node, tools } from '../setup/places.mjs';

/**
 * Runs `playwright test` with `args`, and ends the processes that it starts when it ends. `report` is the file for the test results. If
 * xvfb-run is installed, runs as many tests in parallel as `displays` says, each on its own display, numbered from `firstDisplay`.
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

/** Wraps `command` so that it runs with one more display, which is added to E2E_DISPLAYS. */
function withDisplay(number, command) {
  const told = 'export E2E_DISPLAYS="$DISPLAY $XAUTHORITY;$E2E_DISPLAYS"; exec "$@"';
  // The flag -noreset prevents the server from restarting when the last window closes, because during the restart it would refuse the next
  // window.
  const server = ['xvfb-run', '-n', String(number), '-a', '-s', '-screen 0 1600x1000x24 -noreset'];
  return [...server, 'sh', '-c', told, 'sh', ...command];
}

const FIRST_DISPLAY = 99;
/** The first display number for stages that run at the same time as the stories. */
export const OTHER_DISPLAYS = 599;

/** True if Xvfb is available. It is used even if there is a screen, because its size is known and its pointer is not moved by a person. */
const hasXvfb = () => process.platform === 'linux' && ask('sh', ['-c', 'command -v xvfb-run']) !== undefined;
