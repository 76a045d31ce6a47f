/** The field above a list that narrows it, with the number of rows that are left. Escape empties it. */
import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { Text } from './layout.tsx';
import { look } from './look.ts';
import styles from './fields.module.css';

export interface FilterFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The number of matches, shown at the right; a screen reader reads it with the list, not with the field. */
  count?: string;
  /** Handles Down and Enter, which belong to the list below. */
  onKeyDown?: (event: KeyboardEvent) => void;
  /** The class that places the field, where it does not stand in a panel. */
  className?: string | undefined;
  placeholder?: string;
  autoFocus?: boolean;
}

export function FilterField({
  label,
  value,
  onChange,
  count,
  onKeyDown,
  className,
  placeholder = 'Filter',
  autoFocus = false,
}: FilterFieldProps) {
  return (
    <SearchField
      aria-label={label}
      value={value}
      onChange={onChange}
      autoFocus={autoFocus}
      className={look(
        { flow: 'row', gap: 2, padX: 2, tall: 'control', tone: 3, surface: 3 },
        styles.filter,
        className ?? styles.inPanel,
      )}
    >
      <Search className="icon" aria-hidden />
      <Input placeholder={placeholder} spellCheck={false} onKeyDown={onKeyDown ?? (() => undefined)} />
      {count ? <Text font="small">{count}</Text> : null}
    </SearchField>
  );
}
