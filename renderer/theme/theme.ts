/** The current theme and contrast, chosen by the person or by the system, and the code font. */
import type { Appearance, Settings } from '#contract/settings.ts';
import { fontFamilies } from './font-families.ts';

export type ThemeName = 'light' | 'dark';

const systemIsLight = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: light)');
const systemWantsContrast = (): MediaQueryList => window.matchMedia('(prefers-contrast: more)');
const listeners = new Set<(theme: ThemeName) => void>();
let choice: Appearance = { theme: 'system', contrast: 'system', codeFont: '' };

export function chooseAppearance({ theme, contrast, codeFont }: Appearance): void {
  choice = { theme, contrast, codeFont };
  apply();
}

/** Calls `listener` at each change of the colours. This is for components that are not drawn with CSS (the editor). */
export function onThemeChange(listener: (theme: ThemeName) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentTheme(): ThemeName {
  if (choice.theme !== 'system') return choice.theme;
  return systemIsLight().matches ? 'light' : 'dark';
}

/** Returns the value of a token in the current theme. A colour that a minifier shortened to one digit per component is expanded again. */
export function token(name: string): string {
  const written = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const [, light, dark] = /^light-dark\((.+), *(.+)\)$/.exec(written) ?? [];
  const value = (currentTheme() === 'light' ? light : dark) ?? written;
  return /^#[\da-f]{3,4}$/i.test(value) ? value.replaceAll(/[\da-f]/gi, '$&$&') : value;
}

/** Returns the families of the code font, the person's own font first. This is for components that are not drawn with CSS (the editor). */
export function codeFontFamilies(codeFont: string): string {
  ownFont ??= getComputedStyle(document.documentElement).getPropertyValue('--font-code-own').trim();
  return [fontFamilies(codeFont), ownFont].filter(Boolean).join(', ');
}

/**
 * The workbench's own font, which all themes share. It is cached, because reading it makes the browser compute the styles of the whole
 * page.
 */
let ownFont: string | null = null;

function currentContrast(): Settings['contrast'] {
  return choice.contrast === 'system' && systemWantsContrast().matches ? 'more' : choice.contrast;
}

function apply(): void {
  const { dataset, style } = document.documentElement;
  style.setProperty('--font-code', codeFontFamilies(choice.codeFont));
  const [theme, contrast] = [currentTheme(), currentContrast()];
  if (dataset['theme'] === theme && dataset['contrast'] === contrast) return;
  dataset['theme'] = theme;
  dataset['contrast'] = contrast;
  for (const listener of listeners) listener(theme);
}

systemIsLight().addEventListener('change', apply);
systemWantsContrast().addEventListener('change', apply);
