/** Which tools a client is told of. All of them answer when they are called. */
import type { ClientProfile } from '#contract/client.ts';
import { tools } from './registry.ts';
import type { Tool } from './tool.ts';

/** What most work needs: a model chooses better among few. */
export const STANDARD: ReadonlySet<string> = new Set([
  'evaluate_lisp',
  'compile_form',
  'load_file',
  'interrupt_evaluation',
  'list_definitions',
  'reset_session',
  'undo_definition',
  'describe_symbol',
  'apropos_search',
  'find_definition',
  'who_calls',
  'macroexpand_form',
  'inspect_object',
  'list_restarts',
  'frame_locals',
  'invoke_restart',
  'load_system',
  'run_tests',
  'read_file',
  'list_directory',
  'search_files',
  'write_file',
  'propose_file_edit',
  'edit_definition',
  'await_approval',
]);

/** The tools that a client of this profile sees, in the order of the registry. */
export function toolsOf(profile: ClientProfile): readonly Tool[] {
  return profile === 'all' ? tools : tools.filter(({ name }) => STANDARD.has(name));
}
