/** The visible REPL and its image. */
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { ReplRecord } from '#contract/image/repl.ts';
import type { Session } from '#contract/image/session.ts';
import { type Mirror, mirror, useMirror } from '../mirror.ts';
import { makeStore } from '../store.ts';

const [activeRepl, useActiveRepl] = makeStore<{ id: string }>({ id: FIRST_REPL });

export { activeRepl };

/** Returns the visible REPL, or the first one if that REPL was closed. */
export function shownRepl(state: Mirror = mirror.getState(), id: string = activeRepl.getState().id): ReplRecord {
  return state.repls.find((repl) => repl.id === id) ?? state.repls[0]!;
}

export function useShownRepl(): ReplRecord {
  const id = useActiveRepl((state) => state.id);
  return useMirror((state) => shownRepl(state, id));
}

/** Returns the image of a REPL; null if the image has ended for good. */
export function imageOf({ image }: Pick<ReplRecord, 'image'>, state: Mirror = mirror.getState()): Session | null {
  if (state.session.id === image) return state.session;
  return state.images.find(({ id }) => id === image) ?? null;
}

/**
 * Returns a part of the visible REPL's image. Selecting only a part avoids a render at every heartbeat, which changes the record of the
 * whole image.
 */
export function useOfShownImage<Part>(select: (image: Session | null) => Part): Part {
  const id = useActiveRepl((state) => state.id);
  return useMirror((state) => select(imageOf(shownRepl(state, id), state)));
}

export function useShownImage(): Session | null {
  return useOfShownImage((image) => image);
}

/** Returns whether the visible REPL also shows the evaluations of agents. */
export function useShowsAgents(): boolean {
  const id = useActiveRepl((state) => state.id);
  return useMirror((state) => {
    const { id: shown, image } = shownRepl(state, id);
    return shown === FIRST_REPL || state.images.find((each) => each.id === image)?.owner === 'client';
  });
}

/** True for the image that clients share by default. The editor also evaluates in that image. */
export function isShared({ id }: Pick<Session, 'id'>, state: Mirror = mirror.getState()): boolean {
  return id === state.session.id;
}

/** Returns the current package of a REPL. The first REPL uses its image's package. */
export function packageOf(repl: ReplRecord, state: Mirror = mirror.getState()): string {
  return repl.id === FIRST_REPL ? state.session.package : repl.package;
}

export function useShownPackage(): string {
  const id = useActiveRepl((state) => state.id);
  return useMirror((state) => packageOf(shownRepl(state, id), state));
}
