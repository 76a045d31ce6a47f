/**
 * Gives an agent a folder of its own for its state, because in the sandbox the person's home is read-only. In addition, the person's
 * settings for this program, such as hooks and other servers, must not apply to the agent.
 */

/** Returns the variables that tell programs where their settings, data and caches are. */
export function ownState(home: string): Record<string, string> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_CACHE_HOME: `${home}/.cache`,
  };
}
