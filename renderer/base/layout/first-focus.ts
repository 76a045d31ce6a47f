/** The initial focus, which ensures that the first key in a new window has a useful target. */
import { focusRegion } from './regions.ts';

/** Focuses a region's field when it is drawn, unless the person has already pressed a key or focused something. */
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
