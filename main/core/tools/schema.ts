/** The parameters of a tool as JSON Schema, in the part of it that all clients take: several refuse or drop what is rarer. */
import { z } from 'zod';
import type { Tool } from './tool.ts';

export function inputSchemaOf({ input }: Pick<Tool, 'input'>): { type: 'object' } & Record<string, unknown> {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(input, { io: 'input' });
  return { ...(common(plain) as Record<string, unknown>), type: 'object' };
}

/** Bounds that only say that a number is exact. */
const EXACT = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

function common(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(common);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
      if (key === 'propertyNames') return [];
      if ((key === 'minimum' || key === 'maximum') && EXACT.has(value as number)) return [];
      if (key === 'exclusiveMinimum') return [['minimum', Number(value) + 1]];
      if (key === 'additionalProperties' && value !== false) return [[key, true]];
      return [[key, common(value)]];
    }),
  );
}
