/** The files with coverage, and the share of each file's expressions and branches that has run. */
import type { FileCoverage } from '#contract/image/observation/coverage.ts';
import { openAtGap } from './coverage-marks.ts';
import { useCoverage } from './store.ts';
import { percent } from './coverage-places.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Text } from '../../ui/layout.tsx';
import type { TreeRow } from '../../ui/panels/tree.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';

interface FileRow extends TreeRow, FileCoverage {
  readonly name: string;
  readonly isEdited: boolean;
}

const SHARE = { least: 96, most: 140, isNumber: true };

const COLUMNS: readonly Column<FileRow>[] = [
  {
    id: 'file',
    title: 'File',
    least: 160,
    rank: 0,
    cell: ({ name, isEdited }) => (
      <>
        {name}
        {isEdited ? <Text tone={3}> edited since</Text> : null}
      </>
    ),
  },
  {
    ...SHARE,
    id: 'expressions',
    title: 'Expressions',
    rank: 1,
    cell: ({ executed, expressions }) => share(executed, expressions),
  },
  { ...SHARE, id: 'branches', title: 'Branches', rank: 2, cell: ({ taken, branches }) => share(taken, branches) },
];

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
    <Table
      label="Files with coverage"
      columns={COLUMNS}
      rows={rows}
      hint={({ file }) => file}
      onOpen={({ file }) => void orNotice(openAtGap(file))}
      onToggle={() => undefined}
    />
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${percent(part, whole)} · ${part.toLocaleString('en')}/${whole.toLocaleString('en')}`;
}
