/**
 * Data in addition to the text of an answer, for programs that request it in each call. Models get only the text, because some clients show
 * a model only the data if there is any. The data has no nulls, and column numbers start at 1, as in the text.
 */
import { z } from 'zod';
import type { SafetyLevel, ToolResult } from '#contract/clients/tool.ts';
import { levelOf, type Tool } from '#core/tools/tool.ts';

/** The key in a request's `_meta` that requests the data, with the value true. */
const DATA = 'lisp-workbench/data';

export function wantsData(meta: Readonly<Record<string, unknown>> | undefined): boolean {
  return meta?.[DATA] === true;
}

const waitingForApproval = z.object({
  status: z.enum(['pending_approval', 'running']),
  approval_id: z.string(),
  message: z.string(),
});

/** Returns the data of an answer, or data which says that the call is waiting; undefined if the tool has no data. */
export function dataOf(tool: Tool, { content, structured, metadata }: ToolResult): Record<string, unknown> | undefined {
  if (!tool.output) return undefined;
  if (metadata.approval_id !== undefined)
    return { status: metadata.status, approval_id: metadata.approval_id, message: content };
  return structured && (portable(structured) as Record<string, unknown>);
}

/** Returns the shape of the data that `dataOf` returns, including the data of a call that is waiting for a person. */
export function outputSchemaOf(tool: Tool): { type: 'object' } | undefined {
  if (!tool.output) return undefined;
  const level: SafetyLevel = levelOf(tool, { shared: true });
  const done = withoutNulls(z.toJSONSchema(tool.output, { io: 'output' })) as Record<string, unknown>;
  delete done['$schema'];
  if (level === 'safe') return { ...done, type: 'object' };
  const { $schema: _dialect, ...waits } = z.toJSONSchema(waitingForApproval, { io: 'output' });
  return { type: 'object', anyOf: [done, waits] } as { type: 'object' };
}

function portable(value: unknown, key = ''): unknown {
  if (key === 'column' && typeof value === 'number') return value + 1;
  if (Array.isArray(value)) return value.map((each) => portable(each));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, portable(each, name)]));
}

/**
 * Returns a schema in which each value that could be null may be omitted instead, because several clients refuse schemas with alternative
 * types.
 */
function withoutNulls(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNulls);
  if (schema === null || typeof schema !== 'object') return schema;
  const { required, properties, anyOf, ...rest } = schema as {
    required?: string[];
    properties?: Record<string, unknown>;
    anyOf?: unknown[];
  };
  const made: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(rest)) made[key] = withoutNulls(each);
  if (anyOf) {
    const kept = anyOf.filter((each) => !isNull(each)).map(withoutNulls);
    if (kept.length === 1) Object.assign(made, kept[0]);
    else made['anyOf'] = kept;
  }
  if (Array.isArray(made['type'])) {
    const types = made['type'].filter((each) => each !== 'null') as string[];
    made['type'] = types.length === 1 ? types[0] : types;
  }
  if (properties) {
    made['properties'] = withoutNulls(properties);
    made['required'] = (required ?? []).filter((name) => !isNullable(properties[name]));
  }
  return made;
}

function isNullable(schema: unknown): boolean {
  const { type, anyOf } = (schema ?? {}) as { type?: unknown; anyOf?: unknown[] };
  return (
    (Array.isArray(type) && type.includes('null')) || (anyOf?.some((each) => isNull(each) || isNullable(each)) ?? false)
  );
}

function isNull(schema: unknown): boolean {
  return (schema as { type?: unknown } | null)?.type === 'null';
}
