/** A toggle chip that filters a list. */
import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components';
import { look } from '../look.ts';
import styles from './toggle-chip.module.css';

export interface ToggleChipProps {
  selected: boolean;
  onChange: (selected: boolean) => void;
  children: ReactNode;
}

export function ToggleChip({ selected, onChange, children }: ToggleChipProps) {
  return (
    <ToggleButton
      className={look(
        { flow: 'row', inline: true, gap: 2, padX: 3, tall: 'control', tone: 3, round: 'control' },
        styles.toggleChip,
      )}
      isSelected={selected}
      onChange={onChange}
    >
      {children}
    </ToggleButton>
  );
}
