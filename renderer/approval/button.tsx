/** Buttons of the Review page: plain buttons, and buttons that decide, which have keys. */
import {
  type ButtonHTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useRef,
} from 'react';
import { CARD_KEYS } from '#contract/decisions/card-keys.ts';
import { counts } from './decision/click-guard.ts';
import { useChord } from './decision/use-chord.ts';
import { Box } from '../ui/layout.tsx';
import { keyText } from '../ui/menus/key-strokes.ts';
import { Keys } from '../ui/menus/keys.tsx';
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

export interface DenyProps extends Pick<PushProps, 'aria-describedby' | 'disabled'> {
  children: ReactNode;
  ref?: RefObject<HTMLButtonElement | null>;
  /** The keys of the button, shown under the pointer, and with `drawn` on the button. */
  keys: string;
  drawn?: boolean;
  onDeny: () => void;
}

/** A button that denies, or that opens the form for the reason. It also reacts to its keys. */
export function Deny({ children, ref, keys, drawn = false, onDeny, ...rest }: DenyProps) {
  const own = useRef<HTMLButtonElement>(null);
  const button = ref ?? own;
  const deny = (): void => {
    if (!rest.disabled) onDeny();
  };
  useChord(keys, button, deny);
  return (
    <Push
      ref={button}
      aria-label="Deny"
      title={keyText(keys)}
      {...rest}
      onClick={(event) => event.nativeEvent.isTrusted && deny()}
    >
      {children}
      {drawn ? <Keys keys={keys} drawn /> : null}
    </Push>
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
 * An approve button. It reacts to the pointer, to Space and to its keys, never to Enter. A press counts only if it began and ended while the
 * button was not blocked. A blocked button stays in the tab order, so that the focus does not jump away.
 */
export function Approve({ label, shownAt, blocked, describedBy, onApprove }: ApproveProps) {
  const pressedAt = useRef<number | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useChord(CARD_KEYS.approve.keys, button, () => {
    const now = performance.now();
    if (!blocked && counts({ trusted: true, pressedAt: now, releasedAt: now }, shownAt)) onApprove();
  });
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
      ref={button}
      type="button"
      as="button"
      fixed
      font="base-medium"
      lines="one"
      className={classes(styles.push, styles['push-primary'], styles['push-large'])}
      aria-label={label}
      aria-disabled={blocked}
      aria-describedby={describedBy}
      onPointerDown={(event) => press(event.nativeEvent.isTrusted)}
      onKeyDown={key}
      onClick={release}
    >
      {label}
      <Keys keys={CARD_KEYS.approve.keys} drawn />
    </Box>
  );
}
