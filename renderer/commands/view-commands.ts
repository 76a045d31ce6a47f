/** Panels, regions, settings, help. */
import {
  Activity,
  Boxes,
  CircleHelp,
  ListTree,
  Moon,
  PanelBottom,
  PanelLeft,
  Plug,
  Settings,
  Sun,
  SunMoon,
  Terminal,
  Text,
} from 'lucide-react';
import type { Settings as SettingsRecord } from '#contract/settings.ts';
import { call } from '../bridge.ts';
import { activeEditor } from '../editor/active-editor.ts';
import { type DockPanel, layout, type LeftPanel, showDock, showLeft, showPage } from '../layout/layout-store.ts';
import { openOverlay } from '../layout/overlays.ts';
import { focusRegionSoon, moveToRegion } from '../layout/regions.ts';
import type { Command } from './registry.ts';

function left(panel: LeftPanel, region: string): () => void {
  return () => {
    showLeft(panel);
    focusRegionSoon(region);
  };
}

function dock(panel: DockPanel, region: string): () => void {
  return () => {
    showDock(panel);
    focusRegionSoon(region);
  };
}

function theme(choice: SettingsRecord['theme']): () => unknown {
  return () => call('settings.change', { theme: choice });
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
    id: 'view.editor',
    title: 'Editor: Focus',
    keys: 'Ctrl+1',
    icon: Text,
    run: () => {
      showPage('editor');
      requestAnimationFrame(() => activeEditor()?.focus());
    },
  },
  { id: 'view.repl', title: 'REPL: Focus', keys: 'Ctrl+`', icon: Terminal, run: dock('repl', 'REPL') },
  { id: 'view.output', title: 'Output: Focus', keys: 'Ctrl+Shift+U', icon: Terminal, run: dock('output', 'Output') },
  {
    id: 'view.definitions',
    title: 'Definitions: Focus',
    keys: 'Ctrl+Shift+D',
    icon: ListTree,
    run: left('definitions', 'Definitions'),
  },
  { id: 'view.systems', title: 'Systems: Focus', keys: 'Ctrl+Shift+Y', icon: Boxes, run: left('systems', 'Systems') },
  { id: 'view.clients', title: 'Clients: Focus', keys: 'Ctrl+Shift+J', icon: Plug, run: left('clients', 'Clients') },
  {
    id: 'view.activity',
    title: 'Activity: Focus',
    keys: 'Ctrl+Shift+H',
    icon: Activity,
    run: () => {
      showPage('activity');
      focusRegionSoon('Activity');
    },
  },
  {
    id: 'view.toggleLeft',
    title: 'Show or Hide Left Panel',
    keys: 'Ctrl+B',
    icon: PanelLeft,
    run: () => layout.setState((state) => ({ page: 'editor', left: state.left === null ? 'definitions' : null })),
  },
  {
    id: 'view.toggleDock',
    title: 'Show or Hide Dock',
    keys: 'Ctrl+J',
    icon: PanelBottom,
    run: () => layout.setState((state) => ({ page: 'editor', dockOpen: !state.dockOpen })),
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
  { id: 'theme.light', title: 'Theme: Light', icon: Sun, run: theme('light') },
  { id: 'theme.dark', title: 'Theme: Dark', icon: Moon, run: theme('dark') },
  { id: 'theme.system', title: 'Theme: As the System', icon: SunMoon, run: theme('system') },
  {
    id: 'help.keys',
    title: 'Keys and Commands',
    keys: 'F1',
    icon: CircleHelp,
    run: () => openOverlay({ kind: 'help' }),
  },
];
