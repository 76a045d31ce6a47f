/** The functions of a profile with their samples, sorted by a chosen column. */
import { useMemo } from 'react';
import type { ProfileResult } from '#contract/image/observation/profiling.ts';
import { goToFunction } from '../documentation/go-to-name.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { figures, functionRows, type FunctionRow, type Order } from './functions.ts';
import { useView, view } from './view-store.ts';

export function FunctionTable({ result }: { result: ProfileResult }) {
  const { filter, order } = useView();
  const rows = useMemo(() => functionRows(result, { filter, order }), [result, filter, order]);
  return (
    <Table<FunctionRow, Order>
      label="Functions of the profile"
      columns={columnsOf(result.samples)}
      sort={{ label: 'Sort functions by', by: order, onSort: (id) => view.setState({ order: id }) }}
      rows={rows}
      hint={({ hint }) => hint}
      empty={<Empty title={`No function of the profile has “${filter.trim()}” in its name.`} />}
      onOpen={({ name }) => void goToSource(name)}
      onToggle={() => undefined}
    />
  );
}

function columnsOf(samples: number): Column<FunctionRow, Order>[] {
  const share = { least: 72, most: 120, isNumber: true };
  return [
    {
      id: 'name',
      title: 'Function',
      meaning: 'Sort by name',
      least: 140,
      rank: 0,
      isCode: true,
      cell: ({ name }) => name.toLowerCase(),
    },
    {
      ...share,
      id: 'self',
      title: 'Self',
      meaning: 'Sort by the samples of the function itself',
      rank: 1,
      cell: ({ self }) => figures(self, samples),
    },
    {
      ...share,
      id: 'total',
      title: 'Total',
      meaning: 'Sort by the samples of the function and its callees',
      rank: 2,
      cell: ({ total }) => figures(total, samples),
    },
  ];
}

/** Goes to the source of a function of a profile. Does nothing for the profiled form and for threads, which have no source to go to. */
export async function goToSource(name: string): Promise<void> {
  if (!/^(?:form|all threads|thread .*)$/.test(name)) await orNotice(goToFunction(ownerOf(name)));
}

/** Returns the function that contains a local function such as `(LAMBDA (X) :IN SERVE)`; returns another name unchanged. */
function ownerOf(name: string): string {
  return /^\((?:flet|labels|lambda)\b.* :in (.+)\)$/is.exec(name)?.[1] ?? name;
}
