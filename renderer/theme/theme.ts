/** Which of the two themes is on: the person's choice, or the system's while they leave it to it. */
import type { Settings } from '#contract/settings.ts';

export type ThemeName = 'light' | 'dark';

const systemIsLight = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: light)');
const listeners = new Set<(theme: ThemeName) => void>();
let choice: Settings['theme'] = 'system';

export function chooseTheme(theme: Settings['theme']): void {
  choice = theme;
  apply();
}

/** Tells of each change; whoever draws outside CSS (the editor) needs it. */
export function onThemeChange(listener: (theme: ThemeName) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentTheme(): ThemeName {
  if (choice !== 'system') return choice;
  return systemIsLight().matches ? 'light' : 'dark';
}

/** The value of a token, as the current theme has it. Colours come in full: a minifier may have halved their digits. */
export function token(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  return /^#[\da-f]{3,4}$/i.test(value) ? value.replaceAll(/[\da-f]/gi, '$&$&') : value;
}

function apply(): void {
  const theme = currentTheme();
  if (document.documentElement.dataset['theme'] === theme) return;
  document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener(theme);
}

systemIsLight().addEventListener('change', apply);
