/** The table of tools as it was designed, written out once and held against the registry. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { STANDARD, toolsOf } from './profile.ts';
import { findTool, publishedName, tools } from './registry.ts';
import { levelOf } from './tool.ts';

const s = 'safe';
const c = 'cautious';
const d = 'dangerous';

/** Level in an image that a person shares, level in one of the client's own, and whether results depend on things outside. */
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
  undo_definition: [d, d, false], // cautious in a call that touches the client's own definitions alone
  get_repl_history: [s, s, false],
  list_sessions: [s, s, false],
  // looking up
  describe_symbol: [s, s, false],
  apropos_search: [s, s, false],
  function_arglist: [s, s, false],
  find_definition: [s, s, false],
  who_calls: [s, s, false],
  who_references: [s, s, false],
  cross_references: [s, s, false],
  list_package_symbols: [s, s, false],
  class_slots: [s, s, false],
  class_hierarchy: [s, s, false],
  generic_function_methods: [s, s, false],
  macroexpand_form: [s, s, false],
  disassemble_function: [s, s, false],
  inspect_object: [s, s, false],
  validate_syntax: [s, s, false],
  // errors
  get_last_error: [s, s, false],
  list_restarts: [s, s, false],
  frame_locals: [s, s, false],
  invoke_restart: [c, c, true],
  eval_in_frame: [c, c, true],
  // systems, tests
  load_system: [c, c, true],
  list_systems: [s, s, false],
  describe_system: [s, s, false],
  run_tests: [c, c, true],
  profile_code: [c, c, true],
  trace_function: [c, c, false],
  memory_report: [s, s, false],
  list_threads: [s, s, false],
  // files
  read_file: [s, s, false],
  list_directory: [s, s, false],
  search_files: [s, s, false],
  read_buffer: [s, s, false],
  search_in_buffer: [s, s, false],
  write_file: [d, d, false],
  propose_file_edit: [d, d, false],
  edit_definition: [d, d, false],
  move_file: [d, d, false],
  delete_file: [d, d, false],
  // waiting
  await_approval: [s, s, false],
};

/** REQUIREMENTS decision 29: exactly these, a question mark after those that may be left out. */
const EIGHTEEN: Record<string, string[]> = {
  describe_symbol: ['symbol', 'package?'],
  apropos_search: ['pattern', 'package?'],
  function_arglist: ['function', 'package?'],
  who_calls: ['function', 'package?'],
  who_references: ['variable', 'package?'],
  list_package_symbols: ['package', 'include_internal?'],
  class_slots: ['class', 'package?'],
  class_hierarchy: ['class', 'package?'],
  macroexpand_form: ['form', 'full?', 'package?'],
  eval_form: ['form', 'package?'],
  compile_form: ['form', 'package?'],
  get_last_error: [],
  get_repl_history: ['limit?'],
  read_file: ['path'],
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

describe('the registry', () => {
  it('X4 has every tool of the table and no other', () => {
    expect(names.toSorted()).toEqual(Object.keys(TABLE).toSorted());
  });

  it('X17 decision 21 gives each its level and says whose results depend on things outside', () => {
    const actual = tools.map((tool) => [
      tool.name,
      [levelOf(tool, { shared: true }), levelOf(tool, { shared: false }), tool.openWorld],
    ]);
    const expected = names.map((name) => [name, TABLE[name]]);
    expect(actual).toEqual(expected);
  });

  it.each(Object.keys(EIGHTEEN))('X40 decision 29 %s has exactly its parameters', (name) =>
    expect(parametersOf(name)).toEqual(EIGHTEEN[name]),
  );

  it('X40 the eighteen are of three levels', () => {
    const levels = Object.keys(EIGHTEEN).map((name) => TABLE[name]![0]);
    const count = (level: string) => levels.filter((each) => each === level).length;
    expect([levels.length, count(s), count(c), count(d)]).toEqual([18, 14, 2, 2]);
  });

  it('X1 decision 1 names them in snake_case, and finds them in both spellings', () => {
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z][a-z0-9_]*$/);
      expect([findTool(tool.name), findTool(publishedName(tool))]).toEqual([tool, tool]);
    }
    expect(findTool('evaluate_lisp-')).toBeNull();
  });

  it.each(names)('%s is described for a model, and so is each of its parameters', (name) => {
    const { description, title, input } = findTool(name)!;
    expect(description.length).toBeGreaterThan(60);
    expect(description.length).toBeLessThan(450);
    expect(description).toMatch(/\bUse it\b|\b(after|before|if|when)\b/i);
    expect(title.length).toBeLessThan(40);
    const undescribed = Object.entries(inputOf(name).properties).filter(
      ([, { description: text = '' }]) => text.length < 8,
    );
    expect(undescribed).toEqual([]);
    expect(input.safeParse({ no_such_parameter: 1 }).success).toBe(false);
  });

  it('K3 what can be dangerous draws a card of its own', () => {
    const dangerous = tools.filter((tool) => levelOf(tool, { shared: true }) === d);
    expect(dangerous.filter(({ card }) => card === undefined)).toEqual([]);
  });

  it('tools whose text a contract fixes have no data beside it', () => {
    const fixed = ['evaluate_lisp', 'list_definitions', 'reset_session', 'load_system', 'describe_symbol', 'eval_form'];
    expect(fixed.filter((name) => findTool(name)!.output !== undefined)).toEqual([]);
  });
});

describe('profiles', () => {
  it('standard is a part of the table of about twenty, all is everything', () => {
    expect([...STANDARD].filter((name) => !(name in TABLE))).toEqual([]);
    expect(STANDARD.size).toBeGreaterThanOrEqual(18);
    expect(STANDARD.size).toBeLessThanOrEqual(25);
    expect(toolsOf('standard').map(({ name }) => name)).toEqual(names.filter((name) => STANDARD.has(name)));
    expect(toolsOf('all')).toBe(tools);
  });
});
