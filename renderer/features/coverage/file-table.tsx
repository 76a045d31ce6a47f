/** The files that are counted, with the shares of their expressions and branches that have run. */
import type { FileCoverage } from '#contract/image/coverage.ts';
import { openAtGap } from './coverage-marks.ts';
import { useCoverage } from './store.ts';
import { percent } from './coverage-places.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { Tree, type TreeRow } from '../../ui/panels/tree.tsx';
import styles from './panel.module.css';

const ROW = 22;

interface FileRow extends TreeRow, FileCoverage {
  readonly name: string;
  readonly isEdited: boolean;
}

export function FileTable({ files }: { files: readonly FileCoverage[] }) {
  const edited = useCoverage((state) => state.edited);
  const rows = files.map((each, index): FileRow => {
    const name = each.file.slice(each.file.lastIndexOf('/') + 1);
    const cells = [name, share(each.executed, each.expressions), share(each.taken, each.branches)];
    const isEdited = edited.has(each.file);
    const label = [...cells, ...(isEdited ? ['edited since'] : [])].join(', ');
    return {
      ...each,
      name,
      isEdited,
      id: each.file,
      level: 1,
      label,
      expanded: null,
      position: index + 1,
      siblings: files.length,
    };
  });
  return (
    <>
      <Row fixed padX={3} font="small" tone={3} edge="bottom" className={styles.head} aria-hidden>
        <span className={styles.columns}>
          <span>File</span>
          <span>Expressions</span>
          <span>Branches</span>
        </span>
      </Row>
      <Tree<FileRow>
        label="Files with coverage"
        rows={rows}
        rowSize={ROW}
        render={(row) => <Cells row={row} />}
        hint={({ file }) => file}
        rowClass={() => styles.row ?? ''}
        onOpen={({ file }) => void orNotice(openAtGap(file))}
        onToggle={() => undefined}
      />
    </>
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${percent(part, whole)} · ${part.toLocaleString('en')}/${whole.toLocaleString('en')}`;
}

function Cells({ row }: { row: FileRow }) {
  return (
    <span className={styles.columns}>
      <Truncate tone={1}>
        {row.name}
        {row.isEdited ? <Text tone={3}> edited since</Text> : null}
      </Truncate>{' '}
      <Text font="small" tone={2}>
        {share(row.executed, row.expressions)}
      </Text>{' '}
      <Text font="small" tone={2}>
        {share(row.taken, row.branches)}
      </Text>
    </span>
  );
}
