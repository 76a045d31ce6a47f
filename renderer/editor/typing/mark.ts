/**
 * The mark: a place that is remembered, from which the region goes to the caret. While the mark is active the region is the selection,
 * and what moves the caret extends it.
 */
import { selectingWhen } from '../../base/keys/key-contexts.ts';
import { onOtherKeys } from '../../base/keys/key-listener.ts';
import { monaco } from '../monaco/monaco.ts';
import { type TextTarget, textTarget } from './target.ts';

/** Marks that are kept of each text. */
const MOST_MARKS = 16;

/** The text whose mark is active. */
let active: object | null = null;

/** Places that were marked in texts of the editor, the latest first, as decorations that move with the text. */
const rings = new WeakMap<object, string[]>();
/** Places that were marked in fields, the latest first. */
const fieldRings = new WeakMap<object, number[]>();

export function startMark(): void {
  selectingWhen(() => active !== null && textTarget()?.identity === active);
  window.addEventListener('pointerdown', () => (active = null), { capture: true });
  onOtherKeys((event) => {
    const target = active === null ? null : textTarget();
    active = null;
    // Typing puts text in, and never takes the region away; a parenthesis or a quote is put around it.
    const types =
      (event.key.length === 1 || event.key === 'Enter') && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (target && types && !['(', '"'].includes(event.key)) target.select(target.caret, target.caret);
  });
}

export function isMarkActive(target: TextTarget): boolean {
  return active === target.identity;
}

/** Marks the caret's place; a second time in a row ends the region. */
export function setMark(target: TextTarget, again: boolean): void {
  if (again && isMarkActive(target)) return endRegion(target);
  remember(target, target.caret);
  active = target.identity;
  target.select(target.caret, target.caret);
}

/** Selects from a place that becomes the mark. */
export function markFrom(target: TextTarget, anchor: number, caret: number): void {
  remember(target, anchor);
  active = target.identity;
  target.select(anchor, caret);
}

/** Ends the region; the caret stays. */
export function endRegion(target: TextTarget): void {
  active = null;
  target.select(target.caret, target.caret);
}

/** Forgets that a mark is active, where the text was changed anyway. */
export function deactivateMark(): void {
  active = null;
}

/** The caret and the mark change places, and the region is active. False without a mark. */
export function exchangeMark(target: TextTarget): boolean {
  const mark = isMarkActive(target) ? target.anchor : latest(target);
  if (mark === null) return false;
  const { caret } = target;
  remember(target, caret);
  active = target.identity;
  target.select(caret, mark);
  return true;
}

/** The caret goes to the latest mark, which becomes the oldest. False without a mark. */
export function popMark(target: TextTarget): boolean {
  const mark = latest(target);
  if (mark === null) return false;
  const ring = rings.get(target.identity);
  ring?.push(ring.shift()!);
  const fieldRing = fieldRings.get(target.identity);
  fieldRing?.push(fieldRing.shift()!);
  active = null;
  target.select(mark, mark);
  return true;
}

/** The region from the mark to the caret, or what is selected otherwise; null for nothing. */
export function regionOf(target: TextTarget): { start: number; end: number } | null {
  const { caret, anchor } = target;
  const mark = anchor === caret ? latest(target) : anchor;
  if (mark === null || mark === caret) return null;
  return { start: Math.min(mark, caret), end: Math.max(mark, caret) };
}

/** Runs what moves the caret: an active region is extended by it, any other selection ends. */
export function moving(move: () => void): void {
  const before = textTarget();
  if (!before || !isMarkActive(before)) return move();
  const { editor, anchor } = before;
  const from = editor?.placeOf(anchor);
  before.select(before.caret, before.caret);
  move();
  const after = textTarget();
  if (!after || after.identity !== before.identity) return;
  if (!editor || !from) return after.select(anchor, after.caret);
  const place = editor.widget.getPosition()!;
  editor.widget.setSelection(monaco.Selection.fromPositions(from, place));
  editor.widget.revealPosition(place);
}

/** Remembers a place, such as the one that a long jump starts from. */
export function remember(target: TextTarget, offset: number): void {
  const { editor, identity } = target;
  if (!editor) {
    fieldRings.set(identity, [offset, ...(fieldRings.get(identity) ?? [])].slice(0, MOST_MARKS));
    return;
  }
  const ring = rings.get(identity) ?? [];
  const { NeverGrowsWhenTypingAtEdges: stickiness } = monaco.editor.TrackedRangeStickiness;
  const [mark] = editor.model.deltaDecorations(ring.slice(MOST_MARKS - 1), [
    { range: monaco.Range.fromPositions(editor.placeOf(offset)), options: { stickiness } },
  ]);
  rings.set(identity, [mark!, ...ring.slice(0, MOST_MARKS - 1)]);
}

function latest({ editor, identity, text }: TextTarget): number | null {
  if (!editor) {
    const [mark] = fieldRings.get(identity) ?? [];
    return mark === undefined ? null : Math.min(mark, text.length);
  }
  const [mark] = rings.get(identity) ?? [];
  const range = mark === undefined ? null : editor.model.getDecorationRange(mark);
  return range ? editor.offsetOf(range.getStartPosition()) : null;
}
