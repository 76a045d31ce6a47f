/** The REPL that is shown, and the image that it is in. */
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { ReplRecord } from '#contract/image/repl.ts';
import type { Session } from '#contract/image/session.ts';
import { type Mirror, mirror, useMirror } from '../mirror.ts';
import { makeStore } from '../store.ts';

const [activeRepl, useActiveRepl] = makeStore<{ id: string }>({ id: FIRST_REPL });

export { activeRepl };

/** The REPL that is shown; the first one where that was closed. */
export function shownRepl(state: Mirror = mirror.getState(), id: string = activeRepl.getState().id): ReplRecord {
  return state.repls.find((repl) => repl.id === id) ?? state.repls[0]!;
}

export function useShownRepl(): ReplRecord {
  const id = useActiveRepl((state) => state.id);
  return useMirror((state) => shownRepl(state, id));
}

/** The image of a REPL; null when it has ended for good. */
export function imageOf({ image }: Pick<ReplRecord, 'image'>, state: Mirror = mirror.getState()): Session | null {
  if (state.session.id === image) return state.session;
  return state.images.find(({ id }) => id === image) ?? null;
}

/** A part of the image of the shown REPL: the whole changes with every heartbeat. */
export function useOfShownImage<Part>(select: (image: Session | null) => Part): Part {
  const id = useActiveRepl((state) => state.id);
  return useMirror((state) => select(imageOf(shownRepl(state, id), state)));
}

export function useShownImage(): Session | null {
  return useOfShownImage((image) => image);
}

/** True for the image that clients share by default, in which the editor evaluates. */
export function isShared({ id }: Pick<Session, 'id'>, state: Mirror = mirror.getState()): boolean {
  return id === state.session.id;
}

/** The current package of a REPL; that of the first one is its image's own. */
export function packageOf(repl: ReplRecord, state: Mirror = mirror.getState()): string {
  return repl.id === FIRST_REPL ? state.session.package : repl.package;
}

export function useShownPackage(): string {
  const id = useActiveRepl((state) => state.id);
  return useMirror((state) => packageOf(shownRepl(state, id), state));
}
