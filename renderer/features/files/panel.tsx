/** The Files panel: the project's folder as a tree, with the operations on its files. */
import { ChevronRight, FileCode, FilePlus, FileText, FolderPlus, Link2, ListCollapse } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import type { ProjectLink } from '#contract/project.ts';
import { useMirror } from '../../base/mirror.ts';
import { messageOf } from '../../base/bridge.ts';
import { workOnFile } from '../../editor/files/work-on-file.ts';
import { menuEntry, runCommand } from '../../base/keys/command-registry.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { absolutePath, useProjectFiles, wantProjectFiles } from '../../base/project-files.ts';
import { Button } from '../../ui/button.tsx';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { Panel } from '../../ui/panels/panel.tsx';
import { Tree, type TreeDragging } from '../../ui/panels/tree.tsx';
import { ROW_MENU, TREE } from './commands.ts';
import { moveInto } from './file-actions.ts';
import { type FileRow, fileRows, leftWords, NEW_ROW } from './file-tree.ts';
import {
  endNaming,
  filesView,
  idOf,
  type Naming,
  type Target,
  targetFolder,
  toggleFolder,
  useFilesView,
} from './files-store.ts';
import { NameField } from './name-row.tsx';
import { applyName, initialName, namingLabel, typedFault } from './naming.ts';
import { setShownRows, targetOf } from './tree-rows.ts';
import styles from './files.module.css';

const ROW = 22;
/** The reason why only a part of a folder is listed. */
const LEFT_HINT =
  'Only a part of the files in very large folders is listed. Find in Files searches all of them, and Open File… opens any.';
/** The data type that identifies a dragged row. */
const DRAGGED = 'application/x-lisp-workbench-file';

export function Files() {
  const project = useMirror((state) => state.project);
  const listed = useProjectFiles();
  const { files, left } = listed;
  const { open, filter, naming, cut, chosen } = useFilesView();
  const [menu, setMenu] = useState<{ label: string; place: { x: number; y: number } } | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const typing = useTyping(naming);
  useEffect(() => void orNotice(wantProjectFiles()), [project?.path]);
  const newIn = naming !== null && 'folder' in naming ? naming.folder : null;
  const rows = useMemo(
    () => fileRows({ ...listed, files: listed.files ?? [] }, { isOpen: (folder) => open.has(folder), filter, newIn }),
    [listed, open, filter, newIn],
  );
  useEffect(() => setShownRows(rows), [rows]);
  const named = naming === null ? null : 'target' in naming ? idOf(naming.target) : NEW_ROW;
  return (
    <Panel
      name="Files"
      actions={
        <>
          {project === null ? null : (
            <>
              <IconButton label="New file" onPress={() => runCommand('file.newIn')}>
                <FilePlus className="icon" aria-hidden />
              </IconButton>
              <IconButton label="New folder" onPress={() => runCommand('file.newFolder')}>
                <FolderPlus className="icon" aria-hidden />
              </IconButton>
            </>
          )}
          <IconButton label="Fold all folders" onPress={() => filesView.setState({ open: new Set() })}>
            <ListCollapse className="icon" aria-hidden />
          </IconButton>
        </>
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
            onChange={(text) => filesView.setState({ filter: text })}
            onEnter={() => {
              const first = rows.find(({ kind }) => kind === 'file');
              if (first) void orNotice(show(first));
            }}
            count={(files?.length ?? 0).toLocaleString('en')}
          />
          {files !== null && rows.length === 0 ? (
            <NoRows filtered={filter !== ''} />
          ) : (
            <Tree
              label={`Files of ${project.name}`}
              rows={rows}
              rowSize={ROW}
              keyContext={TREE}
              chosen={chosen}
              inView={named}
              render={(row) => (
                <Cells row={row} dim={cut !== null && row.id === idOf(cut)}>
                  {row.id === named ? (
                    <NameField
                      key={named}
                      label={namingLabel(naming!)}
                      initial={initialName(naming!)}
                      fault={typing.fault}
                      onChange={typing.change}
                      onSubmit={typing.submit}
                      onCancel={endNaming}
                    />
                  ) : null}
                </Cells>
              )}
              rowClass={(row) =>
                over !== null && idOf({ kind: 'folder', path: over }) === row.id ? (styles.over ?? '') : ''
              }
              hint={hintOf}
              onActive={(row) => filesView.setState({ active: targetOf(row) })}
              onOpen={(row) => void orNotice(show(row))}
              onToggle={(row, expanded) => toggleFolder(row.path, expanded)}
              onMenu={(row, place) => (targetOf(row) ? setMenu({ label: row.name, place }) : undefined)}
              drag={dragging(setOver)}
            />
          )}
          {filter !== '' && left.length > 0 ? (
            <Text as="p" padX={3} padY={1} font="small" tone={3}>
              {leftWords(left)}
            </Text>
          ) : null}
          {menu ? (
            <ContextMenu
              {...menu}
              groups={ROW_MENU.map((ids) => ({ id: ids[0]!, entries: ids.map(rowEntry) }))}
              onClose={() => setMenu(null)}
            />
          ) : null}
        </>
      )}
    </Panel>
  );
}

