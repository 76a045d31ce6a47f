/** Example calls of each tool for the tool reference, in the order in which they are made. Later calls depend on earlier ones. */

/**
 * Placeholders in arguments. They stand for values from earlier answers: the number of the checkpoint, the handle, and the number of
 * SHARE's frame.
 */
export const CHECKPOINT = 'CHECKPOINT';
export const HANDLE = 'HANDLE';
export const FRAME = 'FRAME';

export interface ToolExample {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Calls that are made before the example and are not shown. */
  readonly before?: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];
  /** True if the call needs an approval, which the person gives. */
  readonly approved?: boolean;
  /** True if the client waits only a moment for the answers to the calls in `before`. */
  readonly hasty?: boolean;
  /** True if the call fails. */
  readonly fails?: boolean;
  /** How many lines of the answer to show. The other lines depend on the machine, or are repetitive. */
  readonly lines?: number;
}

const IN_TOUR = { package: 'lisp-tour' };

const AVERAGE = `(defun average-price (basket)
  "Return what a ware of BASKET costs on average; 0 when there is none in it."
  (if (null basket) 0 (/ (basket-total basket) (length basket))))`;

const SHARE = `(defun share (people)
  (declare (optimize (debug 3)))
  (let ((part (/ (basket-total *basket*) people)))
    (list part :each)))`;

export const EXAMPLES: readonly ToolExample[] = [
  { tool: 'list_directory', arguments: { depth: 2 } },
  { tool: 'read_file', arguments: { path: 'src/basket.lisp', start: 26, count: 4 } },
  { tool: 'search_files', arguments: { pattern: 'average-price' } },
  { tool: 'read_buffer', arguments: { buffer: 'try.lisp' } },
  { tool: 'search_in_buffer', arguments: { buffer: 'try.lisp', pattern: 'basket', all_matches: true } },
  { tool: 'list_systems', arguments: { system: 'lisp-tour' } },
  { tool: 'load_system', arguments: { system: 'lisp-tour' }, lines: 8 },
  { tool: 'find_library', arguments: { query: 'salad' } },
  { tool: 'install_library', arguments: { name: 'lettuce', dry_run: true } },
  { tool: 'evaluate_lisp', arguments: { code: '(format t "Three wares.~%")\n(basket-total *basket*)', ...IN_TOUR } },
  { tool: 'eval_form', arguments: { form: '(floor 17 5)' } },
  { tool: 'compile_form', arguments: { form: '(defun twice (x) (* 2 y))', ...IN_TOUR } },
  { tool: 'undo_definition', arguments: { symbol: 'twice' } },
  {
    tool: 'get_last_error',
    before: [
      ['evaluate_lisp', { code: SHARE, ...IN_TOUR }],
      ['evaluate_lisp', { code: '(share 0)', ...IN_TOUR }],
    ],
    arguments: {},
    lines: 8,
  },
  { tool: 'invoke_restart', arguments: { restart: 'RETRY' } },
  { tool: 'frame_locals', arguments: { frame: FRAME } },
  { tool: 'eval_in_frame', arguments: { frame: FRAME, code: '(max people 1)' } },
  {
    tool: 'edit_definition',
    arguments: {
      path: 'src/basket.lisp',
      definition: 'defun average-price',
      text: AVERAGE,
      description: 'An empty basket has an average too.',
    },
    approved: true,
  },
  { tool: 'load_file', arguments: { path: 'src/basket.lisp' } },
  { tool: 'run_tests', arguments: { system: 'lisp-tour/tests' } },
  {
    tool: 'propose_file_edit',
    arguments: {
      path: 'try.lisp',
      original: "(average-price '())",
      modified: '(average-price (rest *basket*))',
      description: 'Try a basket that is not empty.',
    },
    approved: true,
  },
  {
    tool: 'edit_files',
    arguments: {
      edits: [
        { path: 'todo.txt', content: 'Test the prices.\n' },
        { path: 'todo.txt', old: 'prices', new: 'totals' },
      ],
    },
    approved: true,
  },
  { tool: 'rename_symbol', arguments: { symbol: 'basket-total', new_name: 'basket-sum', dry_run: true, ...IN_TOUR } },
  { tool: 'write_file', arguments: { path: 'notes.txt', content: 'An empty basket costs nothing.\n' }, approved: true },
  { tool: 'move_file', arguments: { path: 'notes.txt', to: 'doc/notes.txt' }, approved: true },
  { tool: 'delete_file', arguments: { path: 'doc/notes.txt' }, approved: true },
  { tool: 'list_definitions', arguments: IN_TOUR },
  { tool: 'describe_symbol', arguments: { symbol: 'ware', ...IN_TOUR } },
  { tool: 'apropos_search', arguments: { pattern: 'price', ...IN_TOUR } },
  { tool: 'function_arglist', arguments: { function: 'make-ware', ...IN_TOUR } },
  { tool: 'find_definition', arguments: { symbol: 'basket-total', ...IN_TOUR } },
  { tool: 'who_calls', arguments: { function: 'basket-total', ...IN_TOUR } },
  { tool: 'who_references', arguments: { variable: '*basket*', ...IN_TOUR } },
  { tool: 'list_package_symbols', arguments: IN_TOUR },
  { tool: 'class_slots', arguments: { class: 'ware', ...IN_TOUR } },
  { tool: 'class_hierarchy', arguments: { class: 'ware', ...IN_TOUR } },
  { tool: 'macroexpand_form', arguments: { form: '(when *basket* (basket-total *basket*))', ...IN_TOUR } },
  { tool: 'disassemble_function', arguments: { symbol: 'basket-total', ...IN_TOUR }, lines: 2 },
  { tool: 'inspect_object', arguments: { expression: '*basket*', ...IN_TOUR } },
  { tool: 'validate_syntax', arguments: { code: '(defun total (x)\n  (+ x 1)' } },
  { tool: 'time_execution', arguments: { code: '(basket-total *basket*)', runs: 2, ...IN_TOUR } },
  {
    tool: 'profile_code',
    arguments: { code: '(loop repeat 3000000 sum (basket-total *basket*))', ...IN_TOUR },
    lines: 4,
  },
  {
    tool: 'trace_function',
    before: [
      ['trace_function', { action: 'start', symbol: 'basket-total', ...IN_TOUR }],
      ['evaluate_lisp', { code: '(average-price *basket*)', ...IN_TOUR }],
    ],
    arguments: { action: 'report' },
  },
  { tool: 'list_sessions', arguments: {} },
  { tool: 'get_repl_history', arguments: { limit: 2 } },
  {
    tool: 'interrupt_evaluation',
    before: [['evaluate_lisp', { code: '(loop)' }]],
    hasty: true,
    arguments: {},
  },
  { tool: 'await_approval', arguments: { approval_id: HANDLE }, fails: true },
  {
    tool: 'checkpoint',
    before: [['invoke_restart', { restart: 'ABORT' }]], // an error that still waits in the debugger would prevent the checkpoint
    arguments: { label: 'before the new prices' },
  },
  { tool: 'rewind', arguments: { id: CHECKPOINT } },
  { tool: 'reset_session', arguments: {} },
  { tool: 'find_tools', arguments: { words: 'class slots' }, lines: 12 },
  { tool: 'call_tool', arguments: { name: 'validate-syntax', arguments: { code: '(+ 1 2)' } } },
];

