/** The field in a row of the tree in which the person types the name of a file or folder. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './files.module.css';

/** The maximum number of frames in which the field tries to take the focus. */
const MOST_TRIES = 30;

interface NameFieldProps {
  label: string;
  initial: string;
  /** The fault of the typed name; null if it can be used. */
  fault: string | null;
  onChange: (name: string) => void;
  onSubmit: () => void;
  onCancel: () => void;
}

export function NameField({ label, initial, fault, onChange, onSubmit, onCancel }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const faultId = useId();
  const [below, setBelow] = useState({ left: 0, top: 0, width: 0 });
  useLayoutEffect(() => {
    const box = field.current?.getBoundingClientRect();
    if (box) setBelow({ left: box.left, top: box.bottom, width: box.width });
  }, [fault]);
  /** False until the person presses a key or button. Before that, only a closing menu takes the focus from the field. */
  const touched = useRef(false);
  /** Focuses the field. A row that is not measured yet is hidden and cannot have the focus, so this is tried again in the next frames. */
  const takeFocus = (tries = MOST_TRIES): void => {
    const input = field.current;
    if (!input || touched.current || document.activeElement === input) return;
    input.focus();
    if (document.activeElement !== input && tries > 0) requestAnimationFrame(() => takeFocus(tries - 1));
  };
  useEffect(() => {
    // Selects the name without its folder and its extension.
    const from = initial.lastIndexOf('/') + 1;
    const dot = initial.lastIndexOf('.');
    field.current?.setSelectionRange(from, dot > from ? dot : initial.length);
    takeFocus();
    const press = (): void => void (touched.current = true);
    const kinds = ['keydown', 'pointerdown'];
    for (const kind of kinds) window.addEventListener(kind, press, { capture: true });
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, press, { capture: true });
    };
    // Runs once for each field, which starts with its name.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [initial]);
  return (
    <>
      <input
        ref={field}
        type="text"
        className={look({ font: 'base', selectable: true, round: 'inline' }, styles.name)}
        aria-label={label}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : faultId}
        data-region-focus
        defaultValue={initial}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onClick={(event) => event.stopPropagation()}
        onDragStart={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter') onSubmit();
          else onCancel();
        }}
        onBlur={() => {
          if (!touched.current) setTimeout(takeFocus, 0);
          else if (document.hasFocus()) onCancel();
        }}
      />
      {fault === null
        ? null
        : // The fault covers the rows below the field, so that no row moves. In the panel it would be cut off.
          createPortal(
            <Text
              as="p"
              id={faultId}
              role="alert"
              surface={3}
              padX={2}
              padY={1}
              font="small"
              tone="error"
              breaks
              className={styles.fault}
              style={below}
            >
              {fault}
            </Text>,
            document.body,
          )}
    </>
  );
}
