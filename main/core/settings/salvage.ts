/**
 * Salvages the good parts of a stored value that does not fit its schema: field by field, and element by element in lists. Pure.
 */
import { z } from 'zod';

export interface Salvaged<Value> {
  readonly value: Value;
  /** Fields that got their initial value, and lists that lost elements. */
  readonly lost: readonly string[];
}

/**
 * Keeps each field that fits the schema. A field that does not fit gets its value from `initial`; a list loses only the elements that do
 * not fit. Returns null if nothing can be salvaged: the value is not an object, or has another version than this program's and the version
 * matters.
 */
export function salvage<Schema extends z.ZodObject>(
  schema: Schema,
  stored: unknown,
  initial: z.output<Schema>,
  anyVersion: boolean,
): Salvaged<z.output<Schema>> | null {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null;
  const given = stored as Record<string, unknown>;
  const lost: string[] = [];
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, type]) => {
    const whole = type.safeParse(given[name]);
    if (whole.success) return [name, whole.data];
    lost.push(name);
    return [name, elementsOf(type, given[name]) ?? (initial as Record<string, unknown>)[name]];
  });
  if (lost.includes('version') && !anyVersion) return null;
  return { value: Object.fromEntries(fields) as z.output<Schema>, lost };
}

/** Returns the elements that fit; null if the value is not a list, or if even these elements do not fit together. */
function elementsOf(type: z.ZodType, given: unknown): unknown[] | null {
  const list = type instanceof z.ZodDefault ? type.unwrap() : type;
  if (!(list instanceof z.ZodArray) || !Array.isArray(given)) return null;
  const element = list.element as z.ZodType;
  const fitting = list.safeParse(given.filter((each) => element.safeParse(each).success));
  return fitting.success ? fitting.data : null;
}
