/** The focus within the panel. It is on the list of frames unless the person is typing. */

const FRAMES = '[data-region="Debugger"] [data-region-focus]';

/**
 * Focuses a requested field now and again in the next frame, because a closing menu takes the focus back. A key or click in between cancels
 * the second focus. Returns a function that cancels it.
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

/** Focuses the first restart, so that the person can choose. */
export function focusRestarts(): void {
  document.querySelector<HTMLElement>('[data-region="Debugger"] [data-restarts] button')?.focus();
}

/** Returns the focus to the frames after a field in the panel was closed. Does nothing if the focus is outside the panel. */
export function backToFrames(): void {
  if (document.activeElement?.closest('[data-region="Debugger"]')) document.querySelector<HTMLElement>(FRAMES)?.focus();
}
