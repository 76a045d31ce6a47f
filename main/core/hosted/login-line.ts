/** The line for a terminal with which a person logs in an agent's program. */
import { programCommand } from './program-command.ts';
import type { FoundProgram } from './recipes/recipe.ts';

/**
 * `environment`: the variables of the agent. Of these the line has those that lead into `home`, so that the login is kept where the agent looks for it: others
 * may be secrets.
 */
export function loginLine(
  found: FoundProgram,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  home: string,
): string {
  const { command, args: before, environment: more } = programCommand(found);
  const variables = [
    // A terminal has the path of the login shell.
    ...Object.entries(more).filter(([name]) => name !== 'PATH'),
    ...Object.entries(environment).filter(([, value]) => value === home || value?.startsWith(`${home}/`)),
  ].map(([name, value]) => `${name}=${quoted(value!)}`);
  const words = [command, ...before, ...args].map(quoted);
  return [...(variables.length === 0 ? [] : ['env']), ...variables, ...words].join(' ');
}

/** A word as shells read it. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
