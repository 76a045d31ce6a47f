/** The rail: one button for each panel, settings at the bottom. */
import { type LucideIcon, Settings } from 'lucide-react';
import { Button } from 'react-aria-components';
import { commandKeys, runCommand } from '../base/keys/command-registry.ts';
import { Hint } from '../ui/menus/tooltip.tsx';
import { isWholePage, showPanel, useLayout } from '../base/layout/layout-store.ts';
import { focusCommandOf, panelsAt } from '../base/layout/panels.ts';
import { Stack, Text } from '../ui/layout.tsx';
import { look } from '../ui/look.ts';
import styles from './rail.module.css';

/** `hasLeft` is true if the left panel is visible. In a narrow window it is hidden while the user works in the editor. */
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
      {panelsAt('left', 'middle', 'page').map((panel) =>
        panel.icon === undefined ? null : (
          <Item
            key={panel.id}
            title={panel.title}
            command={focusCommandOf(panel)}
            Icon={panel.icon}
            selected={panel.place === 'left' ? !isWholePage(page) && hasLeft && left === panel.id : page === panel.id}
            onPress={() => (panel.place === 'left' ? showPanel(panel) : runCommand(focusCommandOf(panel)))}
          />
        ),
      )}
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
