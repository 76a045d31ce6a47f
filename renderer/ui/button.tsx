/** A button with a text label. A surface has only one primary button. */
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { look } from './look.ts';
import styles from './button.module.css';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  children: ReactNode;
  kind?: 'primary' | 'plain' | 'quiet' | 'link' | 'danger';
  size?: 'small' | 'medium' | 'large';
  icon?: ReactNode;
}

export function Button({ children, kind = 'plain', size = 'medium', icon, ...rest }: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      className={look(
        { flow: 'row', inline: true, justify: 'center', gap: 'mark', fixed: true, lines: 'one' },
        styles.button,
        styles[`button-${kind}`],
        styles[`button-${size}`],
      )}
    >
      {icon}
      <span>{children}</span>
    </AriaButton>
  );
}
