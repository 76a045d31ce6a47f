/** The functions of a profile with their samples, sorted by a column of choice. */
import { ArrowDown } from 'lucide-react';
import { useMemo } from 'react';
import type { ProfileResult } from '#contract/image/profiling.ts';
import { goToFunction } from '../documentation/go-to-name.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Tree } from '../../ui/panels/tree.tsx';
import { figures, functionRows, type FunctionRow, type Order } from './functions.ts';
import { useView, view } from './view-store.ts';
import styles from './panel.module.css';

const ROW = 22;

const COLUMNS: readonly { id: Order; title: string; meaning: string }[] = [
  { id: 'name', title: 'Function', meaning: 'Sort by name' },
  { id: 'self', title: 'Self', meaning: 'Sort by the samples of the function itself' },
  { id: 'total', title: 'Total', meaning: 'Sort by the samples of the function and of what it called' },
];

export function FunctionTable({ result }: { result: ProfileResult }) {
  const { filter, order } = useView();
  const rows = useMemo(() => functionRows(result, { filter, order }), [result, filter, order]);
  const { samples } = result;
  return (
    <>
      <Row fixed padX={3} font="small" tone={3} edge="bottom" className={styles.head}>
        <span className={styles.columns} role="group" aria-label="Sort functions by">
          {COLUMNS.map(({ id, title, meaning }) => (
            <button
              key={id}
              type="button"
              title={meaning}
              aria-pressed={order === id}
              className={look({ lines: 'one', tone: order === id ? 1 : 3 })}
              onClick={() => view.setState({ order: id })}
            >
              {title}
              {order === id && id !== 'name' ? <ArrowDown className="icon-tiny" aria-hidden /> : null}
            </button>
          ))}
        </span>
      </Row>
      {rows.length === 0 ? (
        <Empty title={`No function of the profile has “${filter.trim()}” in its name.`} />
      ) : (
        <Tree<FunctionRow>
          label="Functions of the profile"
          rows={rows}
          rowSize={ROW}
          render={(row) => <Cells row={row} samples={samples} />}
          hint={({ hint }) => hint}
          rowClass={() => styles.row ?? ''}
          onOpen={({ name }) => void goToSource(name)}
          onToggle={() => undefined}
        />
      )}
    </>
  );
}

/** Goes to the source of a function of a profile; the form that was run is where the person has it, and threads have none. */
export async function goToSource(name: string): Promise<void> {
  if (!/^(?:form|all threads|thread .*)$/.test(name)) await orNotice(goToFunction(ownerOf(name)));
}

/** The function that a local one, such as `(LAMBDA (X) :IN SERVE)`, stands in; another name stays as it is. */
function ownerOf(name: string): string {
  return /^\((?:flet|labels|lambda)\b.* :in (.+)\)$/is.exec(name)?.[1] ?? name;
}

function Cells({ row: { name, self, total }, samples }: { row: FunctionRow; samples: number }) {
  return (
    <span className={styles.columns}>
      <Truncate className="code" tone={1}>
        {name.toLowerCase()}
      </Truncate>{' '}
      <Text font="small" tone={2}>
        {figures(self, samples)}
      </Text>{' '}
      <Text font="small" tone={2}>
        {figures(total, samples)}
      </Text>
    </span>
  );
}
