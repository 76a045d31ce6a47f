/** One tab a text, and what can be done with the shown one. */
import { Ellipsis, FileCode, Play, SquarePlay, X } from 'lucide-react';
import { Button } from 'react-aria-components';
import { commandKeys, menuEntry, runCommand } from '../commands/registry.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { TabStrip } from '../ui/tab-strip.tsx';
import { showBuffer, type TextBuffer, useBuffers } from './buffers.ts';
import { close } from './files.ts';

export function EditorTabs() {
  const all = useBuffers((state) => state.buffers);
  const active = useBuffers((state) => state.active);
  return (
    <div className="tab-bar editor-tabs">
      <TabStrip
        label="Open files"
        items={all}
        selected={active}
        panel="editor-text"
        onSelect={showBuffer}
        onClose={(id) => void close(id)}
        className="editor-tab-row"
        tabClass="editor-tab"
        render={(buffer) => (
          <>
            <FileCode className="icon" aria-hidden />
            <span className="editor-tab-title">{buffer.title}</span>
            <TabEnd buffer={buffer} />
          </>
        )}
      />
      <div className="bar-actions">
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
          <Button aria-label="Editor actions" className="icon-button">
            <Ellipsis className="icon" aria-hidden />
          </Button>
        </MenuButton>
      </div>
    </div>
  );
}

/** The dot of an unsaved text, or the cross that closes: a mouse target only, the keyboard has its command. */
function TabEnd({ buffer }: { buffer: TextBuffer }) {
  return (
    <>
      {buffer.dirty ? <span className="visually-hidden">not saved</span> : null}
      <span
        className={`editor-tab-end${buffer.dirty ? ' editor-tab-dirty' : ''}`}
        aria-hidden
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          void close(buffer.id);
        }}
      >
        <span className="editor-tab-dot" />
        <X className="icon-small" />
      </span>
    </>
  );
}
