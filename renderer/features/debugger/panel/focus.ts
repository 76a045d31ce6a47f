/** The focus within the panel: the list of frames has it while nothing is typed. */

const FRAMES = '[data-region="Debugger"] [data-region-focus]';

/**
 * Focuses a field that was asked for, and once more in the next frame, for a menu that gives the focus back while it closes; not when
 * a key or the pointer was pressed in between. Returns a function that gives it up.
 */
export function focusField(field: HTMLElement | null): () => void {
  field?.focus();
  const touched = new AbortController();
  for (const press of ['keydown', 'pointerdown'])
    window.addEventListener(press, () => touched.abort(), { capture: true, signal: touched.signal });
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (!touched.signal.aborted) field?.focus();
      touched.abort();
    }, 0),
  );
  return () => touched.abort();
}

/** Focuses the first restart: the person chooses by themselves. */
export function focusRestarts(): void {
  document.querySelector<HTMLElement>('[data-region="Debugger"] [data-restarts] button')?.focus();
}

/** Gives the focus back to the frames after a field of the panel was closed. It is taken from nowhere else. */
export function backToFrames(): void {
  if (document.activeElement?.closest('[data-region="Debugger"]')) document.querySelector<HTMLElement>(FRAMES)?.focus();
}
