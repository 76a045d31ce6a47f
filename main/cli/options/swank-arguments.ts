/** SWANK as a command line wants it: on which port, with which secret. Pure, like all of the command line. */
import { isTrue, serverVariable } from '../../core/settings/variables.ts';
import { portNumber } from './http-arguments.ts';

export interface SwankArguments {
  /** The port of SWANK, for Emacs; null where it is not asked for. */
  readonly swankPort: number | null;
  /** SWANK_SECRET, in place of the secret in ~/.slime-secret; never an option, since options can be seen by everybody. */
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

/** A flag beats LISPLY_START_SWANK with LISPLY_SWANK_PORT, which beat those without the prefix. */
function portOf(flag: string | undefined, environment: NodeJS.ProcessEnv): number | null {
  if (flag !== undefined) return portNumber('--swank-port', flag);
  const { value: start } = serverVariable(environment, 'START_SWANK');
  if (start === null || !isTrue(start)) return null;
  const { name, value } = serverVariable(environment, 'SWANK_PORT');
  return value === null ? DEFAULT_SWANK_PORT : portNumber(name, value);
}
