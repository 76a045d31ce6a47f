/** Completions for a comma command: its name, or the package, system or symbol that is its argument. */
import { downcased } from '../../../sexp/designators.ts';
import type { WrittenSymbol } from '../../../sexp/symbols.ts';
import { type DesignatedName, packagesLike, systemsLike } from '../../../base/image/designated-names.ts';
import { askImage } from '../../../base/image/names.ts';
import { type CommaCommand, matching } from './comma-commands.ts';

/** A text that completes the typed text, with its description. */
export interface CommaCompletion {
  readonly text: string;
  readonly detail: string;
  readonly origin: string;
}

export interface CommaCompletions {
  readonly typed: WrittenSymbol;
  readonly completions: readonly CommaCompletion[];
}

const LIMIT = 50;

/**
 * Returns the part of a command line before the caret that is completed: the name after the comma, or the argument.
 * @internal Exported for its test.
 */
export function commaTyped(line: string): { name: string; typed: WrittenSymbol; isArgument: boolean } | null {
  const found = /^(\s*,\s*)(\S*)(\s+)?(.*)$/.exec(line);
  if (!found) return null;
  const [, comma = '', name = '', blank, argument = ''] = found;
  const start = comma.length + (blank === undefined ? 0 : name.length + blank.length);
  const text = blank === undefined ? name : argument;
  return {
    name: name.toLowerCase(),
    typed: { text, start, end: start + text.length },
    isArgument: blank !== undefined,
  };
}

/** Returns the completions in a REPL for a command line up to the caret; null if the text is not a command. */
export async function completeCommaLine(line: string, repl: string): Promise<CommaCompletions | null> {
  const found = commaTyped(line);
  if (!found) return null;
  const { name, typed, isArgument } = found;
  if (!isArgument) return { typed, completions: matching(name).map(ofCommand) };
  const command = matching(name).find((each) => each.name === name);
  return { typed, completions: command ? await ofArgument(command, typed.text, repl) : [] };
}

function ofCommand({ name, argument, title }: CommaCommand): CommaCompletion {
  return { text: argument === null ? name : `${name} `, detail: argument ?? '', origin: title };
}

async function ofArgument({ argument }: CommaCommand, typed: string, repl: string): Promise<CommaCompletion[]> {
  if (argument === 'system') return named(await systemsLike(typed));
  if (argument === 'package') return named(await packagesLike(typed.replace(/^(?:#?:|['"])/, ''), [], repl));
  if (argument !== 'name') return [];
  const answer = await askImage('names.complete', {
    prefix: typed,
    package: null,
    text: null,
    offset: null,
    limit: LIMIT,
    repl,
  });
  return (answer?.completions ?? []).map(({ text, lambdaList, package: home }) => ({
    text,
    detail: lambdaList?.toLowerCase() ?? '',
    origin: home ?? '',
  }));
}

function named(names: readonly DesignatedName[]): CommaCompletion[] {
  return names.map(({ name, detail, origin }) => ({ text: downcased(name), detail, origin }));
}
