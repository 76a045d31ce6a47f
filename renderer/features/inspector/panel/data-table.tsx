/** A collection of similar objects as a table, one page of rows at a time. */
import { useEffect, useState } from 'react';
import type { InspectedTable } from '#contract/image/inspection.ts';
import { call, messageOf } from '../../../base/bridge.ts';
import { mirror } from '../../../base/mirror.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import type { Step } from '../viewer-state.ts';
import type { Viewer } from '../viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeText } from '../../../ui/code-text.tsx';
import { Empty } from '../../../ui/panels/empty.tsx';
import { Box, Row, Text, Truncate } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';
import styles from './inspector.module.css';

const PAGE = 100;

export function DataTable({ viewer, step }: { viewer: Viewer; step: Step }) {
  const [offset, setOffset] = useState(0);
  const [table, setTable] = useState<InspectedTable | string | null>(null);
  const { handle, id, generation } = step;
  useEffect(() => {
    let left = false;
    const pane = viewer.panes.add(id, `table-${offset}-${generation}`);
    const wanted = { handle, pane, offset, limit: PAGE, package: mirror.getState().session.package };
    call('inspector.table', wanted).then(
      (found) => !left && setTable(found),
      (error: unknown) => !left && setTable(messageOf(error)),
    );
    return () => {
      left = true;
      viewer.panes.release(id, [pane]);
    };
  }, [viewer, handle, id, generation, offset]);
  if (table === null) return <Empty title="Waiting for the image" />;
  if (typeof table === 'string')
    return (
      <Empty title="The table could not be created.">
        <p>{table}</p>
      </Empty>
    );
  if (table.columns.length === 0) return <Empty title="The elements no longer have the same parts." />;
  const end = table.offset + table.rows.length;
  return (
    <>
      <Box grow scroll padX={2} tabIndex={0} role="group" aria-label="Table" data-region-focus>
        <table className={look({ font: 'code' }, styles.table)}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Row</span>
              </th>
              {table.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(({ label, handle: row, cells }, index) => (
              // A row can only be identified by its position, because keys of hash tables may print alike.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <th scope="row">
                  <Button kind="link" size="small" onPress={() => void orNotice(viewer.open(row, label))}>
                    {label}
                  </Button>
                </th>
                {cells.map((cell, column) => (
                  <td key={table.columns[column]} title={cell.text}>
                    {cell.handle === null ? (
                      <Truncate>
                        <CodeText text={cell.text} />
                      </Truncate>
                    ) : (
                      <button
                        type="button"
                        className={look({ truncate: true }, 'code', styles.value)}
                        aria-label={`Inspect ${cell.text}`}
                        onClick={() => void orNotice(viewer.open(cell.handle!, `${label} ${table.columns[column]}`))}
                      >
                        <CodeText text={cell.text} />
                      </button>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
      {table.more || offset > 0 ? (
        <Row gap={2} padX={4} padY={1} fixed font="small" tone={3}>
          <Button size="small" isDisabled={offset === 0} onPress={() => setOffset(Math.max(0, offset - PAGE))}>
            Previous rows
          </Button>
          <Button size="small" isDisabled={!table.more} onPress={() => setOffset(end)}>
            Next rows
          </Button>
          <Text>
            {table.offset.toLocaleString('en')} to {(end - 1).toLocaleString('en')} of{' '}
            {table.total.toLocaleString('en')}
          </Text>
        </Row>
      ) : null}
    </>
  );
}
