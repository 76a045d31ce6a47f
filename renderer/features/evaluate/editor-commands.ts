/** Commands on files and on evaluating their text. */
import {
  FilePlus,
  FileText,
  FolderOpen,
  Hammer,
  Play,
  RefreshCw,
  Save,
  SaveAll,
  ShieldCheck,
  SquarePlay,
  TextSelect,
  X,
  Bug,
} from 'lucide-react';
import { plural } from '#contract/text/text.ts';
import { call } from '../../base/bridge.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { activeBuffer, buffers } from '../../editor/text/buffers.ts';
import { compileFile, compileTopLevel } from './compile.ts';
import { evaluateAtCaret, evaluateInRepl } from './evaluate.ts';
import { closeAll, closeOthers, closeShown } from '../../editor/files/closing.ts';
import { chooseFile, newFile, reload, save } from '../../editor/files/files.ts';
import { focusedGroup, type Group } from '../../editor/groups/groups.ts';
import { lastClosedFile } from '../../editor/files/recent-files.ts';
import { saveAll, unsaved } from '../../editor/files/save-all.ts';
import { workOnFile } from '../../editor/files/work-on-file.ts';
import { closeOpenedResults, openResultAtCaret } from './opened-results.ts';
import { hideHover, showsHover } from '../../editor/monaco/passing-hints.ts';
import { clearResults, hasResults } from './results.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { mirror } from '../../base/mirror.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { chooseFolder } from '../../base/open-folder.ts';

const withFile = (): true | string => (activeBuffer() ? true : 'with an open file');
const title = (): string | undefined => activeBuffer()?.title;

function inText(action: (id: string) => unknown): () => unknown {
  return () => {
    const buffer = activeBuffer();
    return buffer ? action(buffer.id) : undefined;
  };
}

const focused = (): Group => focusedGroup(buffers.getState().groups);

function closeOtherTabs(): Promise<void> | undefined {
  const { id, shown } = focused();
  return shown === null ? undefined : closeOthers(shown, id);
}

