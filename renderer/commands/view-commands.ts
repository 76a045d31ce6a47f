/** Panels, regions, settings, help. */
import {
  Activity,
  ArrowRightToLine,
  Boxes,
  CircleHelp,
  Files,
  Flame,
  Footprints,
  FlaskConical,
  Keyboard,
  ListTree,
  MemoryStick,
  Moon,
  PanelBottom,
  PanelLeft,
  PanelRight,
  Search,
  Plug,
  Rows3,
  ScanLine,
  Settings,
  Sun,
  SunMoon,
  Contrast,
  WrapText,
  Terminal,
  Text,
  TriangleAlert,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import type { Settings as SettingsRecord } from '#contract/settings.ts';
import { call } from '../base/bridge.ts';
import {
  type DockPanel,
  hasRoomForLeft,
  hasRoomForSide,
  layout,
  type LeftPanel,
  showDock,
  showLeft,
  showPage,
  showSide,
} from '../base/layout-store.ts';
import { mirror } from '../base/mirror.ts';
import { hideRegion } from '../base/giving-back.ts';
import { openOverlay } from '../base/overlays.ts';
import { startSearch } from '../editor/project-search.ts';
import { activeEditor } from '../editor/active-editor.ts';
import { tabLeaves, toggleTabKey } from '../editor/tab-key.ts';
import { moveToRegion, showRegion } from '../base/regions.ts';
import { inputCaret } from '../features/repl/input-caret.ts';
import { type Command, currentKeymap } from '../features/command-registry.ts';
import { sayOfKeys } from '../features/key-state.ts';
import { KEYMAPS, keymapTitle } from '../features/keymaps/keymaps.ts';
import { changeSettings } from '../features/settings.ts';
import { showRecordings } from '../features/recordings/recordings-store.ts';

function left(panel: LeftPanel, region: string): () => void {
  return () => showRegion(region, () => showLeft(panel));
}

function dock(panel: DockPanel, region: string): () => void {
  return () => showRegion(region, () => showDock(panel));
}

function theme(choice: SettingsRecord['theme']): () => unknown {
  return () => changeSettings({ theme: choice });
}

function zoom(to: 'larger' | 'smaller' | 'actual'): () => unknown {
  return () => call('app.zoom', { to });
}

/** The selected text of the editor, or of the REPL's input while it has the keyboard, when it is a part of one line. */
function selectedLine(): string {
  const input = inputCaret();
  if (input) return input.selected.includes('\n') ? '' : input.selected;
  const editor = activeEditor();
  const selection = editor?.getSelection();
  if (!editor || !selection || selection.isEmpty() || selection.startLineNumber !== selection.endLineNumber) return '';
  return editor.getModel()?.getValueInRange(selection) ?? '';
}

export const viewCommands: Command[] = [
  {
    id: 'palette.open',
    title: 'Search or Run a Command',
    keys: 'Ctrl+Shift+P',
    run: () => openOverlay({ kind: 'palette', text: '' }),
  },
  {
    id: 'palette.definitions',
    title: 'Go to Definition…',
    keys: 'Ctrl+T',
    run: () => openOverlay({ kind: 'palette', text: '@' }),
  },
  {
    id: 'palette.files',
    title: 'Go to File…',
    keys: 'Ctrl+P',
    run: () => openOverlay({ kind: 'palette', text: '/' }),
  },
  {
    id: 'project.recent',
    title: 'Open Recent…',
    keys: 'Ctrl+R',
    run: () => openOverlay({ kind: 'palette', text: '~' }),
  },
  {
    id: 'palette.outline',
    title: 'Go to Definition in This File…',
    keys: 'Ctrl+Shift+R',
    run: () => openOverlay({ kind: 'palette', text: ':' }),
  },
  {
    id: 'palette.openFiles',
    title: 'Show an Open File…',
    run: () => openOverlay({ kind: 'palette', text: '%' }),
  },
  {
    id: 'palette.evaluate',
    title: 'Evaluate a Form…',
    run: () => openOverlay({ kind: 'palette', text: '(' }),
  },
  {
    id: 'view.editor',
    title: 'Editor: Focus',
    keys: 'Ctrl+1',
    icon: Text,
    run: () => showRegion('Editor', () => showPage('editor')),
  },
  { id: 'view.repl', title: 'REPL: Focus', keys: 'Ctrl+`', icon: Terminal, run: dock('repl', 'REPL') },
  {
    id: 'view.search',
    title: 'Find in Files…',
    keys: 'Ctrl+Shift+F',
    icon: Search,
    run: () => {
      startSearch(selectedLine());
      showRegion('Search', () => showDock('search'));
    },
  },
  {
    id: 'view.problems',
    title: 'Problems: Focus',
    keys: 'Ctrl+Shift+M',
    icon: TriangleAlert,
    run: dock('problems', 'Problems'),
  },
  { id: 'view.output', title: 'Output: Focus', keys: 'Ctrl+Shift+U', icon: Terminal, run: dock('output', 'Output') },
  { id: 'view.threads', title: 'Threads: Focus', icon: Rows3, run: dock('threads', 'Threads') },
  { id: 'view.memory', title: 'Memory: Focus', icon: MemoryStick, run: dock('memory', 'Memory') },
  {
    id: 'view.trace',
    title: 'Trace: Focus',
    icon: Footprints,
    run: () => {
      void showRecordings(false);
      dock('trace', 'Trace')();
    },
  },
  { id: 'view.coverage', title: 'Coverage: Focus', icon: ScanLine, run: dock('coverage', 'Coverage') },
  { id: 'view.profiler', title: 'Profiler: Focus', icon: Flame, run: dock('profiler', 'Profiler') },
  { id: 'view.files', title: 'Files: Focus', keys: 'Ctrl+Shift+E', icon: Files, run: left('files', 'Files') },
  {
    id: 'view.definitions',
    title: 'Definitions: Focus',
    keys: 'Ctrl+Shift+D',
    icon: ListTree,
    run: left('definitions', 'Definitions'),
  },
  { id: 'view.systems', title: 'Systems: Focus', keys: 'Ctrl+Shift+Y', icon: Boxes, run: left('systems', 'Systems') },
  { id: 'view.tests', title: 'Tests: Focus', keys: 'Ctrl+; T', icon: FlaskConical, run: left('tests', 'Tests') },
  { id: 'view.clients', title: 'Clients: Focus', keys: 'Ctrl+Shift+J', icon: Plug, run: left('clients', 'Clients') },
  {
    id: 'view.activity',
    title: 'Activity: Focus',
    keys: 'Ctrl+Shift+H',
    icon: Activity,
    run: () => showRegion('Activity', () => showPage('activity')),
  },
  {
    id: 'view.toggleLeft',
    title: 'Show or Hide Left Panel',
    keys: 'Ctrl+B',
    icon: PanelLeft,
    run: () =>
      hideRegion(() =>
        layout.setState(({ left: panel, over }) => {
          // In a narrow window the column lies over the editor, and is put away without being closed.
          if (!hasRoomForLeft(window.innerWidth) && panel !== null)
            return { page: 'editor', over: over === 'left' ? null : 'left' };
          return { page: 'editor', left: panel === null ? 'definitions' : null, over: panel === null ? 'left' : null };
        }),
      ),
  },
  {
    id: 'view.toggleDock',
    title: 'Show or Hide Dock',
    keys: 'Ctrl+J',
    icon: PanelBottom,
    run: () => hideRegion(() => layout.setState((state) => ({ page: 'editor', dockOpen: !state.dockOpen }))),
  },
  {
    id: 'view.wordWrap',
    title: 'Word Wrap: On or Off',
    keys: 'Alt+Z',
    icon: WrapText,
    run: () => changeSettings({ wordWrap: !mirror.getState().settings.wordWrap }),
  },
  {
    id: 'view.tabKey',
    title: 'Tab Key Moves the Focus: On or Off',
    keys: 'Ctrl+M',
    icon: ArrowRightToLine,
    when: () => activeEditor() !== null || 'with a text in the editor',
    detail: () => (tabLeaves() ? 'on' : 'off'),
    run: () => {
      toggleTabKey();
      sayOfKeys(tabLeaves() ? 'Tab goes on to the next control now.' : 'Tab indents in the editor again.');
    },
  },
  {
    id: 'view.toggleSide',
    title: 'Show or Hide Right Column',
    keys: 'Ctrl+Shift+L',
    icon: PanelRight,
    run: () => {
      const { sideOpen, left, side, over } = layout.getState();
      const hasRoom = hasRoomForSide(window.innerWidth, left !== null && hasRoomForLeft(window.innerWidth));
      if (hasRoom ? sideOpen : over === 'side')
        hideRegion(() => layout.setState({ sideOpen: sideOpen && !hasRoom, over: null }));
      else showSide(side);
    },
  },
  { id: 'regions.next', title: 'Next Region', keys: 'F6', run: () => moveToRegion(1) },
  { id: 'regions.previous', title: 'Previous Region', keys: 'Shift+F6', run: () => moveToRegion(-1) },
  {
    id: 'settings.open',
    title: 'Settings',
    keys: 'Ctrl+,',
    icon: Settings,
    run: () => openOverlay({ kind: 'settings' }),
  },
  { id: 'zoom.in', title: 'Zoom In', keys: 'Ctrl+=', icon: ZoomIn, run: zoom('larger') },
  { id: 'zoom.out', title: 'Zoom Out', keys: 'Ctrl+-', icon: ZoomOut, run: zoom('smaller') },
  { id: 'zoom.actual', title: 'Zoom: Actual Size', keys: 'Ctrl+0', icon: Search, run: zoom('actual') },
  { id: 'theme.light', title: 'Theme: Light', icon: Sun, run: theme('light') },
  { id: 'theme.dark', title: 'Theme: Dark', icon: Moon, run: theme('dark') },
  { id: 'theme.system', title: 'Theme: As the System', icon: SunMoon, run: theme('system') },
  {
    id: 'theme.contrast',
    title: 'High Contrast: On or Off',
    icon: Contrast,
    run: () => changeSettings({ contrast: mirror.getState().settings.contrast === 'more' ? 'system' : 'more' }),
  },
  {
    id: 'keymap.choose',
    title: 'Choose Keymap…',
    icon: Keyboard,
    detail: () => `${keymapTitle(currentKeymap())} now`,
    run: () => openOverlay({ kind: 'palette', text: '>Keymap: ' }),
  },
  ...KEYMAPS.map(({ value, title }): Command => ({
    id: `keymap.${value}`,
    title: `Keymap: ${title}`,
    icon: Keyboard,
    detail: () => (currentKeymap() === value ? 'chosen' : undefined),
    run: () => changeSettings({ keymap: value }),
  })),
  {
    id: 'help.keys',
    title: 'Keys and Commands',
    keys: 'F1',
    icon: CircleHelp,
    run: () => openOverlay({ kind: 'help' }),
  },
];
