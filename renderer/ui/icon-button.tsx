/** A button with only an icon. Its label is its accessible name and, together with its keys, its tooltip. */
import type { ReactNode } from 'react';
import { Button, type ButtonProps } from 'react-aria-components';
import { Hint } from './menus/tooltip.tsx';
import { look } from './look.ts';
import styles from './button.module.css';

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'className' | 'style' | 'aria-label'> {
  label: string;
  keys?: string | undefined;
  children: ReactNode;
  placement?: 'top' | 'bottom' | 'right' | 'left';
  size?: 'small' | 'medium';
}

export function IconButton({ label, keys, children, placement = 'bottom', ...rest }: IconButtonProps) {
  return (
    <Hint text={label} keys={keys} placement={placement}>
      <PlainIconButton {...rest} aria-label={label}>
        {children}
      </PlainIconButton>
    </Hint>
  );
}

/** An icon button without a tooltip, for a button that opens a menu or is inside a field. */
export function PlainIconButton({
  size = 'small',
  ...rest
}: Omit<ButtonProps, 'className' | 'style'> & { size?: 'small' | 'medium' }) {
  return (
    <Button
      {...rest}
      className={look(
        { flow: 'row', inline: true, justify: 'center', fixed: true, tone: 2, round: 'control' },
        styles.iconButton,
        size === 'medium' ? styles.iconMedium : undefined,
      )}
    />
  );
}
