/** Warnings of names that were undefined when their form was compiled, and whether the image has them since, wherever from. */
import { mirror } from '../../base/mirror.ts';
import { askImage } from '../../base/image/names.ts';
import type { monaco } from '../../editor/monaco/monaco.ts';
import { packageIn } from '../../editor/text/reading-package.ts';
import { undefinedName } from './undefined-name.ts';

/** A warning, and the offset in its text at which it stands now. */
export interface PlacedWarning {
  readonly message: string;
  readonly offset: number;
}

/** Names that the image is asked about in one go. */
const MOST_ASKED = 50;

/** The warnings of a text whose names the image has by now. */
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

/** The kinds of meaning that a name has in the image; none where the image does not answer. */
async function kindsOf(symbol: string, inPackage: string | null): Promise<string[]> {
  const answer = await askImage('names.describe', { symbol, package: inPackage });
  return answer?.described.meanings.map(({ kind }) => kind) ?? [];
}

/** Milliseconds without a new definition after which the image is asked. */
const REST_MS = 300;

/** Calls `look` whenever the image has other definitions than before, until the result is called. */
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
