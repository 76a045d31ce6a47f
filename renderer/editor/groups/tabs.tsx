/** The tabs of a group and, while the group is focused, the actions on its text. */
import { ChevronDown, Columns2, Ellipsis, FileCode, Play, SquarePlay, X } from 'lucide-react';
import { type DragEvent, useMemo, useState } from 'react';
import { commandKeys, menuEntry, runCommand } from '../../base/keys/command-registry.ts';
import { IconButton, PlainIconButton } from '../../ui/icon-button.tsx';
import { MenuButton } from '../../ui/menus/menu.tsx';
import { TabStrip } from '../../ui/panels/tab-strip.tsx';
import { editorOf } from './active-editor.ts';
import { type TextBuffer, showBuffer, useBuffers } from '../text/buffers.ts';
import { closeAll, closeOthers, closeTab } from '../files/closing.ts';
import { groupOf } from './groups.ts';
import { focusGroup, moveTab } from './splitting.ts';
import { distinguishing } from './tab-titles.ts';
import { Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Toolbar, ToolbarActions } from '../../ui/panels/toolbar.tsx';
import { showRegion } from '../../base/layout/regions.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import styles from './editor.module.css';

/** The data type that identifies a dragged tab. */
const DRAGGED = 'application/x-lisp-workbench-tab';

export function EditorTabs({ group, number }: { group: string; number: number }) {
  const all = useBuffers((state) => state.buffers);
  const own = useBuffers((state) => groupOf(state.groups, group));
  const several = useBuffers((state) => state.groups.groups.length > 1);
  const focused = useBuffers((state) => state.groups.focused === group);
  const [menu, setMenu] = useState<Pick<TabMenuProps, 'id' | 'place'> | null>(null);
  const apart = useMemo(() => distinguishing(all), [all]);
  const shown = own?.shown ?? null;
  const items = (own?.tabs ?? []).flatMap((id) => all.find((buffer) => buffer.id === id) ?? []);
  const show = (id: string): void => {
    focusGroup(group);
    showBuffer(id);
    editorOf(group)?.focus();
  };
  const drop = (event: DragEvent<HTMLElement>, before: string | null): void => {
    const [from, text] = event.dataTransfer.getData(DRAGGED).split(' ');
    if (!from || !text) return;
    event.preventDefault();
    event.stopPropagation();
    moveTab(text, { from, to: group, before });
  };
  return (
    <Toolbar>
      <TabStrip
        label={several ? `Open files, group ${number}` : 'Open files'}
        items={items}
        selected={shown}
        panel={`text-${group}`}
        onSelect={show}
        onClose={(id) => void closeTab(id, group)}
        onMenu={(id, place) => setMenu({ id, place })}
        drag={{
          onStart: (event, id) => {
            event.dataTransfer.setData(DRAGGED, `${group} ${id}`);
            event.dataTransfer.effectAllowed = 'move';
          },
          onOver: (event) => (event.dataTransfer.types.includes(DRAGGED) ? event.preventDefault() : undefined),
          onDrop: drop,
        }}
        className={look({ flow: 'row', align: 'stretch', grow: true }, styles.tabRow)}
        tabClass={look({ flow: 'row', gap: 2, fixed: true, font: 'base', tone: 2 }, styles.tab)}
        render={(buffer) => (
          <>
            <FileCode className="icon" aria-hidden />
            <span>{buffer.title}</span>
            {apart.has(buffer.id) ? (
              <Text font="small" tone={3}>
                {apart.get(buffer.id)}
              </Text>
            ) : null}
            <TabEnd buffer={buffer} group={group} />
          </>
        )}
      />
      {menu ? (
        <TabMenu
          {...menu}
          group={group}
          title={all.find(({ id }) => id === menu.id)?.title ?? ''}
          onClose={() => setMenu(null)}
        />
      ) : null}
      {focused ? <TabActions items={items} apart={apart} onShow={show} /> : null}
    </Toolbar>
  );
}

