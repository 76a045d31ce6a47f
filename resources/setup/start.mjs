/** `npm start [-- DIR]`: installs missing parts, builds the program, and opens the desktop, with the folder DIR if it is given. */
import { resolve } from 'node:path';
import { build } from './build.mjs';
import { foreground } from './children.mjs';
import { electronEnvironment, electronRuntime } from './electron-runtime.mjs';
import { node, root } from './places.mjs';
import { endWithParent } from './parent.mjs';
import { createReport, SetupProblem } from './report.mjs';
import { setUp } from './steps.mjs';

const report = createReport();
endWithParent();
try {
  await setUp('desktop', report);
  await build(report);
  requireDisplay();
  foreground(electronRuntime().executable, [...switches(), root, ...applicationArguments()], { env: environment() });
} catch (error) {
  report.problem(error);
  process.exitCode = 1;
}

function requireDisplay() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return;
  throw new SetupProblem(
    'There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set). Start it on a desktop, or on a display without a screen:',
    ['xvfb-run -a -s "-screen 0 1600x1000x24" npm start'],
  );
}

/**
 * Returns the switches for Electron. Electron refuses to run its sandbox as root, so in this case the launcher turns the sandbox off.
 * Installed packages never do that.
 */
function switches() {
  if (process.getuid?.() !== 0) return [];
  report.line('! You are root: the window runs without its sandbox. Work as an ordinary user where you can.');
  return ['--no-sandbox'];
}

/**
 * Returns the arguments for the program. Relative folders are resolved from the folder in which npm was called, which may not be the
 * checkout.
 */
function applicationArguments() {
  const from = process.env.INIT_CWD ?? process.cwd();
  return process.argv.slice(2).map((given) => (given.startsWith('-') ? given : resolve(from, given)));
}

function environment() {
  const env = electronEnvironment();
  // Editors that are built on Electron set this variable, which would turn our Electron into a plain Node.
  delete env.ELECTRON_RUN_AS_NODE;
  // The command that clients are given needs a Node, and the window's own executable cannot be used as one.
  env.LISP_WORKBENCH_NODE ??= node();
  return env;
}
