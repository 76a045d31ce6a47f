/**
 * Brackets and quotes in the REPL's input: typing an opener inserts its closer, and typing a closer before the same closer moves over it.
 */
import type { KeyboardEvent, RefObject } from 'react';
import { isEmptyPair, PAIRED, surroundingCloser, typedAt } from '../../../sexp/reading/pairs.ts';

/** The automatically inserted closers, by their offsets in a text. */
export interface OwnClosers {
  readonly text: string;
  readonly offsets: readonly number[];
}

/** Types a bracket or quote, or deletes an empty pair; returns false if the key should have its default effect. */
export function typePaired(event: KeyboardEvent<HTMLTextAreaElement>, own: RefObject<OwnClosers>): boolean {
  const area = event.currentTarget;
  const { value: text, selectionStart: caret, selectionEnd: end } = area;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const offsets = shifted(own.current, text);
  own.current = { text, offsets };
  if (event.key === 'Backspace') {
    if (caret !== end || !offsets.includes(caret) || !isEmptyPair(text, caret)) return false;
    area.setSelectionRange(caret - 1, caret + 1);
    insert('');
    own.current = { text: area.value, offsets: shifted(own.current, area.value) };
    return true;
  }
  if (!PAIRED.has(event.key)) return false;
  if (caret !== end) {
    const selected = text.slice(caret, end);
    const closer = surroundingCloser(event.key, selected);
    if (closer === null) return false;
    insert(event.key + selected + closer);
    area.setSelectionRange(caret + 1, end + 1);
    own.current = { text: area.value, offsets: [...shifted({ text, offsets }, area.value), end + 1] };
    return true;
  }
  const effect = typedAt(event.key, { text, caret, own: offsets.includes(caret) });
  if (effect === 'over') {
    area.setSelectionRange(caret + 1, caret + 1);
    own.current = { text, offsets: offsets.filter((offset) => offset !== caret) };
    return true;
  }
  if (effect === 'plain') return false;
  insert(event.key === '(' ? '()' : '""');
  area.setSelectionRange(caret + 1, caret + 1);
  own.current = { text: area.value, offsets: [...shifted({ text, offsets }, area.value), caret + 1] };
  return true;
}

/** Returns the offsets that these closers have in a later text. Deleted closers are left out. @internal Exported for its test. */
export function shifted({ text, offsets }: OwnClosers, later: string): number[] {
  if (text === later) return [...offsets];
  const shorter = Math.min(text.length, later.length);
  let same = 0;
  while (same < shorter && text[same] === later[same]) same += 1;
  let behind = 0;
  while (behind < shorter - same && text.at(-1 - behind) === later.at(-1 - behind)) behind += 1;
  const by = later.length - text.length;
  return offsets
    .filter((offset) => offset < same || offset >= text.length - behind)
    .map((offset) => (offset < same ? offset : offset + by));
}

/** Replaces the selection as if the text had been typed, so that the change can be undone. */
function insert(text: string): void {
  // Only `execCommand` adds a page's edit to the field's own undo history.
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
}
