/**
 * The mark: a stored position. The region extends from the mark to the caret. While the mark is active, the region is the selection, and
 * caret motions extend it.
 */
import { selectingWhen } from '../../base/keys/key-contexts.ts';
import { onOtherKeys } from '../../base/keys/key-listener.ts';
import { monaco } from '../monaco/monaco.ts';
import { type TextTarget, textTarget } from './target.ts';

/** The maximum number of marks that are stored for each text. */
const MOST_MARKS = 16;

/** The text whose mark is active. */
let active: object | null = null;

/** Marked positions in editor texts, the latest first, as decorations that move with the text. */
const rings = new WeakMap<object, string[]>();
/** Marked positions in fields, the latest first. */
const fieldRings = new WeakMap<object, number[]>();

export function startMark(): void {
  selectingWhen(() => active !== null && textTarget()?.identity === active);
  window.addEventListener('pointerdown', () => (active = null), { capture: true });
  onOtherKeys((event) => {
    const target = active === null ? null : textTarget();
    active = null;
    // True if the key types text. The region ends first, so that typed text does not replace it. A parenthesis or a quote surrounds the
    // region instead.
    const types =
      (event.key.length === 1 || event.key === 'Enter') && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (target && types && !['(', '"'].includes(event.key)) target.select(target.caret, target.caret);
  });
}

export function isMarkActive(target: TextTarget): boolean {
  return active === target.identity;
}

/** Sets the mark at the caret. If the command is repeated while the mark is active, ends the region instead. */
export function setMark(target: TextTarget, again: boolean): void {
  if (again && isMarkActive(target)) return endRegion(target);
  remember(target, target.caret);
  active = target.identity;
  target.select(target.caret, target.caret);
}

/** Selects from `anchor` to `caret`, and sets the mark at `anchor`. */
export function markFrom(target: TextTarget, anchor: number, caret: number): void {
  remember(target, anchor);
  active = target.identity;
  target.select(anchor, caret);
}

/** Ends the region without moving the caret. */
export function endRegion(target: TextTarget): void {
  active = null;
  target.select(target.caret, target.caret);
}

/** Deactivates the mark without changing the selection, because the text is about to change. */
export function deactivateMark(): void {
  active = null;
}

/** Swaps the caret and the mark, and activates the region. Returns false if there is no mark. */
export function exchangeMark(target: TextTarget): boolean {
  const mark = isMarkActive(target) ? target.anchor : latest(target);
  if (mark === null) return false;
  const { caret } = target;
  remember(target, caret);
  active = target.identity;
  target.select(caret, mark);
  return true;
}

/** Moves the caret to the latest mark, which becomes the oldest. Returns false if there is no mark. */
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

/** Returns the region from the mark to the caret, or any other selection; null if there is neither. */
export function regionOf(target: TextTarget): { start: number; end: number } | null {
  const { caret, anchor } = target;
  const mark = anchor === caret ? latest(target) : anchor;
  if (mark === null || mark === caret) return null;
  return { start: Math.min(mark, caret), end: Math.max(mark, caret) };
}

/** Runs a caret motion. It extends an active region and ends any other selection. */
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

/** Adds a mark, such as the start of a long jump. */
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
