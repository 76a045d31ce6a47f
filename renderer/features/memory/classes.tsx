/** The classes of the objects in memory, with the number and total size of their objects, sorted by a chosen column. */
import { useMemo } from 'react';
import type { MemoryReport } from '#contract/image/observation/profiling.ts';
import { showInstances } from './held-store.ts';
import type { Moment } from './store.ts';
import { Empty } from '../../ui/panels/empty.tsx';
import { Text } from '../../ui/layout.tsx';
import { sizeOf } from '../../ui/panels/sizes.ts';
import { type Column, Table } from '../../ui/table/table.tsx';
import { type ClassRow, classRows, type MoreRow, type Order, signed, signedSize } from './memory-rows.ts';
import { useView, view } from './view-store.ts';

const SIZE = { least: 56, most: 88, isNumber: true };

const COLUMNS: readonly Column<ClassRow, Order>[] = [
  {
    id: 'type',
    title: 'Class',
    meaning: 'Sort by name',
    least: 200,
    rank: 0,
    isCode: true,
    cell: ({ type }) => type.toLowerCase(),
  },
  {
    ...SIZE,
    id: 'count',
    title: 'Objects',
    meaning: 'Sort by number of objects',
    rank: 3,
    cell: ({ count }) => count.toLocaleString('en'),
  },
  { ...SIZE, id: 'bytes', title: 'Bytes', meaning: 'Sort by bytes', rank: 1, cell: ({ bytes }) => sizeOf(bytes) },
];

/** The columns of a comparison with an earlier point in time. */
const COMPARED: readonly Column<ClassRow, Order>[] = [
  ...COLUMNS,
  {
    ...SIZE,
    id: 'moreObjects',
    title: '± Objects',
    meaning: 'Sort by growth in objects',
    rank: 4,
    tone: ({ moreObjects }) => (moreObjects === 0 ? 3 : 1),
    cell: ({ moreObjects }) => signed(moreObjects),
  },
  {
    ...SIZE,
    id: 'moreBytes',
    title: '± Bytes',
    meaning: 'Sort by growth in bytes',
    rank: 2,
    tone: ({ moreBytes }) => (moreBytes === 0 ? 3 : 1),
    cell: ({ moreBytes }) => signedSize(moreBytes),
  },
];

/** The row below the listed classes that shows the remaining ones. */
const MORE = {
  is: (row: ClassRow | MoreRow) => row.kind === 'more',
  draw: ({ label }: MoreRow) => (
    <Text font="small" tone={2}>
      {label}
    </Text>
  ),
};

export function Classes({ report, moment }: { report: MemoryReport; moment: Moment | null }) {
  const { filter, order, all } = useView();
  const rows = useMemo(
    () => classRows(report.types, { moment, filter, order, all }),
    [report, moment, filter, order, all],
  );
  return (
    <Table<ClassRow, Order, MoreRow>
      label="Classes of the objects in memory"
      columns={moment === null ? COLUMNS : COMPARED}
      sort={{ label: 'Sort classes by', by: order, onSort: (id) => view.setState({ order: id }) }}
      rows={rows}
      whole={MORE}
      hint={(row) => (row.kind === 'class' ? row.hint : undefined)}
      empty={<Empty title={`No class in memory has “${filter.trim()}” in its name.`} />}
      onOpen={(row) => (row.kind === 'more' ? view.setState({ all: true }) : void showInstances(row.type))}
      onToggle={() => undefined}
    />
  );
}
