/** A toggle button with only an icon. Its label is its accessible name and, together with its keys, its tooltip. */
import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components';
import { Hint } from '../menus/tooltip.tsx';
import { look } from '../look.ts';
import styles from './icon-toggle.module.css';

export interface IconToggleProps {
  label: string;
  keys?: string | undefined;
  selected: boolean;
  onChange: (selected: boolean) => void;
  children: ReactNode;
}

export function IconToggle({ label, keys, selected, onChange, children }: IconToggleProps) {
  return (
    <Hint text={label} keys={keys}>
      <ToggleButton
        aria-label={label}
        className={look(
          { flow: 'row', inline: true, justify: 'center', fixed: true, tone: 3, round: 'control' },
          styles.iconToggle,
        )}
        isSelected={selected}
        onChange={onChange}
      >
        {children}
      </ToggleButton>
    </Hint>
  );
}
