/** Reads the names of the tools that a program offers its model from the program's requests, in the formats of four vendors. Pure. */
import { z } from 'zod';
import { textOf } from '../recipes/reported-fields.ts';

const request = z.object({ tools: z.array(z.record(z.string(), z.unknown())) });

/** Returns the names of all tools in a request; null if the request offers none, or is not JSON. */
export function offeredTools(body: string): string[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return null;
  }
  const read = request.safeParse(parsed);
  if (!read.success) return null;
  const names = read.data.tools.flatMap(namesOf);
  return names.length === 0 ? null : names;
}

/**
 * Returns the names in one entry of a list of tools: a named tool or function, a namespace, a list of declarations, or a kind of tool that
 * the vendor runs itself.
 */
function namesOf(each: Record<string, unknown>): string[] {
  const { name, type, tools, functionDeclarations } = each;
  const inner = each['function'] as { name?: unknown } | undefined;
  if (type === 'namespace' && Array.isArray(tools))
    return tools.flatMap(namesOf).map((inside) => `${textOf(name) ?? type}::${inside}`);
  if (Array.isArray(functionDeclarations)) return functionDeclarations.flatMap(namesOf);
  const own = textOf(inner?.name) ?? textOf(name) ?? textOf(type) ?? Object.keys(each)[0];
  return own === undefined ? [] : [own];
}
