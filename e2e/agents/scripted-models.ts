/** Leads each agent to the scripted model, and names the tools of its own that are tried. All else is as the recipe says. */
import type { AgentLaunch, Recipe } from '#core/hosted/recipes/recipe.ts';

/** The names of an agent's own shell, of its tool that writes files, and of the one that reads them, as the model is told them. */
interface OwnTools {
  readonly shell: string;
  readonly writer: string;
  readonly reader: string;
  /** The name of their argument for the path, where it is not the usual one of tools of these names. */
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

/** The recipe with the scripted model in the place of its vendor's. Its tools are looked at by another model, as of the recipe itself. */
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
