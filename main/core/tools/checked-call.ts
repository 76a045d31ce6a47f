/** A call of a known tool with valid arguments. The tool is looked up and the arguments are checked once, on arrival. */
import { checkArguments, findTool, nearTools } from './registry.ts';
import type { Tool } from './tool.ts';

export interface CheckedCall {
  readonly id: string;
  readonly tool: Tool;
  readonly args: Record<string, unknown>;
}

/** `tool` is null if no tool has that name. */
export type CallCheck =
  | { readonly ok: true; readonly call: CheckedCall }
  | {
      readonly ok: false;
      readonly tool: Tool | null;
      readonly message: string;
      /** The names of similar tools, or the parameters of the found tool. */
      readonly data: { readonly tools: readonly string[] } | { readonly parameters: readonly string[] };
    };

/**
 * Returns a call that the program itself makes. @throws if there is no such tool, or if the arguments do not fit, both of which are faults
 * of the program.
 */
export function callOf(id: string, name: string, given: Record<string, unknown>): CheckedCall {
  const checked = checkCall(id, name, given);
  if (!checked.ok) throw new Error(checked.message);
  return checked.call;
}

/** Looks up the tool of a call by its canonical or published name, and checks the arguments against its schema. */
export function checkCall(id: string, name: string, given: unknown): CallCheck {
  const tool = findTool(name);
  if (!tool) return { ok: false, tool: null, message: `Unknown tool: ${name}`, data: { tools: nearTools(name) } };
  const checked = checkArguments(tool, given);
  return checked.ok
    ? { ok: true, call: { id, tool, args: checked.value } }
    : { ok: false, tool, message: checked.message, data: { parameters: Object.keys(tool.input.shape) } };
}
