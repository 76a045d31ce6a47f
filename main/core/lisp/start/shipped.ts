/** The SBCL that a package of the program brings along, and the core that was built with it: both lie beside the engine's sources. */
import path from 'node:path';

export interface Shipped {
  /** The folder of SBCL, with its contribs. */
  readonly folder: string;
  readonly program: string;
  /** The engine's core for this very SBCL. */
  readonly core: string;
}

/** The places in a package whose sources are `sources`; in a checkout there is nothing at them. */
export function shippedBeside(sources: string, platform: NodeJS.Platform = process.platform): Shipped {
  const own = path.dirname(sources);
  const folder = path.join(own, 'sbcl');
  const program = platform === 'win32' ? path.join(folder, 'sbcl.exe') : path.join(folder, 'bin', 'sbcl');
  return { folder, program, core: path.join(own, 'engine.core') };
}