export const editorCommands: Command[] = [
  {
    id: 'file.new',
    title: 'New File',
    keys: 'Ctrl+N',
    icon: FilePlus,
    run: () =>
      showRegion('Editor', () => {
        showPage('editor');
        newFile();
      }),
  },
  {
    id: 'file.open',
    title: 'Open File…',
    keys: 'Ctrl+O',
    icon: FileText,
    run: async () => {
      if (await chooseFile()) showRegion('Editor', () => showPage('editor'));
    },
  },
  {
    id: 'file.reopen',
    title: 'Reopen the Closed File',
    keys: 'Ctrl+Shift+T',
    icon: FileText,
    when: () => lastClosedFile() !== null || 'after a file was closed',
    run: async () => {
      const path = lastClosedFile();
      if (path !== null) await workOnFile(path);
    },
  },
  {
    id: 'project.open',
    title: 'Open Folder…',
    keys: 'Ctrl+Shift+O',
    icon: FolderOpen,
    run: chooseFolder,
  },
  {
    id: 'project.trust',
    title: 'Trust This Folder',
    icon: ShieldCheck,
    when: () => mirror.getState().project?.trusted === false || 'with a folder that is not trusted yet',
    run: () => call('project.trust', {}),
  },
  {
    id: 'file.save',
    title: 'Save File',
    keys: 'Ctrl+S',
    icon: Save,
    when: withFile,
    detail: title,
    run: inText((id) => save(id)),
  },
  {
    id: 'file.saveAll',
    title: 'Save All Files',
    keys: 'Ctrl+Alt+S',
    icon: SaveAll,
    when: () => unsaved().length > 0 || 'with an unsaved file',
    detail: () => plural(unsaved().length, 'file'),
    run: saveAll,
  },
  {
    id: 'file.saveAs',
    title: 'Save File As…',
    keys: 'Ctrl+Shift+S',
    icon: Save,
    when: withFile,
    detail: title,
    run: inText((id) => save(id, true)),
  },
  {
    id: 'file.reload',
    title: 'Reload File from Disk',
    icon: RefreshCw,
    when: () => (activeBuffer()?.path == null ? 'with a saved file' : true),
    detail: () => (activeBuffer()?.dirty ? 'loses unsaved changes' : title()),
    run: inText(reload),
  },
  { id: 'file.close', title: 'Close File', keys: 'Ctrl+W', icon: X, when: withFile, detail: title, run: closeShown },
  {
    id: 'file.closeOthers',
    title: 'Close Others',
    icon: X,
    when: () => focused().tabs.length > 1 || 'with two files open',
    detail: () => `all tabs of the group but ${title() ?? ''}`,
    run: closeOtherTabs,
  },
  {
    id: 'file.closeAll',
    title: 'Close All',
    icon: X,
    when: withFile,
    detail: () => 'all tabs of the group',
    run: () => closeAll(focused().id),
  },
  { id: 'window.close', title: 'Close Window', icon: X, run: () => window.close() },
  {
    id: 'evaluate.form',
    title: 'Evaluate Form',
    keys: 'Ctrl+Enter',
    keysIn: 'Editor text',
    icon: Play,
    when: withFile,
    run: () => evaluateAtCaret('form'),
  },
  {
    id: 'evaluate.topLevel',
    title: 'Evaluate Top-Level Form',
    keys: 'Alt+Enter',
    keysIn: 'Editor text',
    icon: SquarePlay,
    when: withFile,
    run: () => evaluateAtCaret('topLevel'),
  },
  {
    id: 'evaluate.inRepl',
    title: 'Evaluate Form in the REPL',
    icon: Play,
    when: withFile,
    run: evaluateInRepl,
  },
  {
    id: 'evaluate.buffer',
    title: 'Evaluate Buffer',
    icon: SquarePlay,
    when: withFile,
    detail: title,
    run: () => evaluateAtCaret('buffer'),
  },
  {
    id: 'evaluate.compileTopLevel',
    title: 'Compile Top-Level Form',
    keys: 'Alt+Shift+Enter',
    keysIn: 'Editor text',
    icon: Hammer,
    when: withFile,
    run: () => compileTopLevel(),
  },
  {
    id: 'evaluate.compileForDebugging',
    title: 'Compile Top-Level Form for Debugging',
    keysIn: 'Editor text',
    icon: Bug,
    when: withFile,
    run: () => compileTopLevel(true),
  },
  {
    id: 'evaluate.compileFile',
    title: 'Compile and Load File',
    keys: 'Ctrl+Shift+B',
    icon: Hammer,
    when: withFile,
    detail: title,
    run: () => compileFile(),
  },
  {
    id: 'evaluate.compileFileOnly',
    title: 'Compile File Without Loading It',
    icon: Hammer,
    when: withFile,
    detail: title,
    run: () => compileFile({ loads: false }),
  },
  {
    id: 'evaluate.openResult',
    title: 'Open Result',
    keys: 'Ctrl+Alt+Enter',
    keysIn: ['Editor text', 'Opened result'],
    icon: TextSelect,
    when: () => hasResults(activeEditor()?.getModel() ?? null) || 'with results in the editor',
    run: openResultAtCaret,
  },
  {
    id: 'evaluate.clearResults',
    title: 'Close or Clear Inline Results',
    keys: 'Escape',
    keysIn: ['Editor text', 'Opened result'],
    passes: true,
    when: () => hasResults(activeEditor()?.getModel() ?? null) || 'with results in the editor',
    run: () => {
      const editor = activeEditor();
      const model = editor?.getModel();
      if (!editor || !model) return;
      // Closes a hover over the text first.
      if (showsHover(editor)) hideHover(editor);
      else if (!closeOpenedResults()) clearResults(model);
    },
  },
];
