/** The symbol of a request that cannot be undone or changes a file that configures other programs. */
import { OctagonAlert } from 'lucide-react';
import { look } from '../../ui/look.ts';

/** `label` is the accessible name, used if no text is shown beside the symbol. */
export function DangerMark({ label }: { label?: string }) {
  const name = label === undefined ? { 'aria-hidden': true as const } : { role: 'img', 'aria-label': label };
  return <OctagonAlert className={look({ tone: 'dangerous' }, 'icon')} {...name} />;
}
