/** A button that is only an icon: its name is its label and, with its keys, its tooltip. */
import type { ReactNode } from 'react';
import { Button, type ButtonProps } from 'react-aria-components';
import { Hint } from './tooltip.tsx';

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'className' | 'style' | 'aria-label'> {
  label: string;
  keys?: string | undefined;
  children: ReactNode;
  placement?: 'top' | 'bottom' | 'right' | 'left';
}

export function IconButton({ label, keys, children, placement = 'bottom', ...rest }: IconButtonProps) {
  return (
    <Hint text={label} keys={keys} placement={placement}>
      <Button {...rest} aria-label={label} className="icon-button">
        {children}
      </Button>
    </Hint>
  );
}
