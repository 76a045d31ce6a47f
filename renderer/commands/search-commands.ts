/** Commands that turn the ways of searching in files on and off. */
import { CaseSensitive, type LucideIcon, Regex, WholeWord } from 'lucide-react';
import { layout } from '../base/layout-store.ts';
import { isSearchOn, type SearchToggle, toggleSearch } from '../editor/project-search.ts';
import type { Command } from '../features/command-registry.ts';

const withSearch = (): true | string => {
  const { page, dock, dockOpen } = layout.getState();
  return (page !== 'activity' && dockOpen && dock === 'search') || 'with the panel Search open';
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

export const searchCommands: Command[] = [
  toggle('matchCase', 'Match Case', 'Alt+C', CaseSensitive),
  toggle('wholeWord', 'Whole Word', 'Alt+W', WholeWord),
  toggle('regex', 'Regular Expression', 'Alt+R', Regex),
];
