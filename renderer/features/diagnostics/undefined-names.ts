/**
 * Warnings about names that were undefined when their form was compiled. Asks the image which of these names have a definition by now, from
 * any source.
 */
import { mirror } from '../../base/mirror.ts';
import { askImage } from '../../base/image/names.ts';
import type { monaco } from '../../editor/monaco/monaco.ts';
import { packageIn } from '../../editor/text/reading-package.ts';
import { undefinedName } from './undefined-name.ts';

/** A warning, and its current offset in its text. */
export interface PlacedWarning {
  readonly message: string;
  readonly offset: number;
}

/** The maximum number of names in one request to the image. */
const MOST_ASKED = 50;

/** Returns those warnings of a text whose names have since been defined in the image. */
export async function definedSince<Warning extends PlacedWarning>(
  model: monaco.editor.ITextModel,
  warnings: readonly Warning[],
): Promise<Warning[]> {
  const asked = new Map<string, Promise<readonly string[]>>();
  const found = warnings.map(async (warning) => {
    const name = undefinedName(warning.message);
    if (name === null) return [];
    const inPackage = packageIn(model, warning.offset);
    const key = `${inPackage} ${name.symbol}`;
    if (!asked.has(key)) {
      if (asked.size >= MOST_ASKED) return [];
      asked.set(key, kindsOf(name.symbol, inPackage));
    }
    return (await asked.get(key)!).some((kind) => name.kinds.includes(kind)) ? [warning] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Returns the kinds of definition that a name has in the image; empty if the image does not answer. */
async function kindsOf(symbol: string, inPackage: string | null): Promise<string[]> {
  const answer = await askImage('names.describe', { symbol, package: inPackage });
  return answer?.described.meanings.map(({ kind }) => kind) ?? [];
}

/** Milliseconds without a new definition after which the image is asked. */
const REST_MS = 300;

/** Calls `look` when the definitions of the image have changed, until the returned function is called. */
export function onOtherDefinitions(look: () => unknown): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const stop = mirror.subscribe(({ definitions }, before) => {
    if (definitions === before.definitions) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(look, REST_MS);
  });
  return () => {
    if (timer !== null) clearTimeout(timer);
    stop();
  };
}
