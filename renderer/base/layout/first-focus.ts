/** The initial focus: the first key in a new window must go to a useful place. */
import { focusRegion } from './regions.ts';

/** Focuses the field of a region when it is drawn, unless the person has pressed or focused anything before. */
export function giveFirstFocus(region: string): void {
  const done = new AbortController();
  const give = (): void => {
    const field = document.querySelector(`[data-region="${region}"] :is(textarea, .native-edit-context)`);
    if (document.activeElement !== document.body) done.abort();
    else if (field?.getClientRects().length && focusRegion(region)) done.abort();
  };
  const observer = new MutationObserver(give);
  observer.observe(document.body, { childList: true, subtree: true });
  done.signal.addEventListener('abort', () => observer.disconnect());
  for (const press of ['keydown', 'pointerdown'])
    window.addEventListener(press, () => done.abort(), { capture: true, signal: done.signal });
  give();
}
