/** The intended table of tools, written out here and compared with the registry. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { profileFor, toolsOf } from './tool-sets/tool-sets.ts';
import { checkArguments, findTool, nearTools, publishedName, tools } from './registry.ts';
import { inputSchemaOf } from './schema.ts';
import { OF_FILES, REPLACED, STANDARD, UNLISTED } from './tool-sets/standard.ts';
import { levelOf } from './tool.ts';

const s = 'safe';
const c = 'cautious';
const d = 'dangerous';

/**
 * For each tool, its level in an image shared with a person, its level in a client's own image, and whether its results depend on the
 * outside world.
 */
const TABLE: Record<string, [shared: string, own: string, openWorld: boolean]> = {
  // evaluation
  evaluate_lisp: [c, c, true],
  eval_form: [c, c, true],
  compile_form: [c, c, true],
  load_file: [c, c, true],
  time_execution: [c, c, true],
  interrupt_evaluation: [c, c, false],
  // session
  list_definitions: [s, s, false],
  reset_session: [d, c, false],
  checkpoint: [c, c, false],
  rewind: [d, c, false],
  undo_definition: [d, d, false], // cautious if the call affects only the client's own definitions
  get_repl_history: [s, s, false],
  list_sessions: [s, s, false],
  // looking up
  describe_symbol: [s, s, false],
  apropos_search: [s, s, false],
  function_arglist: [s, s, false],
  find_definition: [s, s, false],
  who_calls: [s, s, false],
  who_references: [s, s, false],
  list_package_symbols: [s, s, false],
  class_slots: [s, s, false],
  class_hierarchy: [s, s, false],
  macroexpand_form: [c, c, false], // cautious, because expanding runs the code of macros
  disassemble_function: [s, s, false],
  inspect_object: [s, s, false],
  validate_syntax: [s, s, false],
  // errors
  get_last_error: [s, s, false],
  frame_locals: [s, s, false],
  invoke_restart: [c, c, true], // safe without a restart argument, because the call then only lists the restarts
  eval_in_frame: [c, c, true],
  // systems, tests
  load_system: [c, c, true],
  find_library: [s, s, true],
  install_library: [c, c, true],
  list_systems: [s, s, false],
  run_tests: [c, c, true],
  profile_code: [c, c, true],
  trace_function: [c, c, false],
  // files
  read_file: [s, s, false],
  list_directory: [s, s, false],
  search_files: [s, s, false],
  read_buffer: [s, s, false],
  search_in_buffer: [s, s, false],
  edit_files: [d, d, false],
  rename_symbol: [d, d, false], // safe in a dry run
  write_file: [d, d, false],
  propose_file_edit: [d, d, false],
  edit_definition: [d, d, false],
  move_file: [d, d, false],
  delete_file: [d, d, false],
  // waiting
  await_approval: [s, s, false],
  // tools with which a client calls unlisted tools
  find_tools: [s, s, false],
  call_tool: [c, c, true], // a call has the level of the tool that it calls
};

/** The exact parameters of the eighteen tools. A question mark marks an optional parameter (decision 29). */
const EIGHTEEN: Record<string, string[]> = {
  describe_symbol: ['symbol', 'package?'],
  apropos_search: ['pattern', 'package?'],
  function_arglist: ['function', 'package?'],
  who_calls: ['function', 'package?', 'relation?', 'start?', 'count?'],
  who_references: ['variable', 'package?'],
  list_package_symbols: ['package', 'include_internal?', 'start?', 'count?'],
  class_slots: ['class', 'package?'],
  class_hierarchy: ['class', 'package?'],
  macroexpand_form: ['form', 'full?', 'package?'],
  eval_form: ['form', 'package?', 'timeout?'],
  compile_form: ['form', 'package?', 'timeout?'],
  get_last_error: [],
  get_repl_history: ['limit?'],
  // A call needs only the path; the lines and the outline are for long files.
  read_file: ['path', 'start?', 'count?', 'outline?'],
  read_buffer: ['buffer?', 'start?', 'end?'],
  write_file: ['path', 'content'],
  search_in_buffer: ['pattern', 'buffer?', 'regex?', 'all_matches?'],
  propose_file_edit: ['path', 'original', 'modified', 'description'],
};

interface InputSchema {
  properties: Record<string, { description?: string }>;
  required?: string[];
}

