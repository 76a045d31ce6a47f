/** A text or a change on a card. If it is long, its middle is folded. */
import { UnfoldVertical } from 'lucide-react';
import { type CSSProperties, useMemo, useRef } from 'react';
import { visible } from '#contract/text/visible.ts';
import { CodeRows } from './code-rows.tsx';
import { foldOf, foldWords } from './folding.ts';
import type { Row as CodeLine } from './rows.ts';
import { Row, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './code.module.css';

export interface CodeBlockProps {
  label: string;
  rows: readonly CodeLine[];
  numbers: 1 | 2;
  opened: boolean;
  onOpen: () => void;
  /** True if the block has to be opened before approving. */
  required: boolean;
}

export function CodeBlock({ label, rows, numbers, opened, onOpen, required }: CodeBlockProps) {
  const element = useRef<HTMLDivElement>(null);
  const { fold, head, hidden, tail, digits } = useMemo(() => {
    const found = opened ? null : foldOf(rows.length);
    return {
      fold: found !== null,
      head: found ? rows.slice(0, found.head) : rows,
      hidden: found ? rows.slice(found.head, found.tail) : [],
      tail: found ? rows.slice(found.tail) : [],
      digits: digitsOf(rows),
    };
  }, [rows, opened]);
  const open = (): void => {
    // The button disappears when the part is opened, so the focus must move to the opened part.
    element.current?.focus({ preventScroll: true });
    onOpen();
  };
  const columns = { '--digits': digits, '--numbers': numbers } as CSSProperties;
  return (
    <div
      ref={element}
      className={look({ padY: 1, selectable: true }, styles.block, 'code', styles[`code-block-${numbers}`])}
      role="group"
      aria-label={visible(label)}
      tabIndex={-1}
      style={columns}
    >
      <CodeRows rows={head} numbers={numbers} />
      {fold ? (
        <>
          <Row
            type="button"
            as="button"
            gap={2}
            padX={4}
            font="small"
            tone={1}
            surface="parked"
            className={styles.fold}
            onClick={open}
          >
            <UnfoldVertical className="icon-small" aria-hidden />
            <span>
              {foldWords(hidden)}.{' '}
              <Text tone="accent" className={styles.foldAction}>
                {required ? 'Open before approving' : 'Open'}
              </Text>
            </span>
          </Row>
          <CodeRows rows={tail} numbers={numbers} />
        </>
      ) : null}
    </div>
  );
}

/** Returns the number of digits of the largest line number, at least two. */
function digitsOf(rows: readonly CodeLine[]): number {
  let largest = 0;
  for (const row of rows) if (row.kind === 'line') largest = Math.max(largest, row.before ?? 0, row.after ?? 0);
  return Math.max(2, String(largest).length);
}
