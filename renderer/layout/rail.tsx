/** The rail: one place a panel, settings at the foot. */
import './rail.css';
import { Activity, Boxes, ListTree, type LucideIcon, Plug, Settings } from 'lucide-react';
import { Button } from 'react-aria-components';
import { commandKeys, runCommand } from '../commands/registry.ts';
import { Hint } from '../ui/tooltip.tsx';
import { type LeftPanel, showPage, showLeft, useLayout } from './layout-store.ts';

const PANELS: { id: LeftPanel; title: string; command: string; Icon: LucideIcon }[] = [
  { id: 'definitions', title: 'Definitions', command: 'view.definitions', Icon: ListTree },
  { id: 'systems', title: 'Systems', command: 'view.systems', Icon: Boxes },
];

export function Rail() {
  const left = useLayout((state) => state.left);
  const page = useLayout((state) => state.page);
  return (
    <nav className="rail" aria-label="Panels" data-region="Panels">
      {PANELS.map(({ id, title, command, Icon }) => (
        <Item
          key={id}
          title={title}
          command={command}
          Icon={Icon}
          selected={page === 'editor' && left === id}
          onPress={() => showLeft(id)}
        />
      ))}
      <Item
        title="Activity"
        command="view.activity"
        Icon={Activity}
        selected={page === 'activity'}
        onPress={() => showPage('activity')}
      />
      <Item
        title="Clients"
        command="view.clients"
        Icon={Plug}
        selected={page === 'editor' && left === 'clients'}
        onPress={() => showLeft('clients')}
      />
      <span className="rail-gap" />
      <Item title="Settings" command="settings.open" Icon={Settings} onPress={() => runCommand('settings.open')} />
    </nav>
  );
}

function Item({
  title,
  command,
  Icon,
  selected,
  onPress,
}: {
  title: string;
  command: string;
  Icon: LucideIcon;
  selected?: boolean;
  onPress: () => void;
}) {
  return (
    <Hint text={title} keys={commandKeys(command)} placement="right">
      <Button
        className={`rail-item${selected ? ' rail-selected' : ''}`}
        aria-label={title}
        {...(selected === undefined ? {} : { 'aria-current': selected })}
        onPress={onPress}
      >
        <Icon className="icon-rail" aria-hidden />
      </Button>
    </Hint>
  );
}
