/** The command-line options for SWANK: port and secret. Pure, like the rest of the command line. */
import { isTrue, serverVariable } from '../../core/settings/variables.ts';
import { portNumber } from './http-arguments.ts';

export interface SwankArguments {
  /** The port of SWANK, for Emacs; null if SWANK is not requested. */
  readonly swankPort: number | null;
  /**
   * SWANK_SECRET, used instead of the secret in ~/.slime-secret. There is no option for it, because other users can see the options of a
   * process.
   */
  readonly swankSecret: string | null;
}

export const DEFAULT_SWANK_PORT = 4201;

export const noSwank: SwankArguments = { swankPort: null, swankSecret: null };

/** @throws UsageError */
export function swankArguments(options: ReadonlyMap<string, string>, environment: NodeJS.ProcessEnv): SwankArguments {
  return {
    swankPort: portOf(options.get('swank-port'), environment),
    swankSecret: serverVariable(environment, 'SWANK_SECRET').value,
  };
}

/**
 * Returns the port, or null if SWANK is not requested. The option overrides LISPLY_START_SWANK and LISPLY_SWANK_PORT, which override the
 * variables without the prefix.
 */
function portOf(flag: string | undefined, environment: NodeJS.ProcessEnv): number | null {
  if (flag !== undefined) return portNumber('--swank-port', flag);
  const { value: start } = serverVariable(environment, 'START_SWANK');
  if (start === null || !isTrue(start)) return null;
  const { name, value } = serverVariable(environment, 'SWANK_PORT');
  return value === null ? DEFAULT_SWANK_PORT : portNumber(name, value);
}
