/** The tools that clients see. Clients find all other tools with `find_tools` and call them with `call_tool`. */

/** The tools that most work needs. The set is small, because a model chooses better from a few tools. */
export const STANDARD: ReadonlySet<string> = new Set([
  'evaluate_lisp',
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
  'frame_locals',
  'eval_in_frame',
  'invoke_restart',
  'load_system',
  'run_tests',
  'read_file',
  'search_files',
  'edit_files',
  'rename_symbol',
  'await_approval',
  'find_tools',
  'call_tool',
]);

/** Tools that do the same as another tool. They are in no tool list, because a model that sees both chooses worse. */
export const UNLISTED: ReadonlySet<string> = new Set([
  'eval_form', // evaluate_lisp
  'function_arglist', // describe_symbol
  'class_slots',
  'class_hierarchy',
  'who_references', // who_calls
  'get_last_error', // not needed, because the failed answer itself has the error
  'validate_syntax', // not needed, because each edit and evaluation checks the syntax
  'read_buffer', // read_file
  'search_in_buffer', // search_files
  'propose_file_edit', // edit_files
  'edit_definition',
  'move_file',
  'delete_file',
]);

/** The tools of the standard set that a client does not need if it has its own file tools. */
export const OF_FILES: ReadonlySet<string> = new Set(['read_file', 'search_files', 'edit_files']);

/** Tools of earlier versions, each with the tool that replaces it. */
export const REPLACED: Readonly<Record<string, string>> = {
  cross_references: 'who_calls',
  generic_function_methods: 'describe_symbol',
  list_restarts: 'invoke_restart',
  describe_system: 'list_systems',
  list_threads: 'list_sessions',
  memory_report: 'list_sessions',
};
