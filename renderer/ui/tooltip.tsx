/** What a thing is called, its keys, and, where it matters, what it means. */
import type { ReactElement } from 'react';
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

/** The same around text that is no button: it takes a place in the tab order, so that the explanation is reached without a mouse. */
export function Explained({ text, className, children }: { text: string; className?: string; children: ReactElement | string }) {
  return (
    <Hint text={text} placement="top">
      <Focusable>
        <span role="note" tabIndex={0} aria-description={text} className={className ?? ''}>
          {children}
        </span>
      </Focusable>
    </Hint>
  );
}