/** Returns the entry of a row's menu. Its target is the row, so that the path is not repeated. */
function rowEntry(id: string) {
  const entry = menuEntry(id);
  return { ...entry, detail: undefined, title: entry.title.replace(/ (?:File|in Folder)(?=…?$)/, '') };
}

function NoRows({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No file matches." />;
  return (
    <Empty title="The folder is empty.">
      <p>Create the first file, or a Lisp file that a system lists.</p>
      <Row gap={2} wrap>
        <Button onPress={() => runCommand('file.newIn')}>New file…</Button>
        <Button onPress={() => runCommand('file.newFolder')}>New folder…</Button>
      </Row>
    </Empty>
  );
}

/** The typed name and its fault. The fault is shown after the first change, or when Enter was pressed. */
function useTyping(naming: Naming | null) {
  const listed = useProjectFiles();
  const [typed, setTyped] = useState<{ naming: Naming; name: string; refused: string | null } | null>(null);
  const current = typed !== null && typed.naming === naming ? typed : null;
  const name = current?.name ?? (naming ? initialName(naming) : '');
  const refuse = (refused: string | null): void => (naming ? setTyped({ naming, name, refused }) : undefined);
  return {
    fault:
      current === null || naming === null
        ? null
        : (current.refused ?? (name === '' ? null : typedFault(naming, name, listed))),
    change: (text: string): void => (naming ? setTyped({ naming, name: text, refused: null }) : undefined),
    submit: (): void => {
      if (naming === null) return;
      const fault = typedFault(naming, name, listed);
      if (fault !== null) return refuse(fault);
      let isDone = false;
      const done = (): void => {
        isDone = true;
        endNaming();
      };
      applyName(naming, name, done).catch((error: unknown) =>
        // The field stays open if the core refused the name. A later fault does not concern the name.
        isDone ? notify(messageOf(error), 'error') : refuse(messageOf(error)),
      );
    },
  };
}

function dragging(setOver: (folder: string | null) => void): TreeDragging<FileRow> {
  const folderOf = (row: FileRow | null): string =>
    row ? targetFolder(targetOf(row) ?? { kind: 'folder', path: row.path }) : '';
  return {
    onStart: (event: DragEvent<HTMLElement>, row) => {
      const target = targetOf(row);
      if (!target) return event.preventDefault();
      event.dataTransfer.setData(DRAGGED, JSON.stringify(target));
      event.dataTransfer.effectAllowed = 'move';
    },
    onOver: (event, row) => {
      if (!event.dataTransfer.types.includes(DRAGGED)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      setOver(folderOf(row));
    },
    onDrop: (event, row) => {
      const data = event.dataTransfer.getData(DRAGGED);
      setOver(null);
      if (data === '') return;
      event.preventDefault();
      const target = JSON.parse(data) as Target;
      // A row that is dropped on itself or into its own folder stays where it is.
      if (folderOf(row) === target.path || folderOf(row) === targetFolder({ kind: 'file', path: target.path })) return;
      void orNotice(moveInto(target, folderOf(row)));
    },
    onEnd: () => setOver(null),
  };
}

/** The kinds of links that cannot be opened, and what to do instead. */
const NOT_OPENED: Partial<Record<ProjectLink['leads'], string>> = {
  'folder outside': 'a folder outside the project. Open Folder… opens that folder.',
  circle: 'a folder that contains the link, so it is not followed.',
};

async function show({ kind, path, name, link }: FileRow): Promise<void> {
  const why = link ? NOT_OPENED[link.leads] : undefined;
  if (why !== undefined) notify(`${name} is a link to ${link!.target}, ${why}`);
  else if (kind === 'file') await workOnFile(absolutePath(path));
}

/** Descriptions of the targets of links, which follow the target in a sentence. */
const LEADS: Record<ProjectLink['leads'], string> = {
  file: '',
  folder: '',
  circle: ', a folder that contains this link',
  'file outside': ', outside the project',
  'folder outside': ', outside the project',
  nothing: ', which does not exist',
};

function hintOf({ kind, path, link }: FileRow): string {
  if (kind === 'left') return LEFT_HINT;
  if (kind === 'new') return '';
  return link ? `${path}: link to ${link.target}${LEADS[link.leads]}` : path;
}

function Cells({ row, dim, children }: { row: FileRow; dim: boolean; children: ReactNode }) {
  const Icon = /\.(lisp|lsp|cl|asd)$/i.test(row.name) ? FileCode : FileText;
  const isBroken = row.link?.leads === 'nothing';
  return (
    <Row gap={1} shrink grow style={{ paddingLeft: `calc(var(--space-3) + ${row.level - 1} * var(--space-3))` }}>
      {row.kind === 'left' ? null : row.kind === 'folder' ? (
        <ChevronRight className={classes('icon-small', row.expanded ? 'turned' : undefined)} aria-hidden />
      ) : (
        <Icon className="icon-small" aria-hidden />
      )}
      {children ?? <Truncate {...(row.kind === 'left' || dim || isBroken ? { tone: 3 } : {})}>{row.name}</Truncate>}
      {row.link && !children ? <Link2 className="icon-small" aria-hidden /> : null}
    </Row>
  );
}