function inputOf(name: string): InputSchema {
  return z.toJSONSchema(findTool(name)!.input, { io: 'input' }) as unknown as InputSchema;
}

function parametersOf(name: string): string[] {
  const { properties, required = [] } = inputOf(name);
  return Object.keys(properties).map((each) => (required.includes(each) ? each : `${each}?`));
}

const names = tools.map(({ name }) => name);

describe('registry', () => {
  it('The registry has every tool of the table and no other [X4]', () => {
    expect(names.toSorted()).toEqual(Object.keys(TABLE).toSorted());
  });

  it('Each tool has its level and says whether its results depend on things outside [X17, decision 21]', () => {
    const actual = tools.map((tool) => [
      tool.name,
      [levelOf(tool, { shared: true }), levelOf(tool, { shared: false }), tool.openWorld],
    ]);
    const expected = names.map((name) => [name, TABLE[name]]);
    expect(actual).toEqual(expected);
  });

  it.each(Object.keys(EIGHTEEN))('The tool %s has exactly its parameters [X40, decision 29]', (name) =>
    expect(parametersOf(name)).toEqual(EIGHTEEN[name]),
  );

  it('The eighteen tools are of three levels [X40]', () => {
    const levels = Object.keys(EIGHTEEN).map((name) => TABLE[name]![0]);
    const count = (level: string) => levels.filter((each) => each === level).length;
    expect([levels.length, count(s), count(c), count(d)]).toEqual([18, 13, 3, 2]);
  });

  it('Tools are named in snake_case and found in both spellings [X1, decision 1]', () => {
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect([findTool(tool.name), findTool(publishedName(tool))]).toEqual([tool, tool]);
    }
    expect(findTool('evaluate_lisp-')).toBeNull();
  });

  it('Parameters are named in one style, but for the one that the contract fixes [E2]', () => {
    const all = names.flatMap((name) => Object.keys(inputOf(name).properties));
    expect(new Set(all.filter((each) => !/^[a-z]+(_[a-z]+)*$/.test(each)))).toEqual(new Set(['capture-time']));
  });

  it.each(names)('The tool %s has a schema of keywords that every client takes', (name) => {
    const words = new Set<string>();
    const collect = (schema: unknown, isProperties = false): void => {
      if (schema === null || typeof schema !== 'object') return;
      for (const [key, value] of Object.entries(schema)) {
        if (!isProperties && !Array.isArray(schema)) words.add(key);
        if (key !== 'default' && key !== 'enum') collect(value, key === 'properties' && !isProperties);
      }
    };
    const schema = inputSchemaOf(findTool(name)!);
    collect(schema);
    const rare = ['$schema', '$ref', 'oneOf', 'allOf', 'propertyNames', 'minimum', 'maximum', 'exclusiveMinimum'];
    expect(rare.filter((each) => words.has(each))).toEqual([]);
    expect(JSON.stringify(schema)).not.toMatch(/9007199254740991|"additionalProperties":\{/);
  });

  it.each(names)('The tool %s is described for a model, and so is each of its parameters', (name) => {
    const { description, title, input } = findTool(name)!;
    expect(description.length).toBeGreaterThan(60);
    expect(description.length).toBeLessThan(310);
    expect(description).toMatch(/\bUse it\b|\b(after|before|if|when)\b/i);
    expect(title.length).toBeLessThan(40);
    const undescribed = Object.entries(inputOf(name).properties).filter(
      ([, { description: text = '' }]) => text.length < 8,
    );
    expect(undescribed).toEqual([]);
    expect(input.safeParse({ no_such_parameter: 1 }).success).toBe(false);
  });

  it('Each tool that can be dangerous draws a card of its own [K3]', () => {
    const dangerous = tools.filter((tool) => levelOf(tool, { shared: true }) === d);
    expect(dangerous.filter(({ card }) => card === undefined)).toEqual([]);
  });

  it('Tools whose text a contract fixes have no data beside it', () => {
    const fixed = ['evaluate_lisp', 'list_definitions', 'reset_session', 'load_system', 'describe_symbol', 'eval_form'];
    expect(fixed.filter((name) => findTool(name)!.output !== undefined)).toEqual([]);
  });
});

