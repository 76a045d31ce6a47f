import { describe, expect, it } from 'vitest';
import { settings, settingsChange } from './settings.ts';

describe('changes of settings', () => {
  it('A change of one setting is about that one alone, and all the others stay as they were chosen', () => {
    const chosen = settings.parse({ version: 1, theme: 'dark', sandbox: true });
    const change = settingsChange.parse({ editorFontSize: 15 });
    expect(change).toEqual({ editorFontSize: 15 });
    expect(settings.parse({ ...chosen, ...change })).toEqual({ ...chosen, editorFontSize: 15 });
  });

  it('Every setting can be changed but the version and the list of recent folders', () => {
    expect(Object.keys(settingsChange.shape).toSorted()).toEqual(
      Object.keys(settings.shape)
        .filter((name) => name !== 'version' && name !== 'recentProjects')
        .toSorted(),
    );
    expect(settingsChange.safeParse({ theme: 'pink' }).success).toBe(false);
  });
});
