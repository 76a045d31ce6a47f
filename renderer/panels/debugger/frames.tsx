/** The frames of a debugger, innermost first. The focus stays on the list; the selected frame is named by it. */
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { DebuggerFrame, DebuggerRecord } from '#contract/debugger.ts';
import { runCommand } from '../../features/command-registry.ts';
import { callParts, frameFile, frameRows, type FrameRow } from '../../features/debugger/frames.ts';
import { selectFrame } from '../../features/debugger/selection.ts';
import { changeView, useView } from '../../features/debugger/store.ts';
import { plainName } from '../../features/debugger/words.ts';
import { showFrameSource } from '../../editor/frame-source.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { Box, Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import styles from './debugger.module.css';

const ROW = 22;

export function Frames({ record, selected }: { record: DebuggerRecord; selected: number | null }) {
  const { id, frames, moreFrames } = record;
  const { opened } = useView(id);
  const list = useRef<VirtualizerHandle>(null);
  const rows = frameRows(frames, opened);
  const at = rows.findIndex((row) => row.kind === 'frame' && row.frame.index === selected);
  useEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at, { align: 'nearest' });
  }, [at, id]);
  const fold = (first: number): void =>
    changeView(id, (view) => {
      const next = new Set(view.opened);
      if (!next.delete(first)) next.add(first);
      return { opened: next };
    });
  return (
    <Stack as="section" grow className={styles.frames} aria-label="Stack">
      <Row justify="between" padX={3} fixed className={styles.sectionHead}>
        <Text as="h3" font="small-strong" tone={2}>
          Frames
        </Text>
        <Text font="small" tone={3}>
          {frames.length}
          {moreFrames ? ' and more' : ''}
        </Text>
      </Row>
      <Box
        grow
        scroll
        className={styles.frameList}
        role="listbox"
        aria-label="Frames"
        aria-activedescendant={selected === null ? undefined : frameId(id, selected)}
        tabIndex={0}
        data-region-focus
      >
        <Virtualizer ref={list} data={rows} itemSize={ROW}>
          {(row) => (
            <RowView
              key={row.kind === 'frame' ? row.frame.index : `folded ${row.first}`}
              row={row}
              record={record}
              selected={selected}
              opened={row.kind === 'folded' && opened.has(row.first)}
              onFold={fold}
            />
          )}
        </Virtualizer>
      </Box>
    </Stack>
  );
}

interface RowViewProps {
  row: FrameRow;
  record: DebuggerRecord;
  selected: number | null;
  opened: boolean;
  onFold: (first: number) => void;
}

function RowView({ row, record, selected, opened, onFold }: RowViewProps) {
  if (row.kind === 'folded')
    return (
      <Row
        gap={2}
        padX={3}
        font="small"
        tone={3}
        list
        className={styles.frameRow}
        role="option"
        aria-selected={false}
        onClick={() => onFold(row.first)}
      >
        <ChevronRight className={classes('icon-tiny', opened ? 'turned' : undefined)} aria-hidden />
        {row.words}
      </Row>
    );
  const { frame } = row;
  return (
    <Row
      id={frameId(record.id, frame.index)}
      gap={2}
      padX={3}
      list
      className={styles.frameRow}
      role="option"
      aria-selected={frame.index === selected}
      onClick={() => {
        selectFrame(record.id, frame.index);
        void showFrameSource(record, frame.index, 'select');
      }}
      onDoubleClick={() => runCommand('debugger.source')}
    >
      <Text fixed font="small" tone={3} className={classes('code', styles.frameIndex)}>
        {frame.index}
      </Text>
      <Call frame={frame} />
      <Text fixed font="small" tone={3} className={styles.framePlace}>
        {frameFile(frame)}
      </Text>
    </Row>
  );
}

function Call({ frame: { call, internal } }: { frame: DebuggerFrame }) {
  const { name, rest } = callParts(call);
  return (
    <Truncate grow tone={internal ? 3 : 1} className="code" title={call}>
      {name.startsWith('((') ? name : `(${plainName(name.slice(1))}`}
      <CodeText text={rest} />
    </Truncate>
  );
}

function frameId(id: string, frame: number): string {
  return `frame-${id}-${frame}`;
}
