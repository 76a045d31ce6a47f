/**
 * Salvages the good parts of a stored value that does not fit its schema: field by field, and element by element in lists. Pure.
 */
import { z } from 'zod';

export interface Salvaged<Value> {
  readonly value: Value;
  /** Fields that are as at first, or of whose lists something was left out. */
  readonly lost: readonly string[];
}

/**
 * Keeps each field that fits by itself; one that does not is as in `initial`, and a list loses only the elements that do not
 * fit. Null when nothing can be told: no object, or one of another version than this program's where the version matters.
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

/** The elements that fit; null when it is no list, or even they make none together. */
function elementsOf(type: z.ZodType, given: unknown): unknown[] | null {
  const list = type instanceof z.ZodDefault ? type.unwrap() : type;
  if (!(list instanceof z.ZodArray) || !Array.isArray(given)) return null;
  const element = list.element as z.ZodType;
  const fitting = list.safeParse(given.filter((each) => element.safeParse(each).success));
  return fitting.success ? fitting.data : null;
}
