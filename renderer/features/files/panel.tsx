/** The Files panel: the project's folder as a tree. */
import { ChevronRight, FileCode, FileText, ListCollapse } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useMirror } from '../../base/mirror.ts';
import { workOnFile } from '../../editor/files/work-on-file.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { absolutePath, useProjectFiles, wantProjectFiles } from '../../base/project-files.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { Panel } from '../../ui/panels/panel.tsx';
import { Tree } from '../../ui/panels/tree.tsx';
import { type FileRow, fileRows, leftWords } from './file-tree.ts';

const ROW = 22;
/** The reason why only a part of a folder is listed. */
const LEFT_HINT =
  'Only a part of the files in very large folders is listed. Find in Files searches all of them, and Open File… opens any.';

export function Files() {
  const project = useMirror((state) => state.project);
  const { files, left } = useProjectFiles();
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => void orNotice(wantProjectFiles()), [project?.path]);
  const rows = useMemo(
    () => fileRows({ files: files ?? [], left }, (folder) => open.has(folder), filter),
    [files, left, open, filter],
  );
  const toggle = (row: FileRow, expanded: boolean): void => {
    const next = new Set(open);
    if (expanded) next.add(row.path);
    else next.delete(row.path);
    setOpen(next);
  };
  return (
    <Panel
      name="Files"
      actions={
        <IconButton label="Fold all folders" onPress={() => setOpen(new Set())}>
          <ListCollapse className="icon" aria-hidden />
        </IconButton>
      }
    >
      {project === null ? (
        <Empty title="No folder is open.">
          <p>Open the folder of a project to see its files here and to load its systems.</p>
          <Button onPress={() => runCommand('project.open')}>Open folder…</Button>
        </Empty>
      ) : (
        <>
          <FilterField
            label="Files filter"
            value={filter}
            onChange={setFilter}
            onEnter={() => {
              const first = rows.find(({ kind }) => kind === 'file');
              if (first) void orNotice(show(first));
            }}
            count={(files?.length ?? 0).toLocaleString('en')}
          />
          {files !== null && rows.length === 0 ? (
            <Empty title={filter === '' ? 'The folder is empty.' : 'No file matches.'} />
          ) : (
            <Tree
              label={`Files of ${project.name}`}
              rows={rows}
              rowSize={ROW}
              render={(row) => <Cells row={row} />}
              hint={(row) => (row.kind === 'left' ? LEFT_HINT : row.path)}
              onOpen={(row) => (row.kind === 'left' ? undefined : void orNotice(show(row)))}
              onToggle={toggle}
            />
          )}
          {filter !== '' && left.length > 0 ? (
            <Text as="p" padX={3} padY={1} font="small" tone={3}>
              {leftWords(left)}
            </Text>
          ) : null}
        </>
      )}
    </Panel>
  );
}

function show({ path }: FileRow): Promise<void> {
  return workOnFile(absolutePath(path));
}

function Cells({ row }: { row: FileRow }) {
  const Icon = /\.(lisp|lsp|cl|asd)$/i.test(row.name) ? FileCode : FileText;
  return (
    <Row gap={1} shrink style={{ paddingLeft: `calc(var(--space-3) + ${row.level - 1} * var(--space-3))` }}>
      {row.kind === 'left' ? null : row.kind === 'file' ? (
        <Icon className="icon-small" aria-hidden />
      ) : (
        <ChevronRight className={classes('icon-small', row.expanded ? 'turned' : undefined)} aria-hidden />
      )}
      <Truncate {...(row.kind === 'left' ? { tone: 3 } : {})}>{row.name}</Truncate>
    </Row>
  );
}
