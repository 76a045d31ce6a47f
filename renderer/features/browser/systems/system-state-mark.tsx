/** The mark for the state of a system or file in the image. The shapes are distinguishable without colour. */
import { Check, Circle, CircleDot, CircleQuestionMark, CircleX } from 'lucide-react';
import { look } from '../../../ui/look.ts';
import type { SystemNode } from './dependencies.ts';

export function SystemStateMark({ state }: { state: SystemNode['state'] | 'new' }) {
  switch (state) {
    case 'loaded':
      return <Check className={look({ tone: 'success', fixed: true }, 'icon-small')} aria-hidden />;
    case 'changed':
      return <CircleDot className={look({ tone: 'warning', fixed: true }, 'icon-small')} aria-hidden />;
    case 'missing':
      return <CircleQuestionMark className={look({ tone: 'error', fixed: true }, 'icon-small')} aria-hidden />;
    case 'failed':
    case 'broken':
      return <CircleX className={look({ tone: 'error', fixed: true }, 'icon-small')} aria-hidden />;
    case 'defined':
    case 'new':
      return <Circle className={look({ tone: 3, fixed: true }, 'icon-small')} aria-hidden />;
  }
}
