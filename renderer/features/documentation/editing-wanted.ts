/** Handles calls of ED by the person's code: opens a file or a definition in the editor and focuses it. */
import type { z } from 'zod';
import type { PageEvents } from '#contract/rpc.ts';
import { on } from '../../base/bridge.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { textDrawn } from '../../editor/monaco/drawn.ts';
import { openFile } from '../../editor/files/files.ts';
import { goToName } from './go-to-name.ts';

/** Starts to handle calls of ED. Returns a function that stops this. */
export function followEd(): () => void {
  return on('editing-wanted', (wanted) => void orNotice(edit(wanted)));
}

async function edit({ file, name }: z.output<PageEvents['editing-wanted']>): Promise<void> {
  if (name !== null) {
    const symbol = /^\(setf\s+(\S+)\)$/i.exec(name)?.[1] ?? name;
    return goToName({ symbol, package: 'COMMON-LISP-USER' });
  }
  showPage('editor');
  if (file !== null) await openFile(file);
  await textDrawn();
  activeEditor()?.focus();
}
