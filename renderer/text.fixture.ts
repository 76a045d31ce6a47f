/** A text in the editor of the whole window, for tests in a browser that open and read it. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openFile } from './editor/files/files.ts';
import { activeEditor } from './editor/groups/active-editor.ts';
import { answer } from './window.fixture.tsx';

/** Opens a file with a text in the window, with the focus in it and the caret at `¦`. */
export async function openText(drawn: string, path = '/home/ada/shop/shop.lisp'): Promise<void> {
  const text = drawn.replace('¦', '');
  answer({ 'file.read': () => ({ path, text, digest: '1', encoding: 'utf-8', lossy: false }) });
  await openFile(path);
  await expect.poll(() => activeEditor()?.getModel()?.getValue()).toBe(text);
  await placeCaret(drawn);
}

/** Puts the caret of the visible text at `¦` in `drawn`, and moves the focus into the text. */
export async function placeCaret(drawn: string): Promise<void> {
  const editor = activeEditor()!;
  const place = editor.getModel()!.getPositionAt(Math.max(0, drawn.indexOf('¦')));
  editor.setPosition(place);
  editor.revealPositionInCenterIfOutsideViewport(place);
  editor.focus();
  await expect.poll(() => editor.hasTextFocus()).toBe(true);
}

/** Returns the visible text. */
export function shownText(): string {
  return activeEditor()?.getModel()?.getValue() ?? '';
}

/** Returns the region of the editor. */
export function editorRegion() {
  return region('Editor');
}

/** Returns a region of the window: a panel, a bar, or the editor. */
export function region(name: string) {
  return page.getByRole('region', { name, exact: true });
}
