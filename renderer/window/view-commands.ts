/** Commands for panels, regions, settings and help. */
import {
  ArrowRightToLine,
  CircleHelp,
  Keyboard,
  Moon,
  PanelBottom,
  PanelLeft,
  PanelRight,
  Search,
  Settings,
  Sun,
  SunMoon,
  Contrast,
  WrapText,
  Text,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import type { Settings as SettingsRecord } from '#contract/settings.ts';
import { call } from '../base/bridge.ts';
import { hasRoomForLeft, hasRoomForSide, layout, showPage, showPanel, showSide } from '../base/layout/layout-store.ts';
import { focusCommandOf, type Panel } from '../base/layout/panels.ts';
import { mirror } from '../base/mirror.ts';
import { hideRegion } from '../base/layout/giving-back.ts';
import { openOverlay } from '../base/layout/overlays.ts';
import { activeEditor } from '../editor/groups/active-editor.ts';
import { tabLeaves, toggleTabKey } from '../editor/typing/tab-key.ts';
import { moveToRegion, showRegion } from '../base/layout/regions.ts';
import { type Command, currentKeymap } from '../base/keys/command-registry.ts';
import { sayOfKeys } from '../base/keys/key-state.ts';
import { KEYMAPS, keymapTitle } from '../base/keys/keymaps.ts';
import { changeSettings } from '../base/change-settings.ts';

function theme(choice: SettingsRecord['theme']): () => unknown {
  return () => changeSettings({ theme: choice });
}

function zoom(to: 'larger' | 'smaller' | 'actual'): () => unknown {
  return () => call('app.zoom', { to });
}

/** Returns the commands that focus the registered panels, except for panels with their own command among `commands`. */
export function panelCommands(commands: readonly Command[], panels: readonly Panel[]): Command[] {
  const own = new Set(commands.map(({ id }) => id));
  return panels
    .filter((panel) => !own.has(focusCommandOf(panel)))
    .map((panel) => ({
      id: focusCommandOf(panel),
      title: `${panel.title}: Focus`,
      ...(panel.keys === undefined ? {} : { keys: panel.keys }),
      ...(panel.icon === undefined ? {} : { icon: panel.icon }),
      run: () => showRegion(panel.title, () => showPanel(panel)),
    }));
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
  {
    id: 'view.toggleLeft',
    title: 'Show or Hide Left Panel',
    keys: 'Ctrl+B',
    icon: PanelLeft,
    run: () =>
      hideRegion(() =>
        layout.setState(({ left: panel, over }) => {
          // In a narrow window the column covers the editor, and is hidden without being closed.
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
    when: () => activeEditor() !== null || 'with an open text in the editor',
    detail: () => (tabLeaves() ? 'on' : 'off'),
    run: () => {
      toggleTabKey();
      sayOfKeys(tabLeaves() ? 'Tab now moves to the next control.' : 'Tab indents in the editor again.');
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
  { id: 'theme.system', title: 'Theme: Same as System', icon: SunMoon, run: theme('system') },
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
