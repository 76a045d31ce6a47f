/** Menus, and a button with a menu under it. Review steps aside while a menu is open. */
import type { ReactElement, ReactNode } from 'react';
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { useStepAside } from '../panels/step-aside.ts';
import { Keys } from './keys.tsx';
import { Truncate } from '../layout.tsx';
import { classes, look } from '../look.ts';
import styles from './menu.module.css';

export interface MenuEntry {
  id: string;
  title: string;
  detail?: string | undefined;
  keys?: string | undefined;
  icon?: ReactNode;
  disabled?: boolean;
  run: () => void;
}

export interface MenuGroup {
  id: string;
  title?: string;
  entries: MenuEntry[];
}

export interface MenuButtonProps {
  label: string;
  groups: readonly MenuGroup[];
  /** The button itself. */
  children: ReactElement;
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right bottom';
}

export function MenuButton({ label, groups, children, placement = 'bottom start' }: MenuButtonProps) {
  const stepAside = useStepAside();
  return (
    <MenuTrigger onOpenChange={stepAside}>
      {children}
      <Popover className={look({ surface: 3 }, styles.popover)} placement={placement} offset={4}>
        <MenuList label={label} groups={groups} />
      </Popover>
    </MenuTrigger>
  );
}

/** The menu itself. If `onClose` is passed, the menu belongs to no button and takes the focus. */
export function MenuList({
  label,
  groups,
  onClose,
}: {
  label: string;
  groups: readonly MenuGroup[];
  onClose?: () => void;
}) {
  const shown = groups.filter((group) => group.entries.length > 0);
  const entries = new Map(shown.flatMap((group) => group.entries.map((entry) => [entry.id, entry])));
  return (
    <Menu
      className={look({ padY: 1, padX: 1, scroll: true }, styles.menu)}
      aria-label={label}
      onAction={(key) => entries.get(String(key))?.run()}
      {...(onClose ? { onClose, autoFocus: 'first' as const } : {})}
    >
      {shown.map((group, index) => (
        <MenuSection key={group.id} aria-label={group.title ?? label}>
          {index > 0 ? <Separator className={classes(styles.line)} /> : null}
          {group.title ? (
            <Header className={look({ padY: 1, padX: 2, font: 'small-strong', tone: 2 })}>{group.title}</Header>
          ) : null}
          {group.entries.map((entry) => (
            <MenuItem
              key={entry.id}
              id={entry.id}
              textValue={entry.title}
              isDisabled={entry.disabled ?? false}
              className={look({ flow: 'row', gap: 2, padX: 2, font: 'base', round: 'inline' }, styles.item)}
            >
              {entry.icon}
              <Truncate fixed className={styles.title}>
                {entry.title}
              </Truncate>
              {entry.detail ? (
                <Truncate font="small" tone={3}>
                  {entry.detail}
                </Truncate>
              ) : null}
              {entry.keys ? <Keys keys={entry.keys} /> : null}
            </MenuItem>
          ))}
        </MenuSection>
      ))}
    </Menu>
  );
}
