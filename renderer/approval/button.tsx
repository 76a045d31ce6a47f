/** Buttons of the Review page: plain buttons and approve buttons. */
import { type ButtonHTMLAttributes, type KeyboardEvent, type MouseEvent, type Ref, useRef } from 'react';
import { counts } from './decision/click-guard.ts';
import { Box } from '../ui/layout.tsx';
import { classes, look } from '../ui/look.ts';
import styles from './button.module.css';

export interface PushProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'className'> {
  kind?: 'plain' | 'quiet' | 'link';
  size?: 'small' | 'large';
  ref?: Ref<HTMLButtonElement>;
}

export function Push({ kind = 'plain', size = 'large', children, ...rest }: PushProps) {
  return (
    <button
      type="button"
      className={look(
        { fixed: true, font: 'base-medium', lines: 'one' },
        styles.push,
        styles[`push-${kind}`],
        styles[`push-${size}`],
      )}
      {...rest}
    >
      {children}
    </button>
  );
}

export interface ApproveProps {
  label: string;
  /** The time, on the page's clock, at which the card's current state appeared. */
  shownAt: number;
  blocked: boolean;
  /** The id of the text that explains why the button is blocked. */
  describedBy: string;
  onApprove: () => void;
}

/**
 * An approve button. It reacts to the pointer and to Space, never to Enter. A press counts only if it began and ended while the button was
 * not blocked. A blocked button stays in the tab order, so that the focus does not jump away.
 */
export function Approve({ label, shownAt, blocked, describedBy, onApprove }: ApproveProps) {
  const pressedAt = useRef<number | null>(null);
  const press = (trusted: boolean): void => {
    pressedAt.current = trusted && !blocked ? performance.now() : -Infinity;
  };
  const release = (event: MouseEvent): void => {
    event.preventDefault();
    const pressed = pressedAt.current;
    pressedAt.current = null;
    const made = { trusted: event.nativeEvent.isTrusted, pressedAt: pressed, releasedAt: performance.now() };
    if (!blocked && pressed !== -Infinity && counts(made, shownAt)) onApprove();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') event.preventDefault();
    else if (event.key === ' ' && !event.repeat) press(event.nativeEvent.isTrusted);
  };
  return (
    <Box
      type="button"
      as="button"
      fixed
      font="base-medium"
      lines="one"
      className={classes(styles.push, styles['push-primary'], styles['push-large'])}
      aria-disabled={blocked}
      aria-describedby={describedBy}
      onPointerDown={(event) => press(event.nativeEvent.isTrusted)}
      onKeyDown={key}
      onClick={release}
    >
      {label}
    </Box>
  );
}
