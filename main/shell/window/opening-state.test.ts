import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settings } from '#contract/settings.ts';
import { Document } from '#core/settings/document.ts';
import { openingState } from './opening-state.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'opening-'))));
afterAll(() => rm(folder, { recursive: true }));

const keep = (name: string, text: string) => writeFile(path.join(folder, name), text);

test('The window opens with the theme that the settings keep, and at the place where it was closed', async () => {
  expect(openingState(folder)).toEqual({ theme: 'system', place: null });
  const document = new Document({
    file: path.join(folder, 'settings.json'),
    schema: settings,
    initial: settings.parse({ version: 1 }),
    title: 'Your settings',
  });
  await document.write({ ...document.value, theme: 'light' });
  await keep('window.json', '{"x":5,"y":-7,"width":1200,"height":800,"maximized":true}');
  expect(openingState(folder)).toEqual({
    theme: 'light',
    place: { x: 5, y: -7, width: 1200, height: 800, maximized: true },
  });
});

test.each(['', 'null', '[', '7', '{"theme":"pink","width":"wide"}', '{"width":399,"height":800}', '{"width":1e9}'])(
  'The window opens as at first where what was kept makes no sense: %s',
  async (text) => {
    await keep('settings.json', text);
    await keep('window.json', text);
    expect(openingState(folder)).toEqual({ theme: 'system', place: null });
  },
);