describe('parameters', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['evaluate_lisp', { form: '1', captureTime: true }, { code: '1', 'capture-time': true }],
    ['evaluate_lisp', { expression: '1', capture_time: true }, { code: '1', 'capture-time': true }],
    ['compile_form', { code: '1' }, { form: '1' }],
    ['describe_symbol', { name: 'car' }, { symbol: 'car' }],
    ['who_calls', { symbol: 'car' }, { function: 'car' }],
    ['who_references', { symbol: '*x*' }, { variable: '*x*' }],
    ['class_slots', { name: 'c' }, { class: 'c' }],
    ['undo_definition', { 'dry-run': true }, { dry_run: true }],
    ['undo_definition', { dryRun: true, symbol: 'f' }, { dry_run: true, symbol: 'f' }],
    ['await_approval', { approvalId: 'x' }, { approval_id: 'x' }],
    ['await_approval', { handle: 'x' }, { approval_id: 'x' }],
    ['read_file', { file_path: 'a' }, { path: 'a' }],
    ['read_file', { path: 'a', offset: 3, limit: 2 }, { start: 3, count: 2 }],
    [
      'edit_files',
      { edits: [{ file: 'a', old_string: 'b', newString: 'c' }] },
      { edits: [{ path: 'a', old: 'b', new: 'c' }] },
    ],
    ['edit_files', { edits: [{ file_path: 'a', moveTo: 'b' }] }, { edits: [{ path: 'a', move_to: 'b' }] }],
    ['trace_function', { action: 'start', function: 'f' }, { symbol: 'f' }],
  ])(
    'Parameters of %s are understood in either spelling, and by the words that other tools have for them: %j',
    (name, given, meant) => {
      expect(checkArguments(findTool(name)!, given)).toMatchObject({ ok: true, value: meant });
    },
  );

  it.each([
    [{ edits: [] }, 'edits must not be an empty list'],
    [{ edits: [{ old: 'a', new: 'b' }] }, 'edits.0.path is required and must be a string'],
    [{ edits: [{ path: 3 }] }, 'edits.0.path must be a string, not a number'],
    [{ edits: [{ path: 'a', file: 'b' }] }, 'unknown parameter "file" in edits.0 (known: path, definition, '],
  ])('A fault within a list is told as that of any parameter: %j [issue 35.1]', (given, words) => {
    expect(checkArguments(findTool('edit_files')!, given)).toMatchObject({
      ok: false,
      message: expect.stringContaining(`Invalid arguments for edit-files: ${words}`) as unknown,
    });
  });

  it('Parameters that are given twice, or mean nothing, are still faults', () => {
    expect(checkArguments(findTool('evaluate_lisp')!, { code: '1', form: '2' })).toMatchObject({ ok: false });
    expect(checkArguments(findTool('evaluate_lisp')!, { code: '1', colour: '2' })).toMatchObject({ ok: false });
  });
});

describe('tool sets', () => {
  it('Each set is a part of the table: standard about twenty, repl without tools for files, all but what another tool does [issue 35.1]', () => {
    const named = [STANDARD, UNLISTED, OF_FILES].flatMap((each) => [...each]);
    expect(named.filter((name) => !(name in TABLE))).toEqual([]);
    const sets = (['standard', 'all', 'repl'] as const).map((profile) => toolsOf(profile).map(({ name }) => name));
    for (const set of sets) expect(set).toEqual(expect.arrayContaining(['evaluate_lisp', 'find_tools', 'call_tool']));
    const [standard, all, repl] = sets as [string[], string[], string[]];
    expect(standard).toEqual(names.filter((name) => STANDARD.has(name)));
    expect(standard.length).toBeLessThanOrEqual(27);
    expect(all).toEqual(names.filter((name) => !UNLISTED.has(name)));
    expect(repl).toEqual(standard.filter((name) => !/file/.test(name) || name === 'load_file'));
  });

  it.each([
    ['claude-code', 'all'],
    ['qwen-code-mcp-client', 'all'],
    ['codex-mcp-client', 'standard'],
    ['Cursor', 'standard'],
    [undefined, 'standard'],
  ])('A client that says it is %s is told of: %s', (name, profile) => {
    expect(profileFor('standard', name)).toBe(profile);
    expect(profileFor('all', name)).toBe('all');
    expect(profileFor('repl', name)).toBe('repl');
  });

  it.each(Object.entries(REPLACED))(
    'The tool %s of earlier versions is unknown, with %s as its near name [issue 35.1]',
    (old, name) => {
      expect([findTool(old), nearTools(old)]).toEqual([null, [publishedName(findTool(name)!)]]);
    },
  );
});
