/** A tool call whose tool is known and whose arguments fit: looked up and checked once, where it comes in. */
import { checkArguments, findTool, nearTools } from './registry.ts';
import type { Tool } from './tool.ts';

export interface CheckedCall {
  readonly id: string;
  readonly tool: Tool;
  readonly args: Record<string, unknown>;
}

/** `tool`: null where there is none of that name. */
export type CallCheck =
  | { readonly ok: true; readonly call: CheckedCall }
  | {
      readonly ok: false;
      readonly tool: Tool | null;
      readonly message: string;
      /** The tools that may be meant, or the parameters of the one that is. */
      readonly data: { readonly tools: readonly string[] } | { readonly parameters: readonly string[] };
    };

/** A call that the program itself makes. @throws when there is no such tool, or the arguments do not fit: the program's own fault. */
export function callOf(id: string, name: string, given: Record<string, unknown>): CheckedCall {
  const checked = checkCall(id, name, given);
  if (!checked.ok) throw new Error(checked.message);
  return checked.call;
}

/** Looks the tool of a call up by its canonical or published name, and checks the arguments against its schema. */
export function checkCall(id: string, name: string, given: unknown): CallCheck {
  const tool = findTool(name);
  if (!tool) return { ok: false, tool: null, message: `Unknown tool: ${name}`, data: { tools: nearTools(name) } };
  const checked = checkArguments(tool, given);
  return checked.ok
    ? { ok: true, call: { id, tool, args: checked.value } }
    : { ok: false, tool, message: checked.message, data: { parameters: Object.keys(tool.input.shape) } };
}
