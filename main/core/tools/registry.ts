/** All tools, by name. The order is the order in which clients see them. */
import { z } from 'zod';
import { awaitApproval } from './await-approval.ts';
import { checkpoint, rewind } from './checkpoints.ts';
import { classHierarchy, classSlots, genericFunctionMethods } from './classes.ts';
import { compileForm, loadFile } from './compiling.ts';
import { evalInFrame, frameLocals, invokeRestart, listRestarts } from './debugging.ts';
import { listDefinitions, resetSession } from './definitions.ts';
import { describeSymbol } from './describe-symbol.ts';
import { evalForm, evaluateLisp } from './evaluate-lisp.ts';
import { editDefinition, proposeFileEdit } from './file-edits.ts';
import { listDirectory, readBuffer, searchFiles, searchInBuffer } from './file-looking.ts';
import { deleteFile, moveFile } from './file-moves.ts';
import { readFile, writeFile } from './files.ts';
import { disassembleFunction, macroexpandForm, validateSyntax } from './forms.ts';
import { inspectObject } from './inspecting.ts';
import { getLastError } from './last-error.ts';
import {
  aproposSearch,
  crossReferences,
  findDefinition,
  functionArglist,
  listPackageSymbols,
  whoCalls,
  whoReferences,
} from './looking-up.ts';
import { listThreads, memoryReport, profileCode, timeExecution } from './running.ts';
import { getReplHistory, interruptEvaluation, listSessions } from './sessions.ts';
import { describeSystem, listSystems, loadSystem, runTests } from './systems.ts';
import { traceFunction } from './trace-function.ts';
import { undoDefinition } from './undo-definition.ts';
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
  listSystems,
  describeSystem,
  runTests,
  timeExecution,
  profileCode,
  traceFunction,
  memoryReport,
  listThreads,
  checkpoint,
  rewind,
  undoDefinition,
  describeSymbol,
  aproposSearch,
  functionArglist,
  findDefinition,
  whoCalls,
  whoReferences,
  crossReferences,
  listPackageSymbols,
  classSlots,
  classHierarchy,
  genericFunctionMethods,
  macroexpandForm,
  disassembleFunction,
  inspectObject,
  validateSyntax,
  getLastError,
  listRestarts,
  frameLocals,
  invokeRestart,
  evalInFrame,
  readFile,
  listDirectory,
  searchFiles,
  readBuffer,
  searchInBuffer,
  writeFile,
  proposeFileEdit,
  editDefinition,
  moveFile,
  deleteFile,
  awaitApproval,
];

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** A tool by its canonical name or in the spelling that MCP publishes (decision 1). */
export function findTool(name: string): Tool | null {
  return byName.get(name) ?? (name.includes('_') ? null : (byName.get(name.replaceAll('-', '_')) ?? null));
}

/** `evaluate_lisp` as MCP publishes it: `evaluate-lisp`. */
export function publishedName(tool: Tool): string {
  return tool.name.replaceAll('_', '-');
}

export type Checked = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

/** Checks arguments against a tool's schema; the message names each parameter and what was expected. */
export function checkArguments(tool: Tool, given: unknown): Checked {
  const parsed = tool.input.safeParse(given);
  if (parsed.success) return { ok: true, value: parsed.data };
  const known = Object.keys(tool.input.shape);
  const faults = parsed.error.issues.map((issue) => faultOf(issue, given, known));
  return { ok: false, message: `Invalid arguments for ${publishedName(tool)}: ${faults.join('; ')}` };
}

function faultOf(issue: z.core.$ZodIssue, given: unknown, known: readonly string[]): string {
  if (issue.code === 'unrecognized_keys') {
    return `unknown parameter ${issue.keys.map((key) => JSON.stringify(key)).join(', ')} (known: ${known.length > 0 ? known.join(', ') : 'none'})`;
  }
  const name = issue.path.join('.');
  if (issue.code === 'invalid_type' && issue.path.length === 1) {
    const value = (given as Record<string, unknown> | null)?.[String(issue.path[0])];
    return value === undefined
      ? `${name} is required and must be ${articled(issue.expected)}`
      : `${name} must be ${articled(issue.expected)}, not ${kindOf(value)}`;
  }
  if (issue.code === 'invalid_value') return `${name} must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_small')
    return issue.origin === 'string' ? `${name} must not be empty` : `${name} must be at least ${issue.minimum}`;
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

/** "a string", "an array"; a whole number has another name in the schema. */
function articled(kind: string): string {
  if (kind === 'int') return 'a whole number';
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
