/** Kill, copy and yank. Killed text goes to the kill ring and to the system's clipboard. */
import { orNotice } from '../../base/notices/notices.tsx';
import { call } from '../../base/bridge.ts';
import { restOfLine, type Span } from '../../base/text/emacs-text.ts';
import { emptyKillRing, type Joining, kill, rotated, yanked } from '../../base/text/kill-ring.ts';
import { mirror } from '../../base/mirror.ts';
import { previousCommand } from '../../base/keys/command-registry.ts';
import { sayOfKeys } from '../../base/keys/key-state.ts';
import { keepsBalance } from '../../sexp/structure/guard.ts';
import { killableLine } from '../../sexp/structure/kill-line.ts';
import { LISP } from '../monaco/language.ts';
import { deactivateMark, endRegion, regionOf, remember } from './mark.ts';
import { type TextTarget, textTarget } from './target.ts';

/** The maximum number of characters that are also copied to the system's clipboard. */
const MOST_COPIED = 1_000_000;

let ring = emptyKillRing;
/** True if the clipboard may contain text that was not killed here. */
let foreign = true;
/** The text that was yanked last, which an earlier kill can replace. */
let last: { identity: object; start: number; length: number } | null = null;

export function startKills(): void {
  for (const taken of ['copy', 'cut']) document.addEventListener(taken, () => (foreign = true), { capture: true });
  window.addEventListener('focus', () => (foreign = true));
}

/** Kills a span, and adds it to the previous kill if the previous command is one of `KILLS`. */
function killSpan(target: TextTarget, { start, end }: Span, way: 'after' | 'before' | 'new' = 'after'): void {
  if (target.readOnly) return sayOfKeys('This text is read-only.');
  take(target.slice(start, end), KILLS.has(previousCommand() ?? '') ? way : 'new');
  deactivateMark();
  target.replace(start, end, '');
}

/** Commands whose consecutive kills are combined. */
const KILLS = new Set([
  'text.killLine',
  'text.killToStart',
  'text.killWord',
  'text.killWordBackward',
  'text.killForm',
  'text.killFormBackward',
]);

function take(text: string, joining: Joining): void {
  ring = kill(ring, text, joining);
  const whole = yanked(ring);
  foreign = whole === null || whole.length > MOST_COPIED;
  if (whole !== null && !foreign) void orNotice(call('app.copy', { text: whole }));
}

export function killLine(): void {
  const target = textTarget();
  if (!target) return;
  const rest = restOfLine(target.text, target.caret);
  const span = isGuarded(target) ? killableLine(target.text, rest) : rest;
  if (span) killSpan(target, span);
  else sayOfKeys('Nothing was killed, because killing more of this line would leave unbalanced parentheses.');
}

/** Kills the text up to the end of a word motion. Guarded parentheses and quotes are passed without being killed, as in Paredit. */
export function killWordBy(motion: (text: string, caret: number) => number | null): void {
  const target = textTarget();
  const to = target ? motion(target.text, target.caret) : null;
  if (!target || to === null || !isGuarded(target)) return killBy(motion);
  const { text, caret } = target;
  const span = withoutDelimiters(text, caret, to);
  if (keepsBalance(text, Math.min(caret, to), Math.max(caret, to)) || !keepsBalance(text, span.start, span.end))
    return killBy(motion);
  killSpan(target, span, to < caret ? 'before' : 'after');
}

/** Returns the span between the end of the motion and the delimiter nearest to it. */
function withoutDelimiters(text: string, caret: number, to: number): { start: number; end: number } {
  if (to < caret) {
    const first = text.slice(to, caret).search(/[()"]/);
    return { start: to, end: first < 0 ? caret : to + first };
  }
  const last = text.slice(caret, to).search(/[()"][^()"]*$/);
  return { start: caret + last + 1, end: to };
}

/** Kills the text from the caret to the end of a motion. */
export function killBy(motion: (text: string, caret: number) => number | null): void {
  const target = textTarget();
  const to = target ? motion(target.text, target.caret) : null;
  if (!target || to === null) return;
  const span = { start: Math.min(to, target.caret), end: Math.max(to, target.caret) };
  if (span.start === span.end) return;
  if (isGuarded(target) && !keepsBalance(target.text, span.start, span.end))
    return sayOfKeys('Nothing was killed, because this would leave unbalanced parentheses.');
  killSpan(target, span, to < target.caret ? 'before' : 'after');
}

const NO_REGION = 'There is no region, because the mark is not set. Set it first.';

export function killRegion(): void {
  const target = textTarget();
  const region = target && regionOf(target);
  if (!target || !region) return sayOfKeys(NO_REGION);
  const { structuralEditing } = mirror.getState().settings;
  const seen = region.start >= 0 && region.end <= target.text.length;
  if (
    structuralEditing === 'strict' &&
    seen &&
    isGuarded(target) &&
    !keepsBalance(target.text, region.start, region.end)
  )
    return sayOfKeys('Nothing was killed, because this would leave unbalanced parentheses.');
  killSpan(target, region, 'new');
}

/** Copies the region or, if there is none, the text that is selected on the page. */
export function copyRegion(): void {
  const target = textTarget();
  const region = target && regionOf(target);
  const text = target && region ? target.slice(region.start, region.end) : (getSelection()?.toString() ?? '');
  if (text === '') return sayOfKeys(NO_REGION);
  take(text, 'new');
  if (target) endRegion(target);
}

/** Inserts the latest kill, or text that another program has since copied to the clipboard. */
export async function yank(): Promise<void> {
  const target = textTarget();
  if (!target) return;
  if (target.readOnly) return sayOfKeys('This text is read-only.');
  const text = yanked({ ...ring, at: 0 });
  last = null;
  if (foreign) {
    const { pasted } = await call('app.paste', { unless: text === null ? '' : text.slice(0, MOST_COPIED) });
    foreign = false;
    if (pasted) return undefined;
  }
  if (text === null) return sayOfKeys('The kill ring is empty.');
  ring = { ...ring, at: 0 };
  const now = textTarget();
  if (now) put(now, now.caret, now.caret, text);
  return undefined;
}

/** Replaces the text that was just yanked with an earlier kill. */
export function yankEarlier(): void {
  const target = textTarget();
  const follows = ['text.yank', 'text.yankEarlier'].includes(previousCommand() ?? '');
  if (!target || !follows || last?.identity !== target.identity)
    return sayOfKeys('An earlier kill can only be inserted directly after a yank.');
  ring = rotated(ring);
  put(target, target.caret - last.length, target.caret, yanked(ring) ?? '');
}

function put(target: TextTarget, start: number, end: number, text: string): void {
  if (start === end) remember(target, start);
  deactivateMark();
  target.replace(start, end, text);
  // A single-line field drops line breaks, so the inserted text may be shorter than the kill.
  const after = textTarget();
  last = { identity: target.identity, start, length: after ? after.caret - start : text.length };
}

/** True in Lisp text whose parentheses are guarded. */
function isGuarded({ editor }: TextTarget): boolean {
  return editor?.model.getLanguageId() === LISP && mirror.getState().settings.structuralEditing !== 'off';
}
