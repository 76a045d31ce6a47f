/** Files and what is evaluated from them. */
import { FilePlus, FileText, FolderOpen, Play, RefreshCw, Save, ShieldCheck, SquarePlay, X } from 'lucide-react';
import { call } from '../bridge.ts';
import { activeEditor } from '../editor/active-editor.ts';
import { activeBuffer } from '../editor/buffers.ts';
import { evaluateAtCaret } from '../editor/evaluate.ts';
import { chooseFile, close, newFile, reload, save } from '../editor/files.ts';
import { clearResults, hasResults } from '../editor/results.ts';
import { showPage } from '../layout/layout-store.ts';
import { focusRegionSoon } from '../layout/regions.ts';
import { mirror } from '../mirror.ts';
import type { Command } from './registry.ts';

const withFile = (): true | string => (activeBuffer() ? true : 'with an open file');
const title = (): string | undefined => activeBuffer()?.title;

function inText(action: (id: string) => unknown): () => unknown {
  return () => {
    const buffer = activeBuffer();
    return buffer ? action(buffer.id) : undefined;
  };
}

export const editorCommands: Command[] = [
  {
    id: 'file.new',
    title: 'New File',
    keys: 'Ctrl+N',
    icon: FilePlus,
    run: () => {
      showPage('editor');
      newFile();
      focusRegionSoon('Editor');
    },
  },
  {
    id: 'file.open',
    title: 'Open File…',
    keys: 'Ctrl+O',
    icon: FileText,
    run: async () => {
      await chooseFile();
      showPage('editor');
      focusRegionSoon('Editor');
    },
  },
  {
    id: 'project.open',
    title: 'Open Folder…',
    keys: 'Ctrl+Shift+O',
    icon: FolderOpen,
    run: () => call('project.choose', {}),
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
    detail: () => (activeBuffer()?.dirty ? 'loses what is not saved' : title()),
    run: inText(reload),
  },
  { id: 'file.close', title: 'Close File', keys: 'Ctrl+W', icon: X, when: withFile, detail: title, run: inText(close) },
  {
    id: 'evaluate.form',
    title: 'Evaluate Form',
    keys: 'Ctrl+Enter',
    keysIn: 'Editor',
    icon: Play,
    when: withFile,
    run: () => evaluateAtCaret('form'),
  },
  {
    id: 'evaluate.topLevel',
    title: 'Evaluate Top-Level Form',
    keys: 'Alt+Enter',
    keysIn: 'Editor',
    icon: SquarePlay,
    when: withFile,
    run: () => evaluateAtCaret('topLevel'),
  },
  {
    id: 'evaluate.clearResults',
    title: 'Clear Inline Results',
    keys: 'Escape',
    keysIn: 'Editor',
    passes: true,
    when: () => (hasResults(activeEditor()?.getModel() ?? null) ? true : 'with results in the editor'),
    run: () => {
      const model = activeEditor()?.getModel();
      if (model) clearResults(model);
    },
  },
];