interface TabActionsProps {
  items: readonly TextBuffer[];
  /** The folders that distinguish files with the same name. */
  apart: ReadonlyMap<string, string>;
  onShow: (id: string) => void;
}

function TabActions({ items, apart, onShow }: TabActionsProps) {
  return (
    <ToolbarActions>
      <MenuButton
        label="Open files"
        placement="bottom end"
        groups={[
          {
            id: 'files',
            entries: items.map(({ id, title, dirty }) => ({
              id,
              title: dirty ? `${title} (not saved)` : title,
              detail: apart.get(id),
              run: () => onShow(id),
            })),
          },
        ]}
      >
        <PlainIconButton aria-label="List of open files">
          <ChevronDown className="icon" aria-hidden />
        </PlainIconButton>
      </MenuButton>
      <IconButton label="Evaluate form" keys={commandKeys('evaluate.form')} onPress={() => runCommand('evaluate.form')}>
        <Play className="icon" aria-hidden />
      </IconButton>
      <IconButton
        label="Evaluate top-level form"
        keys={commandKeys('evaluate.topLevel')}
        onPress={() => runCommand('evaluate.topLevel')}
      >
        <SquarePlay className="icon" aria-hidden />
      </IconButton>
      <IconButton label="Split right" keys={commandKeys('split.right')} onPress={() => runCommand('split.right')}>
        <Columns2 className="icon" aria-hidden />
      </IconButton>
      <MenuButton
        label="Editor actions"
        placement="bottom end"
        groups={[
          { id: 'file', entries: ['file.save', 'file.saveAs', 'file.reload'].map(menuEntry) },
          { id: 'close', entries: ['file.close', 'file.closeOthers', 'file.closeAll'].map(menuEntry) },
          {
            id: 'split',
            entries: ['split.right', 'split.down', 'split.moveTab', 'split.close'].map(menuEntry),
          },
          { id: 'results', entries: ['evaluate.openResult', 'evaluate.clearResults'].map(menuEntry) },
        ]}
      >
        <PlainIconButton aria-label="Editor actions">
          <Ellipsis className="icon" aria-hidden />
        </PlainIconButton>
      </MenuButton>
    </ToolbarActions>
  );
}

/** The dot of an unsaved text, or the close button. The button is for the mouse only, because the keyboard has a command for closing. */
function TabEnd({ buffer, group }: { buffer: TextBuffer; group: string }) {
  return (
    <>
      {buffer.dirty ? <span className="visually-hidden">not saved</span> : null}
      <span
        className={look(
          { flow: 'row', justify: 'center', tone: 2, round: 'inline' },
          styles.tabEnd,
          buffer.dirty ? styles.tabDirty : undefined,
        )}
        aria-hidden
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          void closeTab(buffer.id, group);
        }}
      >
        <span className={styles.tabDot} />
        <X className="icon-small" />
      </span>
    </>
  );
}

interface TabMenuProps {
  /** The id of the tab's text. */
  id: string;
  group: string;
  title: string;
  place: { x: number; y: number };
  onClose: () => void;
}

function TabMenu({ id, group, title, place, onClose }: TabMenuProps) {
  const isAlone = useBuffers((state) => (groupOf(state.groups, group)?.tabs.length ?? 0) < 2);
  const run = (closing: () => Promise<void>) => (): void =>
    void orNotice(closing().then(() => showRegion('Editor', () => {})));
  const entries = [
    { id: 'close', title: 'Close', keys: commandKeys('file.close'), run: run(() => closeTab(id, group)) },
    { id: 'others', title: 'Close Others', disabled: isAlone, run: run(() => closeOthers(id, group)) },
    { id: 'all', title: 'Close All', run: run(() => closeAll(group)) },
  ];
  return <ContextMenu label={title} groups={[{ id: 'close', entries }]} place={place} onClose={onClose} />;
}
