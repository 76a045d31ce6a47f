/** Panes: names under which the image stores handles for the inspector. Each pane groups handles that belong to one object. */
import { call } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';

/** The number of panes that are released with one call. */
const AT_ONCE = 200;

let counter = 0;

/** Returns a name that no other pane has, in this or another window. */
export function freshPane(kind: string): string {
  counter += 1;
  return `${kind}${counter}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Returns the fields of a request for a page of an object, in the package of the REPL. */
export function wantedPage(pane: string, view: string | null, offset: number, limit: number) {
  return { pane, view, offset, limit, package: mirror.getState().session.package };
}

/** Releases panes. Errors are ignored, because an image that has ended has released its panes. */
export function releasePanes(panes: readonly string[]): void {
  for (let at = 0; at < panes.length; at += AT_ONCE)
    void call('inspector.release', { panes: panes.slice(at, at + AT_ONCE) }).catch(() => {});
}

export class HeldPanes {
  readonly #held = new Map<string, Set<string>>();

  /** Adds a pane for some of an object's handles. The pane exists until it is released or the object is forgotten. */
  add(id: string, name: string): string {
    const pane = `${id}:${name}`;
    this.#held.set(id, (this.#held.get(id) ?? new Set()).add(pane));
    return pane;
  }

  /** Returns all panes of an object. */
  of(id: string): string[] {
    return [...(this.#held.get(id) ?? [])];
  }

  release(id: string, panes: readonly string[]): void {
    const held = this.#held.get(id);
    for (const pane of panes) held?.delete(pane);
    releasePanes(panes);
  }

  forget(id: string): void {
    releasePanes(this.of(id));
    this.#held.delete(id);
  }
}
