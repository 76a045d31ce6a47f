/** The frames on a card in stack order, innermost first. Pure. */
import type { CardEffect } from '#contract/decisions/approval.ts';

export type FrameRow =
  | { readonly kind: 'own'; readonly index: number; readonly frame: CardEffect['frames'][number] }
  | { readonly kind: 'inner'; readonly index: number; readonly call: string };

/** Returns the first `own` frames of the code. With `inner`, also returns the frames of SBCL and the workbench between them. */
export function frameRows(
  { frames, innerFrames }: Pick<CardEffect, 'frames' | 'innerFrames'>,
  { own, inner }: { own: number; inner: boolean },
): FrameRow[] {
  const shown = frames.slice(0, own);
  const before = (place: number): FrameRow[] =>
    inner
      ? innerFrames.flatMap(({ call, before: at }, index) =>
          at === place ? [{ kind: 'inner' as const, index, call }] : [],
        )
      : [];
  return [
    ...shown.flatMap((frame, index) => [...before(index), { kind: 'own' as const, index, frame }]),
    ...(shown.length === frames.length ? before(frames.length) : []),
  ];
}

/** Returns the evaluated form if `call` is a call of EVAL, because EVAL itself is uninformative. Returns other calls unchanged. */
export function evaluatedForm(call: string): string {
  return /^\(EVAL (.*)\)$/s.exec(call)?.[1] ?? call;
}
