/** The field above a list that narrows it, with the number of rows that are left. Escape empties it. */
import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Input, SearchField } from 'react-aria-components';

export interface FilterFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Shown at the right; read as part of the list, not of the field. */
  count?: string;
  /** Down and Enter belong to the list below. */
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function FilterField({ label, value, onChange, count, onKeyDown }: FilterFieldProps) {
  return (
    <SearchField aria-label={label} value={value} onChange={onChange} className="filter-field">
      <Search className="icon" aria-hidden />
      <Input placeholder="Filter" spellCheck={false} onKeyDown={onKeyDown ?? (() => undefined)} />
      {count ? <span className="filter-count">{count}</span> : null}
    </SearchField>
  );
}
