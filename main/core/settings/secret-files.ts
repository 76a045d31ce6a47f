/**
 * Secrets of the environment that are read from a file, which is usual in containers: TELNET_SECRET_FILE names the file that contains
 * TELNET_SECRET. Every program of the same user can read the environment as long as the process lives, but a file can be removed after it
 * was read.
 */
import { readFileSync } from 'node:fs';
import { messageOf, WorkbenchError } from '#core/base/error.ts';

const SECRETS = [
  'LISP_WORKBENCH_TOKEN',
  ...['TELNET_SECRET', 'SWANK_SECRET'].flatMap((name) => [name, `LISPLY_${name}`]),
];

/**
 * Returns the environment. Each secret with a file gets the first line of that file as its value.
 * @throws WorkbenchError `invalid` if a file cannot be read or is empty, or if the variable itself is set too.
 */
export function withSecretFiles(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = SECRETS.flatMap((name) => {
    const file = environment[`${name}_FILE`];
    if (!file) return [];
    if (environment[name])
      throw new WorkbenchError('invalid', `${name} and ${name}_FILE are both set. Set only one of them.`);
    return [[name, firstLine(file, `${name}_FILE`)]];
  });
  return { ...environment, ...Object.fromEntries(read) };
}

function firstLine(file: string, variable: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new WorkbenchError('invalid', `The file that ${variable} names cannot be read (${messageOf(error)}).`, {
      cause: error,
    });
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '')
    throw new WorkbenchError(
      'invalid',
      `The first line of ${file}, which ${variable} names, is empty. It must contain the secret.`,
    );
  return line;
}
