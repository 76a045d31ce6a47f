/** The packaged SBCL and the core that was built with it. Both are beside the engine's sources. */
import path from 'node:path';

export interface Shipped {
  /** The folder of SBCL and its contribs. */
  readonly folder: string;
  readonly program: string;
  /** The engine's core for this exact SBCL. */
  readonly core: string;
}

/** Returns the paths of the packaged SBCL and its core, which are beside `sources`. In a checkout these paths do not exist. */
export function shippedBeside(sources: string, platform: NodeJS.Platform = process.platform): Shipped {
  const own = path.dirname(sources);
  const folder = path.join(own, 'sbcl');
  const program = platform === 'win32' ? path.join(folder, 'sbcl.exe') : path.join(folder, 'bin', 'sbcl');
  return { folder, program, core: path.join(own, 'engine.core') };
}
