/** The state of a test or a group, drawn as a shape with a colour. The row's name also states it. */
import { Check, Circle, CircleDashed, CircleSlash, CircleStop, CircleX, X } from 'lucide-react';
import type { TestState } from './outcomes.ts';
import { look } from '../../ui/look.ts';
import { Ring } from '../../ui/mark.tsx';

export function StateIcon({ state }: { state: TestState }) {
  switch (state) {
    case 'passed':
      return <Check className={look({ tone: 'success', fixed: true }, 'icon-small')} aria-hidden />;
    case 'failed':
      return <X className={look({ fixed: true }, 'icon-small error-mark')} aria-hidden />;
    case 'error':
      return <CircleX className={look({ fixed: true }, 'icon-small error-mark')} aria-hidden />;
    case 'skipped':
      return <CircleSlash className={look({ tone: 3, fixed: true }, 'icon-small')} aria-hidden />;
    case 'stopped':
      return <CircleStop className={look({ tone: 'warning', fixed: true }, 'icon-small')} aria-hidden />;
    case 'running':
      return <Ring />;
    case 'waiting':
      return <CircleDashed className={look({ tone: 3, fixed: true }, 'icon-small')} aria-hidden />;
    case 'unknown':
      return <Circle className={look({ tone: 3, fixed: true }, 'icon-small')} aria-hidden />;
  }
}
