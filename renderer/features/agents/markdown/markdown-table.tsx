/** A Markdown table. It scrolls sideways if it is wider than the panel. If there are too many rows, the editor shows the others. */
import { memo } from 'react';
import { plural } from '#contract/text/text.ts';
import { openText } from '../../../editor/text/whole-text.ts';
import type { Alignment, Block } from './blocks.ts';
import { inlinesOf } from './inlines.ts';
import { Button } from '../../../ui/button.tsx';
import { Box } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import { CopyBlock } from '../panel/copy-block.tsx';
import { inlines } from './markdown-inlines.tsx';
import styles from './markdown-view.module.css';

const ALIGNED: Readonly<Record<Alignment, string | undefined>> = {
  start: undefined,
  center: styles.center,
  end: styles.end,
};

/** The maximum number of rows that are drawn. */
const MOST_ROWS = 200;

export function Table({ table, title }: { table: Extract<Block, { kind: 'table' }>; title: string }) {
  const { head, rows, text } = table;
  const more = rows.length - MOST_ROWS;
  const size = `${plural(head.columns.length, 'column')}, ${plural(rows.length, 'row')}`;
  return (
    <CopyBlock text={text} what="the table">
      <Box scroll round="control" className={styles.tableFrame} tabIndex={0} role="group" aria-label={`Table, ${size}`}>
        <table className={styles.table}>
          <thead>
            <Cells cells={head.cells} columns={head.columns} isHead />
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map((cells, index) => (
              // A row can only be identified by its position, so the index is its key.
              // oxlint-disable-next-line react/no-array-index-key
              <Cells key={index} cells={cells} columns={head.columns} />
            ))}
          </tbody>
        </table>
      </Box>
      {more > 0 ? (
        <Button size="small" kind="link" onPress={() => openText(`Table from ${title}`, text)}>
          {`Open full table, ${plural(more, 'more row')}`}
        </Button>
      ) : null}
    </CopyBlock>
  );
}

interface CellsProps {
  readonly cells: readonly string[];
  readonly columns: readonly Alignment[];
  readonly isHead?: boolean;
}

/** An unchanged row is not parsed again while other rows arrive. */
const Cells = memo(
  function Cells({ cells, columns, isHead = false }: CellsProps) {
    const Cell = isHead ? 'th' : 'td';
    return (
      <tr>
        {columns.map((alignment, index) => (
          <Cell
            // A column can only be identified by its position, so the index is its key.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            className={classes(ALIGNED[alignment])}
            {...(isHead ? { scope: 'col' } : {})}
          >
            {inlines(inlinesOf(cells[index]!))}
          </Cell>
        ))}
      </tr>
    );
  },
  (before, after) => same(before.cells, after.cells) && same(before.columns, after.columns),
);

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}
