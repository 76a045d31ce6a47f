/**
 * The field above a list that filters it, with the number of remaining rows. Escape clears it, Down moves to the list, Enter opens the
 * first row.
 */
import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { Text } from '../layout.tsx';
import { look } from '../look.ts';
import styles from './fields.module.css';

export interface FilterFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The number of matches, shown on the right; a screen reader reads it with the list, not with the field. */
  count?: string;
  /** Opens or chooses the first remaining row. */
  onEnter?: () => void;
  /** Receives keys before the list handles them. */
  onKeyDown?: (event: KeyboardEvent) => void;
  /** The class that positions the field outside a panel. */
  className?: string | undefined;
  placeholder?: string;
  autoFocus?: boolean;
}

export function FilterField({
  label,
  value,
  onChange,
  count,
  onEnter,
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
      <Input
        placeholder={placeholder}
        spellCheck={false}
        onKeyDown={onKeyDown ?? ((event) => toList(event, onEnter))}
      />
      {count ? <Text font="small">{count}</Text> : null}
    </SearchField>
  );
}

function toList(event: KeyboardEvent<HTMLElement>, onEnter: (() => void) | undefined): void {
  if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const list = event.key === 'ArrowDown' ? listBeside(event.currentTarget) : null;
  if (list) list.focus();
  else if (event.key === 'Enter' && onEnter) onEnter();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const LISTS = '[role="tree"], [role="treegrid"], [role="listbox"]';

/** Returns the list nearest to a field, within its region of the window. */
function listBeside(field: HTMLElement): HTMLElement | null {
  for (let at: HTMLElement | null = field; at && !at.matches('[role="dialog"]'); at = at.parentElement) {
    const list = at.querySelector<HTMLElement>(LISTS);
    if (list || at.dataset['region'] !== undefined) return list;
  }
  return null;
}
