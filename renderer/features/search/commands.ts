/** Commands of the search in files: opening it, and toggling its options. */
import { CaseSensitive, type LucideIcon, Regex, Search, WholeWord } from 'lucide-react';
import { inputCaret } from '../../base/image/input-caret.ts';
import { isDockInSight, layout, showDock } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { isSearchOn, type SearchToggle, startSearch, toggleSearch } from '../../editor/text/project-search.ts';
import type { Command } from '../../base/keys/command-registry.ts';

const withSearch = (): true | string => {
  const state = layout.getState();
  return (isDockInSight(state) && state.dock === 'search') || 'with the panel Search open';
};

function toggle(which: SearchToggle, title: string, keys: string, icon: LucideIcon): Command {
  return {
    id: `search.${which}`,
    title: `Find in Files: ${title}`,
    keys,
    keysIn: 'Search',
    icon,
    when: withSearch,
    detail: () => (isSearchOn(which) ? 'on' : 'off'),
    run: () => toggleSearch(which),
  };
}

/** Returns the text selected in the editor, or in the REPL's input if that has the focus; empty unless it is within one line. */
function selectedLine(): string {
  const input = inputCaret();
  if (input) return input.selected.includes('\n') ? '' : input.selected;
  const editor = activeEditor();
  const selection = editor?.getSelection();
  if (!editor || !selection || selection.isEmpty() || selection.startLineNumber !== selection.endLineNumber) return '';
  return editor.getModel()?.getValueInRange(selection) ?? '';
}

export const searchCommands: Command[] = [
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
  toggle('matchCase', 'Match Case', 'Alt+C', CaseSensitive),
  toggle('wholeWord', 'Whole Word', 'Alt+W', WholeWord),
  toggle('regex', 'Regular Expression', 'Alt+R', Regex),
];
