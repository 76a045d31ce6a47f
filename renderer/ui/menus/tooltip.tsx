/** The tooltip of an element: its name, its keys and, if useful, an explanation. */
import { type ReactElement, type ReactNode, useContext } from 'react';
import {
  Focusable,
  Tooltip,
  TooltipContext,
  TooltipTrigger,
  TooltipTriggerStateContext,
  useSlottedContext,
} from 'react-aria-components';
import { belowBars } from '../panels/bar.tsx';
import { Keys } from './keys.tsx';
import { look } from '../look.ts';
import styles from './tooltip.module.css';

export interface HintProps {
  text: string;
  keys?: string | undefined;
  placement?: 'top' | 'bottom' | 'right' | 'left';
  /** A focusable react-aria element. */
  children: ReactElement;
}

export function Hint({ text, keys, placement = 'bottom', children }: HintProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <Bubble placement={placement}>
        <span>{text}</span>
        {keys ? <Keys keys={keys} /> : null}
      </Bubble>
    </TooltipTrigger>
  );
}

/** Pixels between an element and its tooltip, and the height of a one-line tooltip. */
const OFFSET = 6;
const HEIGHT = 28;

function Bubble({ placement, children }: Required<Pick<HintProps, 'placement'>> & { children: ReactNode }) {
  const thing = useSlottedContext(TooltipContext)?.triggerRef?.current;
  const isOpen = useContext(TooltipTriggerStateContext)?.isOpen ?? false;
  return (
    <Tooltip
      className={look({ flow: 'row', gap: 2, padY: 1, padX: 2, font: 'small', tone: 1, surface: 3 }, styles.tooltip)}
      placement={placement}
      offset={isOpen && thing && placement === 'bottom' ? belowBars(thing, OFFSET, HEIGHT) : OFFSET}
    >
      {children}
    </Tooltip>
  );
}

export interface ExplainedProps {
  label: string;
  text: string;
  icon?: ReactNode;
  className?: string;
}

/** A text with an explanation. It is in the tab order, so that the explanation can be read without a mouse. */
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
