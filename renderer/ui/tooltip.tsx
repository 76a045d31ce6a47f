/** What a thing is called, its keys, and, where it matters, what it means. */
import type { ReactElement, ReactNode } from 'react';
import { Focusable, Tooltip, TooltipTrigger } from 'react-aria-components';
import { Keys } from './keys.tsx';

export interface HintProps {
  text: string;
  keys?: string | undefined;
  placement?: 'top' | 'bottom' | 'right' | 'left';
  /** A focusable element of react-aria. */
  children: ReactElement;
}

export function Hint({ text, keys, placement = 'bottom', children }: HintProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <Tooltip className="tooltip" placement={placement} offset={6}>
        <span>{text}</span>
        {keys ? <Keys keys={keys} /> : null}
      </Tooltip>
    </TooltipTrigger>
  );
}

export interface ExplainedProps {
  label: string;
  text: string;
  icon?: ReactNode;
  className?: string;
}

/** Words with an explanation. They take a place in the tab order, so that it is reached without a mouse. */
export function Explained({ label, text, icon, className }: ExplainedProps) {
  return (
    <Hint text={text} placement="top">
      <Focusable>
        <span role="note" tabIndex={0} aria-label={`${label}. ${text}`} className={className ?? ''}>
          {icon}
          {label}
        </span>
      </Focusable>
    </Hint>
  );
}
