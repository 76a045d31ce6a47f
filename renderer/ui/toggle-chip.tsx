/** A chip that is on or off: what a list shows. */
import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components';

export interface ToggleChipProps {
  selected: boolean;
  onChange: (selected: boolean) => void;
  children: ReactNode;
}

export function ToggleChip({ selected, onChange, children }: ToggleChipProps) {
  return (
    <ToggleButton className="toggle-chip" isSelected={selected} onChange={onChange}>
      {children}
    </ToggleButton>
  );
}