/** The tools by purpose, in the order of the reference. */
export const FAMILIES: readonly (readonly [title: string, tools: readonly string[]])[] = [
  [
    'evaluating',
    [
      'evaluate_lisp',
      'eval_form',
      'compile_form',
      'load_file',
      'interrupt_evaluation',
      'time_execution',
      'profile_code',
      'trace_function',
    ],
  ],
  ['errors', ['get_last_error', 'invoke_restart', 'frame_locals', 'eval_in_frame']],
  [
    'the image',
    [
      'list_definitions',
      'reset_session',
      'checkpoint',
      'rewind',
      'undo_definition',
      'get_repl_history',
      'list_sessions',
    ],
  ],
  [
    'looking up',
    [
      'describe_symbol',
      'apropos_search',
      'function_arglist',
      'find_definition',
      'who_calls',
      'who_references',
      'list_package_symbols',
      'class_slots',
      'class_hierarchy',
      'macroexpand_form',
      'disassemble_function',
      'inspect_object',
      'validate_syntax',
    ],
  ],
  ['systems', ['load_system', 'find_library', 'install_library', 'list_systems', 'run_tests']],
  [
    'files',
    [
      'read_file',
      'list_directory',
      'search_files',
      'read_buffer',
      'search_in_buffer',
      'edit_files',
      'rename_symbol',
      'write_file',
      'propose_file_edit',
      'edit_definition',
      'move_file',
      'delete_file',
    ],
  ],
  ['waiting', ['await_approval']],
  ['further tools', ['find_tools', 'call_tool']],
];
