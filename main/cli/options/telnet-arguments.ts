/** The options for telnet: port and secret. Pure, like the rest of the command line. */
import { isTrue, serverVariable } from '../../core/settings/variables.ts';
import { portNumber } from './http-arguments.ts';
import { UsageError } from './usage-error.ts';

export interface TelnetArguments {
  /** The telnet server of `serve`; null if it is not requested. A null secret means that one is generated. */
  readonly telnet: { readonly port: number; readonly secret: string | null } | null;
}

export const DEFAULT_TELNET_PORT = 4024;

export const noTelnet: TelnetArguments = { telnet: null };

/** Reads START_TELNET, TELNET_PORT and TELNET_SECRET; a variable with the prefix LISPLY_ overrides the one without. @throws UsageError */
export function telnetArguments(environment: NodeJS.ProcessEnv): TelnetArguments {
  const { value: start } = serverVariable(environment, 'START_TELNET');
  if (start === null || !isTrue(start)) return noTelnet;
  const { name, value: port } = serverVariable(environment, 'TELNET_PORT');
  const { name: secretName, value: secret } = serverVariable(environment, 'TELNET_SECRET');
  if (secret !== null && !/^\P{Cc}{1,200}$/u.test(secret))
    throw new UsageError(
      `${secretName} must be one line of at most 200 characters, because telnet clients type it as their first line.`,
    );
  return { telnet: { port: port === null ? DEFAULT_TELNET_PORT : portNumber(name, port), secret } };
}
