/** All tools, by name, in the order in which clients see them. */
import { z } from 'zod';
import { isPlain, readLisp, readValues } from './argument-values.ts';
import { awaitApproval } from './executor/await-approval.ts';
import { checkpoint, rewind } from './image/checkpoints.ts';
import { classHierarchy, classSlots } from './lookup/classes.ts';
import { compileForm, loadFile } from './evaluation/compiling.ts';
import { evalInFrame, frameLocals, invokeRestart } from './debugging/debugging.ts';
import { listDefinitions, resetSession } from './definitions/definitions.ts';
import { describeSymbol } from './lookup/describe-symbol.ts';
import { evalForm, evaluateLisp } from './evaluation/evaluate-lisp.ts';
import { editFiles } from './files/edit-files.ts';
import { deleteFile, editDefinition, moveFile, proposeFileEdit, writeFile } from './files/edits.ts';
import { listDirectory, readBuffer, searchFiles, searchInBuffer } from './files/list-and-search.ts';
import { readFile } from './files/read-file.ts';
import { renameSymbol } from './files/definitions/rename-symbol.ts';
import { disassembleFunction, macroexpandForm, validateSyntax } from './lookup/forms.ts';
import { inspectObject } from './lookup/inspect-object.ts';
import { getLastError } from './debugging/last-error.ts';
import {
  aproposSearch,
  findDefinition,
  functionArglist,
  listPackageSymbols,
  whoCalls,
  whoReferences,
} from './lookup/lookup.ts';
import { profileCode, timeExecution } from './image/profiling.ts';
import { getReplHistory, interruptEvaluation, listSessions } from './image/sessions.ts';
import { REPLACED } from './tool-sets/standard.ts';
import { findLibrary, installLibrary } from './systems/libraries.ts';
import { runTests } from './systems/run-tests.ts';
import { listSystems, loadSystem } from './systems/systems.ts';
import { traceFunction } from './debugging/trace-function.ts';
import { undoDefinition } from './definitions/undo-definition.ts';
import { callTool, makeFindTools, published } from './tool-sets/tool-search.ts';
import { nearest } from '#core/base/suggestions.ts';
import type { Tool } from './tool.ts';

export const tools: readonly Tool[] = [
  evaluateLisp,
  evalForm,
  compileForm,
  loadFile,
  interruptEvaluation,
  getReplHistory,
  listSessions,
  listDefinitions,
  resetSession,
  loadSystem,
  findLibrary,
  installLibrary,
  listSystems,
  runTests,
  timeExecution,
  profileCode,
  traceFunction,
  checkpoint,
  rewind,
  undoDefinition,
  describeSymbol,
  aproposSearch,
  functionArglist,
  findDefinition,
  whoCalls,
  whoReferences,
  listPackageSymbols,
  classSlots,
  classHierarchy,
  macroexpandForm,
  disassembleFunction,
  inspectObject,
  validateSyntax,
  getLastError,
  frameLocals,
  invokeRestart,
  evalInFrame,
  readFile,
  listDirectory,
  searchFiles,
  readBuffer,
  searchInBuffer,
  editFiles,
  renameSymbol,
  writeFile,
  proposeFileEdit,
  editDefinition,
  moveFile,
  deleteFile,
  awaitApproval,
  makeFindTools(() => tools),
  callTool,
];

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** Returns a tool by its canonical name or by the name that MCP publishes (decision 1). */
export function findTool(name: string): Tool | null {
  return byName.get(name) ?? (name.includes('_') ? null : (byName.get(name.replaceAll('-', '_')) ?? null));
}

/** Returns the name that MCP publishes: `evaluate-lisp` for `evaluate_lisp`. */
export const publishedName: (tool: Tool) => string = published;

/**
 * Returns the published name of a tool. `name` may be any of the tool's names, for example one that an earlier version stored. Returns an
 * unknown name unchanged.
 */
export function publishedNameOf(name: string): string {
  const tool = findTool(name);
  return tool ? publishedName(tool) : name;
}

/**
 * Returns a tool by its own name, or by the name that a client gives it among the tools of other servers, such as
 * `mcp__lisp-workbench__read-file`.
 */
export function findToolAsNamed(name: string): Tool | null {
  const bare = name.trim().replace(/^(?:mcp_+)?lisp[-_]workbench[-_:./]+/i, '');
  return findTool(name) ?? findTool(bare) ?? findTool(bare.toLowerCase().replaceAll('-', '_'));
}

/** Returns the published names of the tools that were probably meant by an unknown name, best first. */
export function nearTools(name: string): string[] {
  const bare = name.replaceAll('_', '-').replace(/^.*-lisp-workbench-+/, '');
  const successor = REPLACED[bare.toLowerCase().replaceAll('-', '_')];
  return successor === undefined ? nearest(bare, tools.map(publishedName)) : [successor.replaceAll('_', '-')];
}

/** Returns the answer to a call of an unknown tool, with similar names. */
export function noSuchTool(name: string): string {
  const near = nearTools(name);
  return `Unknown tool: ${name}.${near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ' find-tools lists the tools.'}`;
}

export type Checked = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

