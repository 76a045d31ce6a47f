/** Draws pieces of inline Markdown as elements. A link asks the person before it opens its address. */
import type { ReactNode } from 'react';
import type { Inline } from './inlines.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { askToOpen } from '../../../base/notices/outside-link.tsx';
import { classes } from '../../../ui/look.ts';
import styles from './markdown-view.module.css';

export function inlines(parts: readonly Inline[]): ReactNode {
  // A piece can only be identified by its position, so the index is its key.
  // oxlint-disable-next-line react/no-array-index-key
  return parts.map((part, index) => <InlineView key={index} part={part} />);
}

function InlineView({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'text':
      return <>{part.text}</>;
    case 'code':
      return <code className={classes('code', styles.inline)}>{part.text}</code>;
    case 'strong':
      return <strong className={styles.strong}>{inlines(part.parts)}</strong>;
    case 'emphasis':
      return <em>{inlines(part.parts)}</em>;
    case 'deleted':
      return <del>{inlines(part.parts)}</del>;
    case 'link':
      return (
        <button
          type="button"
          className={styles.link}
          title={part.address}
          onClick={() => void orNotice(askToOpen(part.address))}
        >
          {inlines(part.parts)}
        </button>
      );
  }
}
