/** The rail: one place a panel, settings at the foot. */
import {
  Activity,
  Boxes,
  Files as FilesIcon,
  FlaskConical,
  ListTree,
  type LucideIcon,
  Plug,
  Settings,
  Telescope,
} from 'lucide-react';
import { Button } from 'react-aria-components';
import { commandKeys, runCommand } from '../features/command-registry.ts';
import { Hint } from '../ui/tooltip.tsx';
import { type LeftPanel, showPage, showLeft, useLayout } from '../base/layout-store.ts';
import { Stack, Text } from '../ui/layout.tsx';
import { look } from '../ui/look.ts';
import styles from './rail.module.css';

const PANELS: { id: LeftPanel; title: string; command: string; Icon: LucideIcon }[] = [
  { id: 'files', title: 'Files', command: 'view.files', Icon: FilesIcon },
  { id: 'definitions', title: 'Definitions', command: 'view.definitions', Icon: ListTree },
  { id: 'systems', title: 'Systems', command: 'view.systems', Icon: Boxes },
  { id: 'tests', title: 'Tests', command: 'view.tests', Icon: FlaskConical },
];

/** `hasLeft`: whether the left panel is in sight; in a narrow window it is put away while the editor is worked in. */
export function Rail({ hasLeft }: { hasLeft: boolean }) {
  const left = useLayout((state) => state.left);
  const page = useLayout((state) => state.page);
  return (
    <Stack
      as="nav"
      gap={1}
      padY="mark"
      fixed
      surface={0}
      className={styles.rail}
      aria-label="Panels"
      data-region="Panels"
    >
      {PANELS.map(({ id, title, command, Icon }) => (
        <Item
          key={id}
          title={title}
          command={command}
          Icon={Icon}
          selected={page !== 'activity' && hasLeft && left === id}
          onPress={() => showLeft(id)}
        />
      ))}
      <Item
        title="Browser"
        command="view.browser"
        Icon={Telescope}
        selected={page === 'browser'}
        onPress={() => runCommand('view.browser')}
      />
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
        selected={page !== 'activity' && hasLeft && left === 'clients'}
        onPress={() => showLeft('clients')}
      />
      <Text grow />
      <Item title="Settings" command="settings.open" Icon={Settings} onPress={() => runCommand('settings.open')} />
    </Stack>
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
        className={look(
          { flow: 'row', justify: 'center', fixed: true, round: 'control' },
          styles.item,
          selected && styles.selected,
        )}
        aria-label={title}
        {...(selected === undefined ? {} : { 'aria-current': selected })}
        onPress={onPress}
      >
        <Icon className="icon-rail" aria-hidden />
      </Button>
    </Hint>
  );
}
