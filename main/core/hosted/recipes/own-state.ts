/**
 * An agent's state in a folder of its own: where its process is closed off, the person's home cannot be written, and their settings for this agent,
 * such as hooks and further servers, are not to count.
 */

/** Returns the variables by which programs find their settings, data and caches. */
export function ownState(home: string): Record<string, string> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_CACHE_HOME: `${home}/.cache`,
  };
}