/** Checks arguments against a tool's schema. The message names each faulty parameter and the expected value. */
export function checkArguments(tool: Tool, asGiven: unknown): Checked {
  if (isPlain(asGiven)) {
    const plain = tool.input.safeParse(asGiven);
    if (plain.success) return { ok: true, value: plain.data };
  }
  const given = readValues(tool.input.shape, readLisp(inSpellingOf(tool.input, asGiven)));
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues.map((issue) => faultOf(issue, given, tool.input));
  return { ok: false, message: `Invalid arguments for ${publishedName(tool)}: ${faults.join('; ')}` };
}

/** Synonyms for parameter names. A tool has at most one name from each list. */
const SAME: readonly (readonly string[])[] = [
  ['symbol', 'function', 'name', 'class', 'variable'],
  ['code', 'form', 'expression', 'expr', 'source'],
  ['path', 'file', 'filename', 'file_path'],
  ['approval_id', 'handle', 'id'],
  ['name', 'tool'],
  ['arguments', 'args', 'parameters'],
  ['words', 'query'],
  ['start', 'offset', 'from_line'],
  ['count', 'limit'],
  ['old', 'old_string', 'old_text', 'original'],
  ['new', 'new_string', 'new_text', 'modified'],
];

/**
 * Renames parameters to the tool's own names. Kebab-case, snake_case and camelCase are treated as equal, and synonyms are accepted. Also
 * renames fields in lists of objects, such as edits.
 */
function inSpellingOf(schema: z.ZodType, given: unknown): unknown {
  const part = within(schema);
  if (part instanceof z.ZodArray && Array.isArray(given))
    return given.map((each) => inSpellingOf(part.element as z.ZodType, each));
  if (!(part instanceof z.ZodObject) || given === null || typeof given !== 'object' || Array.isArray(given))
    return given;
  const { shape } = part;
  const known = Object.keys(shape);
  const entries = Object.entries(given);
  const taken = new Set(entries.map(([name]) => name));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (known.includes(name)) return [name, inSpellingOf(shape[name] as z.ZodType, value)];
      const meant = known.find((each) => snake(each) === snake(name)) ?? nearWord(snake(name), known);
      if (meant === undefined || taken.has(meant)) return [name, value];
      taken.add(meant);
      return [meant, inSpellingOf(shape[meant] as z.ZodType, value)];
    }),
  );
}

/** Returns the schema inside its optional wrappers. */
function within(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? within(schema.unwrap() as z.ZodType)
    : schema;
}

/** Returns the schema and the value at a path. */
function at(path: readonly PropertyKey[], schema: z.ZodType, given: unknown): { schema: z.ZodType; value: unknown } {
  return path.reduce<{ schema: z.ZodType; value: unknown }>(
    (found, key) => {
      const part = within(found.schema);
      const inner =
        part instanceof z.ZodArray ? part.element : part instanceof z.ZodObject ? part.shape[String(key)] : null;
      const value = (found.value as Record<PropertyKey, unknown> | null | undefined)?.[key];
      return { schema: (inner ?? z.unknown()) as z.ZodType, value };
    },
    { schema, value: given },
  );
}

function nearWord(name: string, known: readonly string[]): string | undefined {
  const group = SAME.find((each) => each.includes(name)) ?? [];
  const meant = known.filter((each) => group.includes(snake(each)));
  return meant.length === 1 ? meant[0] : undefined;
}

function snake(name: string): string {
  return name
    .replaceAll('-', '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
}

function faultOf(issue: z.core.$ZodIssue, given: unknown, input: z.ZodType): string {
  const name = issue.path.join('.');
  const { schema, value } = at(issue.path, input, given);
  if (issue.code === 'unrecognized_keys') {
    const part = within(schema);
    const known = part instanceof z.ZodObject ? Object.keys(part.shape) : [];
    const where = name === '' ? '' : ` in ${name}`;
    return `unknown parameter ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}${where} (known: ${known.length > 0 ? known.join(', ') : 'none'})`;
  }
  if (issue.code === 'invalid_type' && name !== '')
    return value === undefined
      ? `${name} is required and must be ${articled(issue.expected)}`
      : `${name} must be ${articled(issue.expected)}, not ${kindOf(value)}`;
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small' && issue.origin === 'array') return `${name} must not be an empty list`;
  if (issue.code === 'too_small')
    return issue.origin === 'string' ? `${name} must not be empty` : `${name} must be at least ${issue.minimum}`;
  if (issue.code === 'too_big' && issue.origin === 'array')
    return `${name} must have at most ${issue.maximum} elements`;
  if (issue.code === 'too_big')
    return issue.origin === 'string'
      ? `${name} must have at most ${issue.maximum} characters`
      : `${name} must be at most ${issue.maximum}`;
  return name === '' ? issue.message : `${name}: ${issue.message}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return articled(Array.isArray(value) ? 'array' : typeof value);
}

/**
 * Returns a kind with its article, such as "a string" or "an array". The names for a whole number and an object differ from those in the
 * schema.
 */
function articled(kind: string): string {
  if (kind === 'int') return 'a whole number';
  if (kind === 'record') return 'an object';
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
