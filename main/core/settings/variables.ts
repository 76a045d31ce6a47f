/** The environment variables of the servers: the prefix LISPLY_ beats the bare name (decision 23). */

interface Variable {
  /** The name under which it was found; the bare one where it is not set. */
  readonly name: string;
  readonly value: string | null;
}

/** Returns a variable; empty is unset. */
export function serverVariable(environment: NodeJS.ProcessEnv, name: string): Variable {
  const prefixed = `LISPLY_${name}`;
  return environment[prefixed]
    ? { name: prefixed, value: environment[prefixed] }
    : { name, value: environment[name] || null };
}

/** True is `true`, `1`, `yes`, `on`; all else is false. */
export function isTrue(value: string): boolean {
  return ['true', '1', 'yes', 'on'].includes(value.trim().toLowerCase());
}
