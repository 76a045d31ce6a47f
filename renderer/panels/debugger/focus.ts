/** The focus within the panel: the list of frames has it while nothing is typed. */

const FRAMES = '[data-region="Debugger"] [data-region-focus]';

/** Gives the focus back to the frames after a field of the panel was closed. It is taken from nowhere else. */
export function backToFrames(): void {
  if (document.activeElement?.closest('[data-region="Debugger"]')) document.querySelector<HTMLElement>(FRAMES)?.focus();
}
