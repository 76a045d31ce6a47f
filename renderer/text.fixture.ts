/** Functions for browser tests that open a text in the whole window's editor, move the caret in it, or read it. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { openFile } from './editor/files/files.ts';
import { activeEditor } from './editor/groups/active-editor.ts';
import { answer } from './window.fixture.tsx';

/** Opens a file with this text in the window. The text has the focus, and the caret is at `¦`. */
export async function openText(drawn: string, path = '/home/ada/shop/shop.lisp'): Promise<void> {
  const text = drawn.replace('¦', '');
  answer({ 'file.read': () => ({ path, text, digest: '1', encoding: 'utf-8', lossy: false }) });
  await openFile(path);
  await expect.poll(() => activeEditor()?.getModel()?.getValue()).toBe(text);
  await placeCaret(drawn);
}

/** Moves the focus into the visible text, with the caret at the position of `¦` in `drawn`. */
export async function placeCaret(drawn: string): Promise<void> {
  const editor = activeEditor()!;
  const place = editor.getModel()!.getPositionAt(Math.max(0, drawn.indexOf('¦')));
  editor.setPosition(place);
  editor.revealPositionInCenterIfOutsideViewport(place);
  editor.focus();
  await expect.poll(() => editor.hasTextFocus()).toBe(true);
}

/** Returns the text of the visible editor. */
export function shownText(): string {
  return activeEditor()?.getModel()?.getValue() ?? '';
}

/** Returns the editor's region of the window. */
export function editorRegion() {
  return region('Editor');
}

/** Returns the region of the window with this name: a panel, a bar, or the editor. */
export function region(name: string) {
  return page.getByRole('region', { name, exact: true });
}
