/**
 * Commands that insert code from the editor into the REPL (a function call, or an assignment to a variable), and commands that set the
 * REPL's package and folder.
 */
import { FileCode, FolderSync, Package, PenLine } from 'lucide-react';
import { showDock } from '../../../base/layout/layout-store.ts';
import { folderPath } from '../../../base/text/paths.ts';
import { showRegion } from '../../../base/layout/regions.ts';
import { activeEditor } from '../../../editor/groups/active-editor.ts';
import { askedName, askedNameNear } from '../../documentation/asked-name.ts';
import { activeBuffer } from '../../../editor/text/buffers.ts';
import { packageNear } from '../../../editor/providers/context.ts';
import type { Command } from '../../../base/keys/command-registry.ts';
import type { NamedSymbol } from '../../../base/image/documented.ts';
import { evaluate } from '../../../base/image/evaluations.ts';
import { packageOf, shownRepl } from '../../../base/image/active-repl.ts';
import { insertIntoDraft, setDraft } from './input-store.ts';

/** Returns a name, with a package prefix if the shown REPL's package needs one. */
function inRepl({ symbol, package: inPackage }: NamedSymbol): string {
  const isThere = inPackage === null || symbol.includes(':') || inPackage === packageOf(shownRepl());
  return isThere ? symbol : `${inPackage.toLowerCase()}::${symbol}`;
}

function goToInput(): void {
  showRegion('REPL', () => showDock('repl'));
}

const withName = (): true | string => askedNameNear() !== null || 'with a name at the caret';

export const replInputCommands: Command[] = [
  {
    id: 'repl.callFunction',
    title: 'Insert a Call to This Function into the REPL',
    icon: FileCode,
    when: withName,
    detail: () => askedNameNear()?.symbol,
    run: () => {
      insertIntoDraft(`(${inRepl(askedNameNear()!)} `);
      goToInput();
    },
  },
  {
    id: 'inspect.setValue',
    title: 'Set This Variable in the REPL',
    icon: PenLine,
    when: () => askedName() !== null || 'with a name at the caret',
    detail: () => askedName()?.symbol,
    run: () => {
      insertIntoDraft(`(setf ${inRepl(askedName()!)} `);
      goToInput();
    },
  },
  {
    id: 'repl.setPackage',
    title: 'Set the REPL’s Package…',
    icon: Package,
    run: () => {
      setDraft(',in-package ');
      goToInput();
    },
  },
  {
    id: 'repl.syncPackage',
    title: 'Set the REPL’s Package and Folder from the File',
    icon: FolderSync,
    when: () => activeBuffer()?.path != null || 'with an open file',
    run: () => {
      const editor = activeEditor();
      const model = editor?.getModel();
      const path = activeBuffer()?.path;
      if (!editor || !model || path == null) return undefined;
      const inPackage = packageNear(model, editor.getPosition()?.lineNumber ?? 1) ?? packageOf(shownRepl());
      goToInput();
      const folder = JSON.stringify(`${folderPath(path)}/`);
      const code = `(cl:progn (cl:in-package ${JSON.stringify(inPackage)}) (cl:setf cl:*default-pathname-defaults* (uiop:ensure-directory-pathname ${folder})))`;
      return evaluate({ code, origin: 'repl', package: null, source: null });
    },
  },
];
