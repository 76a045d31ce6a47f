/** A button with a menu under it. Review steps aside while one is open. */
import type { ReactElement, ReactNode } from 'react';
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components';
import { useStepAside } from '../layout/step-aside.ts';
import { Keys } from './keys.tsx';

export interface MenuEntry {
  id: string;
  title: string;
  detail?: string | undefined;
  keys?: string | undefined;
  icon?: ReactNode;
  disabled?: boolean;
  run: () => void;
}

interface MenuGroup {
  id: string;
  title?: string;
  entries: MenuEntry[];
}

export interface MenuButtonProps {
  label: string;
  groups: MenuGroup[];
  /** The button itself. */
  children: ReactElement;
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right bottom';
}

export function MenuButton({ label, groups, children, placement = 'bottom start' }: MenuButtonProps) {
  const stepAside = useStepAside();
  const shown = groups.filter((group) => group.entries.length > 0);
  const entries = new Map(shown.flatMap((group) => group.entries.map((entry) => [entry.id, entry])));
  return (
    <MenuTrigger onOpenChange={stepAside}>
      {children}
      <Popover className="popover" placement={placement} offset={4}>
        <Menu className="menu" aria-label={label} onAction={(key) => entries.get(String(key))?.run()}>
          {shown.map((group, index) => (
            <MenuSection key={group.id} className="menu-section" aria-label={group.title ?? label}>
              {index > 0 ? <Separator className="menu-line" /> : null}
              {group.title ? <Header className="menu-head">{group.title}</Header> : null}
              {group.entries.map((entry) => (
                <MenuItem
                  key={entry.id}
                  id={entry.id}
                  textValue={entry.title}
                  isDisabled={entry.disabled ?? false}
                  className="menu-item"
                >
                  {entry.icon}
                  <span className="menu-title">{entry.title}</span>
                  {entry.detail ? <span className="menu-detail">{entry.detail}</span> : null}
                  {entry.keys ? <Keys keys={entry.keys} /> : null}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
