/** The tabs of the open texts, and a menu of actions on the shown text. */
import { ChevronDown, Ellipsis, FileCode, Play, SquarePlay, X } from 'lucide-react';
import { useMemo } from 'react';
import { commandKeys, menuEntry, runCommand } from '../features/command-registry.ts';
import { IconButton, PlainIconButton } from '../ui/icon-button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { TabStrip } from '../ui/tab-strip.tsx';
import { showBuffer, type TextBuffer, useBuffers } from './buffers.ts';
import { close } from './files.ts';
import { distinguishing } from './tab-titles.ts';
import { Text } from '../ui/layout.tsx';
import { look } from '../ui/look.ts';
import { Toolbar, ToolbarActions } from '../ui/toolbar.tsx';
import styles from './editor.module.css';

export function EditorTabs() {
  const all = useBuffers((state) => state.buffers);
  const active = useBuffers((state) => state.active);
  const apart = useMemo(() => distinguishing(all), [all]);
  return (
    <Toolbar>
      <TabStrip
        label="Open files"
        items={all}
        selected={active}
        panel="editor-text"
        onSelect={showBuffer}
        onClose={(id) => void close(id)}
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
            <TabEnd buffer={buffer} />
          </>
        )}
      />
      <ToolbarActions>
        <MenuButton
          label="Open files"
          placement="bottom end"
          groups={[
            {
              id: 'files',
              entries: all.map(({ id, title, dirty }) => ({
                id,
                title: dirty ? `${title} (not saved)` : title,
                detail: apart.get(id),
                run: () => showBuffer(id),
              })),
            },
          ]}
        >
          <PlainIconButton aria-label="List of open files">
            <ChevronDown className="icon" aria-hidden />
          </PlainIconButton>
        </MenuButton>
        <IconButton
          label="Evaluate form"
          keys={commandKeys('evaluate.form')}
          onPress={() => runCommand('evaluate.form')}
        >
          <Play className="icon" aria-hidden />
        </IconButton>
        <IconButton
          label="Evaluate top-level form"
          keys={commandKeys('evaluate.topLevel')}
          onPress={() => runCommand('evaluate.topLevel')}
        >
          <SquarePlay className="icon" aria-hidden />
        </IconButton>
        <MenuButton
          label="Editor actions"
          placement="bottom end"
          groups={[
            { id: 'file', entries: ['file.save', 'file.saveAs', 'file.reload', 'file.close'].map(menuEntry) },
            { id: 'results', entries: ['evaluate.clearResults'].map(menuEntry) },
          ]}
        >
          <PlainIconButton aria-label="Editor actions">
            <Ellipsis className="icon" aria-hidden />
          </PlainIconButton>
        </MenuButton>
      </ToolbarActions>
    </Toolbar>
  );
}

/** The dot of an unsaved text, or the cross that closes: a mouse target only, the keyboard has its command. */
function TabEnd({ buffer }: { buffer: TextBuffer }) {
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
          void close(buffer.id);
        }}
      >
        <span className={styles.tabDot} />
        <X className="icon-small" />
      </span>
    </>
  );
}
