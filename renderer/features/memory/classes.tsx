/** The classes of the objects in memory, with their numbers and sizes, sorted by a column of choice. */
import { ArrowDown } from 'lucide-react';
import { useMemo } from 'react';
import type { MemoryReport } from '#contract/image/profiling.ts';
import { showInstances } from './held-store.ts';
import type { Moment } from './store.ts';
import { Empty } from '../../ui/panels/empty.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import { sizeOf } from '../../ui/panels/sizes.ts';
import { Tree } from '../../ui/panels/tree.tsx';
import { type ClassRow, classRows, type MoreRow, type Order, signed, signedSize } from './memory-rows.ts';
import { useView, view } from './view-store.ts';
import styles from './panel.module.css';

const ROW = 22;

const COLUMNS: readonly { id: Order; title: string; meaning: string; isCompared?: true }[] = [
  { id: 'type', title: 'Class', meaning: 'Sort by name' },
  { id: 'count', title: 'Objects', meaning: 'Sort by number of objects' },
  { id: 'bytes', title: 'Bytes', meaning: 'Sort by bytes' },
  { id: 'moreObjects', title: '± Objects', meaning: 'Sort by growth in objects', isCompared: true },
  { id: 'moreBytes', title: '± Bytes', meaning: 'Sort by growth in bytes', isCompared: true },
];

export function Classes({ report, moment }: { report: MemoryReport; moment: Moment | null }) {
  const { filter, order, all } = useView();
  const rows = useMemo(
    () => classRows(report.types, { moment, filter, order, all }),
    [report, moment, filter, order, all],
  );
  const columns = COLUMNS.filter(({ isCompared }) => moment !== null || !isCompared);
  const grid = classes(styles.columns, moment === null ? undefined : styles.compared);
  return (
    <>
      <Row fixed padX={3} font="small" tone={3} edge="bottom" className={styles.head}>
        <span className={grid} role="group" aria-label="Sort classes by">
          {columns.map(({ id, title, meaning }) => (
            <button
              key={id}
              type="button"
              title={meaning}
              aria-pressed={order === id}
              className={look({ lines: 'one', tone: order === id ? 1 : 3 })}
              onClick={() => view.setState({ order: id })}
            >
              {title}
              {order === id && id !== 'type' ? <ArrowDown className="icon-tiny" aria-hidden /> : null}
            </button>
          ))}
        </span>
      </Row>
      {rows.length === 0 ? (
        <Empty title={`No class in memory has “${filter.trim()}” in its name.`} />
      ) : (
        <Tree<ClassRow | MoreRow>
          label="Classes of the objects in memory"
          rows={rows}
          rowSize={ROW}
          render={(row) => <Cells row={row} grid={grid} isCompared={moment !== null} />}
          hint={(row) => (row.kind === 'class' ? row.hint : undefined)}
          rowClass={() => styles.row ?? ''}
          onOpen={(row) => (row.kind === 'more' ? view.setState({ all: true }) : void showInstances(row.type))}
          onToggle={() => undefined}
        />
      )}
    </>
  );
}

function Cells({ row, grid, isCompared }: { row: ClassRow | MoreRow; grid: string; isCompared: boolean }) {
  if (row.kind === 'more')
    return (
      <Text font="small" tone={2}>
        {row.label}
      </Text>
    );
  const { type, count, bytes, moreObjects, moreBytes } = row;
  return (
    <span className={grid}>
      <Truncate className="code" tone={1}>
        {type.toLowerCase()}
      </Truncate>{' '}
      <Text font="small" tone={2}>
        {count.toLocaleString('en')}
      </Text>{' '}
      <Text font="small" tone={2}>
        {sizeOf(bytes)}
      </Text>{' '}
      {isCompared ? (
        <>
          <Text font="small" tone={moreObjects === 0 ? 3 : 1}>
            {signed(moreObjects)}
          </Text>{' '}
          <Text font="small" tone={moreBytes === 0 ? 3 : 1}>
            {signedSize(moreBytes)}
          </Text>
        </>
      ) : null}
    </span>
  );
}
