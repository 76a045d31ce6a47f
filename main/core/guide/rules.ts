import type { ClientProfile } from '#contract/clients/client.ts';

const EDIT = 'Change files with edit-files: all edits of a change in one call, with load. Then call run-tests.';

/**
 * The rules for an agent that works in a person's image. They appear in the plugin's skill, the MCP prompts, the first request to a hosted
 * agent and `docs/agent-guide.md`.
 */
export const RULES: readonly string[] = [
  'Try code with evaluate-lisp before you write it into a file. Definitions persist between calls; pass `package` instead of using in-package.',
  'Look before you change: describe-symbol, find-definition, who-calls, macroexpand-form.',
  EDIT,
  'The reply to a failed call contains the error and its frames. To find the cause, evaluate with hold: true: the code stays at the error, for frame-locals and invoke-restart, while you fix the cause.',
  'Do not start sbcl, ros or a shell for work that the image can do. If something is denied, do not try another way: say what you need and why.',
  'The image loses its definitions when it is restarted. When a change works, save it in its file.',
];

/** Returns the rules for a client with this tool set. The rules for a client with its own file tools tell it to change files with those. */
export function rulesFor(profile: ClientProfile): readonly string[] {
  const own = 'Change files with your own tools, load them with load-file or load-system, then call run-tests.';
  return profile === 'repl' ? RULES.map((rule) => (rule === EDIT ? own : rule)) : RULES;
}
