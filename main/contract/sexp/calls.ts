/** The call around a position in a text: its operator and the index of the argument. */
import { type Form, readText } from './reader.ts';

export interface Call {
  /** The operator as written in the code. */
  readonly operator: string;
  /** The index, from 0, of the argument at or around the position; -1 if the position is at the operator itself. */
  readonly argument: number;
}

/** Returns the innermost list around `offset` that begins with a symbol; null if there is none. */
export function callAround(text: string, offset: number): Call | null {
  let level = readText(text).forms;
  let found: Call | null = null;
  for (;;) {
    const form = level.find(
      ({ start, end, closed, kind }) => kind === 'list' && start < offset && (offset < end || !closed),
    );
    if (!form) return found;
    const operator = form.children[0];
    found = operator && isSymbol(operator) ? callOf(text, form, operator, offset) : found;
    level = form.children;
  }
}

function callOf(text: string, form: Form, operator: Form, offset: number): Call {
  const before = form.children.filter(({ end }) => end < offset).length;
  return { operator: text.slice(operator.start, operator.end), argument: before - 1 };
}

function isSymbol({ kind, start, body }: Form): boolean {
  return kind === 'atom' && start === body;
}
