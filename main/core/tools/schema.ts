/**
 * Converts the parameters of a tool to JSON Schema, limited to the subset that all clients accept, because several clients reject or drop
 * rarer keywords. Limits on lengths and numbers, and the ban on additional parameters, are left out, because a model pays for each word and
 * the check of a call reports such errors anyway.
 */
import { z } from 'zod';
import { SAID_BY_NAME } from './lookup/names.ts';
import type { Tool } from './tool.ts';

export function inputSchemaOf({ input }: Pick<Tool, 'input'>): { type: 'object' } & Record<string, unknown> {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(input, { io: 'input' });
  const schema = common(plain) as { properties?: Record<string, { description?: string }> };
  for (const property of Object.values(schema.properties ?? {}))
    if (SAID_BY_NAME.has(property.description ?? '')) delete property.description;
  return { ...schema, type: 'object' };
}

/** Keywords that only check a call and do not help a model to write the call. */
const CHECKED: ReadonlySet<string> = new Set([
  'propertyNames',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
]);

function common(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(common);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
      if (CHECKED.has(key)) return [];
      if (key === 'additionalProperties') return value === false ? [] : [[key, true]];
      return [[key, common(value)]];
    }),
  );
}
