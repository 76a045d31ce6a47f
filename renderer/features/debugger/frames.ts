/** The frames of a stack as rows of the panel's list, with Lisp's own frames folded. Pure. */
import type { DebuggerFrame, DebuggerRecord, FrameLocal, FrameSource } from '#contract/image/debugger.ts';
import { plural } from '#contract/text/text.ts';
import { fileName } from '../../base/text/paths.ts';

/** A row in the frame list: one frame, or a sequence of Lisp's own frames that can be unfolded. */
export type FrameRow =
  | { readonly kind: 'frame'; readonly frame: DebuggerFrame }
  | { readonly kind: 'folded'; readonly first: number; readonly count: number; readonly words: string };

/** Returns the rows. A sequence of Lisp's own frames is listed individually if `opened` contains the index of its first frame. */
export function frameRows(frames: readonly DebuggerFrame[], opened: ReadonlySet<number>): FrameRow[] {
  const rows: FrameRow[] = [];
  for (let at = 0; at < frames.length;) {
    const frame = frames[at]!;
    let end = at;
    while (end < frames.length && frames[end]!.internal) end += 1;
    if (end === at) {
      rows.push({ kind: 'frame', frame });
      at += 1;
      continue;
    }
    const run = frames.slice(at, end);
    rows.push({ kind: 'folded', first: at, count: run.length, words: wordsOf(at, end, frames.length) });
    if (opened.has(at)) rows.push(...run.map((each): FrameRow => ({ kind: 'frame', frame: each })));
    at = end;
  }
  return rows;
}

function wordsOf(start: number, end: number, count: number): string {
  const many = plural(end - start, 'frame');
  if (start === 0) return `${many} of error signalling`;
  return end === count ? `${many} of SBCL and the workbench` : `${many} of SBCL`;
}

/**
 * Returns the frame to select first: the innermost frame of the user's own code. For an error, prefers a frame with a source, because the
 * source of a caller explains more than a frame without a source. A breakpoint, a step or an interrupt concerns the innermost frame itself.
 */
export function firstFrame({ frames, kind }: Pick<DebuggerRecord, 'frames' | 'kind'>): number | null {
  const shown = frames.filter(({ internal }) => !internal);
  const own = shown.filter((frame) => frame.package !== null);
  const placed = kind === 'error' ? own.find(hasPlace) : undefined;
  return (placed ?? own[0] ?? shown[0] ?? frames[0])?.index ?? null;
}

function hasPlace({ source }: DebuggerFrame): boolean {
  return source !== null && (source.file !== null || source.evaluation !== null || source.form !== null);
}

/** Returns the file name and line of a frame's code; null if they are not known. */
export function frameFile({ source }: Pick<DebuggerFrame, 'source'>): string | null {
  if (source?.file == null) return null;
  const name = fileName(source.file);
  const line = source.running?.line ?? source.line;
  return line === null ? name : `${name}:${line}`;
}

/** Returns a sentence about a file whose definition has changed since the frame's code was compiled; null if it has not. */
export function changedWords({ changed }: Pick<FrameSource, 'changed'>, name: string): string | null {
  const has = `${name} has changed since this code was compiled.`;
  if (changed === 'definition') return `${has} The marked line is the start of the current definition.`;
  return changed === 'compiled' ? `${has} This is the compiled text.` : null;
}

/** The maximum number of lines that a preview shows before and after the line of the running form. */
const PREVIEW_LINES = 6;

/** Returns the text around a frame's running form, split at the form; null if the text is unknown. */
export function previewOf({
  running,
}: Pick<FrameSource, 'running'>): { before: string; form: string; after: string } | null {
  if (!running) return null;
  const { text, start, end } = running;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before =
    text
      .slice(0, lineStart)
      .split('\n')
      .slice(-PREVIEW_LINES - 1)
      .join('\n') + text.slice(lineStart, start);
  const after = text.slice(end).split('\n');
  return {
    before,
    form: text.slice(start, end),
    after: after.slice(0, PREVIEW_LINES + 1).join('\n'),
  };
}

/** Returns the package in which forms for a frame are read: the package of the frame's code, otherwise the current package. */
export function packageOfFrame(record: Pick<DebuggerRecord, 'frames' | 'package'>, frame: number): string {
  return record.frames.find(({ index }) => index === frame)?.package ?? record.package;
}

/** A part of a frame's call: text between the arguments, or an argument by its number in the frame. */
export type CallPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'argument'; readonly index: number; readonly value: FrameArgument };

/** An argument of a frame, as a value that can be inspected. */
export interface FrameArgument {
  readonly text: string;
  readonly type: string;
  readonly handle: number;
}

/** Returns those arguments of a frame that its call shows. */
export function frameArguments({ call, arguments: given }: Pick<DebuggerFrame, 'call' | 'arguments'>): FrameArgument[] {
  return given.map(({ start, end, type, handle }) => ({ text: call.slice(start, end), type, handle }));
}

/** Returns the parts of a call that follow its name: the arguments and the text between them. */
export function argumentParts(frame: Pick<DebuggerFrame, 'call' | 'arguments'>): CallPart[] {
  const parts: CallPart[] = [];
  let at = callParts(frame.call).name.length;
  frameArguments(frame).forEach((value, index) => {
    const { start, end } = frame.arguments[index]!;
    parts.push({ kind: 'text', text: frame.call.slice(at, start) }, { kind: 'argument', index, value });
    at = end;
  });
  return [...parts, { kind: 'text', text: frame.call.slice(at) }];
}

/** Splits `(NAME ARGUMENT …)` after the name, because the two parts have different colours. */
export function callParts(call: string): { name: string; rest: string } {
  let depth = 0;
  for (let at = 1; at < call.length; at += 1) {
    const char = call[at]!;
    if (char === '(') depth += 1;
    else if (char === ')' && depth > 0) depth -= 1;
    else if ((char === ' ' || char === ')') && depth === 0) return { name: call.slice(0, at), rest: call.slice(at) };
  }
  return { name: call, rest: '' };
}

/** True if compiling for debugging would show more of the frame's variables: it has none, or its code did not keep some of them. */
export function lacksLocals(locals: readonly FrameLocal[]): boolean {
  return locals.length === 0 || locals.some(({ absence }) => absence === 'dropped');
}
