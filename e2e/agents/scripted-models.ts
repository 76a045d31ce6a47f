/**
 * For each agent: a recipe that connects it to the scripted model, and the names of its own tools that are tested. In all other respects,
 * the recipes match the originals.
 */
import type { AgentLaunch, Recipe } from '#core/hosted/recipes/recipe.ts';

/** The names, as the agent's model sees them, of the agent's own shell, of its tool that writes files, and of its tool that reads files. */
interface OwnTools {
  readonly shell: string;
  readonly writer: string;
  readonly reader: string;
  /** The name of the path argument of these tools, if it differs from the usual one. */
  readonly argument?: string;
}

export const OWN_TOOLS: Readonly<Record<string, OwnTools>> = {
  'claude-code': { shell: 'Bash', writer: 'Write', reader: 'Read' },
  codex: { shell: 'exec_command', writer: 'apply_patch', reader: 'exec_command' },
  gemini: { shell: 'run_shell_command', writer: 'write_file', reader: 'read_file' },
  opencode: { shell: 'bash', writer: 'write', reader: 'read' },
  qwen: { shell: 'run_shell_command', writer: 'write_file', reader: 'read_file' },
  copilot: { shell: 'bash', writer: 'create', reader: 'view' },
  kimi: { shell: 'Bash', writer: 'Write', reader: 'Read', argument: 'path' },
};

/**
 * Returns the recipe with the scripted model in place of the vendor's. The check of the recipe's tools still uses a separate model, as in
 * the original.
 */
export function withScriptedModel(recipe: Recipe, url: string): Recipe {
  const usual = new WeakMap<AgentLaunch, AgentLaunch>();
  return {
    ...recipe,
    launch: (request) => {
      const launch = recipe.launch(request);
      const led = recipe.modelAt(url, launch);
      usual.set(led, launch);
      return led;
    },
    modelAt: (model, launch) => recipe.modelAt(model, usual.get(launch) ?? launch),
  };
}
