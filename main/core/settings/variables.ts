/** The servers' environment variables. A name with the prefix LISPLY_ has priority over the bare name (decision 23). */

interface Variable {
  /** The name of the variable that was found; the bare name if the variable is not set. */
  readonly name: string;
  readonly value: string | null;
}

/** Returns a variable; an empty one counts as unset. */
export function serverVariable(environment: NodeJS.ProcessEnv, name: string): Variable {
  const prefixed = `LISPLY_${name}`;
  return environment[prefixed]
    ? { name: prefixed, value: environment[prefixed] }
    : { name, value: environment[name] || null };
}

/** Returns true for `true`, `1`, `yes` and `on`, and false for anything else. */
export function isTrue(value: string): boolean {
  return ['true', '1', 'yes', 'on'].includes(value.trim().toLowerCase());
}
