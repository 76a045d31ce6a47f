/** A display for windows: the existing display or, if there is none, a virtual one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';

/** Returns the variables that name the display. @throws Error that says what to install if there is no display. */
export async function display(scope: AsyncDisposableStack): Promise<Record<string, string>> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY) return {};
  // Xvfb chooses a free display number itself, and writes it to the descriptor given with -displayfd.
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const failed = new Promise<null>((resolve) => {
    server.once('error', () => resolve(null));
    server.once('exit', () => resolve(null));
  });
  scope.defer(async () => {
    server.kill();
    await failed;
  });
  const said = await Promise.race([once(server.stdio[3] as Readable, 'data'), failed]);
  if (said === null)
    throw new Error(
      'There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set) and no Xvfb to make one. Run it on a desktop, or install Xvfb: sudo apt-get install xvfb',
    );
  return { DISPLAY: `:${String(said[0]).trim()}` };
}
