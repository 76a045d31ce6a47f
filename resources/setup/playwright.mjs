/** Playwright against the built program, on a display of its own where there is one to be had. */
import { ask, run } from './children.mjs';
import { electronEnvironment } from './electron-runtime.mjs';
import { node, tools } from './places.mjs';

/** Runs `playwright test` with `args`; what it starts ends with it. */
export function playwright(args, { timeout }) {
  const command = [node(), tools.playwright, 'test', ...args];
  const [first, ...rest] = hasXvfb() ? ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24', ...command] : command;
  const env = { ...electronEnvironment() };
  delete env.ELECTRON_RUN_AS_NODE;
  return run(first, rest, { env, timeout, echo: true });
}

/** Its size is known and nobody moves the mouse on it, so it is taken even where there is a screen. */
const hasXvfb = () => process.platform === 'linux' && ask('sh', ['-c', 'command -v xvfb-run']) !== undefined;
