/** The frames of a debugger, innermost first. The focus stays on the list, which names the selected frame to assistive technology. */
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { DebuggerFrame, DebuggerRecord } from '#contract/image/debugger.ts';
import { runCommand } from '../../../base/keys/command-registry.ts';
import { argumentParts, callParts, frameArguments, frameFile, frameRows, type FrameRow } from '../frames.ts';
import { selectFrame } from '../selection.ts';
import { addFurtherFrames, changeView, useView } from '../store.ts';
import { plainName } from '../names.ts';
import { ValueChip } from '../../inspector/value-chip.tsx';
import { showFrameSource } from '../frame-source.ts';
import { CONDITION } from './heads.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeText } from '../../../ui/code-text.tsx';
import { Box, Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import styles from './debugger.module.css';

const ROW = 22;

export function Frames({ record, selected }: { record: DebuggerRecord; selected: number | null }) {
  const { id, frames, moreFrames } = record;
  const { opened, argument } = useView(id);
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
        <Row gap={2} font="small" tone={3}>
          <span>{frames.length.toLocaleString('en')}</span>
          {moreFrames ? (
            <Button size="small" kind="quiet" onPress={() => void addFurtherFrames(id)}>
              More frames
            </Button>
          ) : null}
        </Row>
      </Row>
      <Box
        grow
        scroll
        className={styles.frameList}
        role="listbox"
        aria-label="Frames"
        aria-describedby={CONDITION}
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
              argument={argument}
              opened={row.kind === 'folded' && opened.has(row.first)}
              onFold={fold}
            />
          )}
        </Virtualizer>
      </Box>
      <div role="status" className="visually-hidden">
        {selected === null || argument === null ? null : argumentWords(frames, selected, argument)}
      </div>
    </Stack>
  );
}

/** Describes the current argument for a screen reader. */
function argumentWords(frames: readonly DebuggerFrame[], selected: number, argument: number): string {
  const frame = frames.find(({ index }) => index === selected);
  const given = frame ? frameArguments(frame) : [];
  return `Argument ${argument + 1} of ${given.length}: ${given[argument]?.text}`;
}

interface RowViewProps {
  row: FrameRow;
  record: DebuggerRecord;
  selected: number | null;
  argument: number | null;
  opened: boolean;
  onFold: (first: number) => void;
}

function RowView({ row, record, selected, argument, opened, onFold }: RowViewProps) {
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
        <Text lines="one" shrink>
          {row.words}
        </Text>
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
      <Call frame={frame} argument={frame.index === selected ? argument : null} />
      <Text fixed font="small" tone={3} className={styles.framePlace}>
        {frameFile(frame)}
      </Text>
    </Row>
  );
}

/** Draws the call of a frame, with each argument as a value that can be inspected; `argument` is the number of the current argument. */
function Call({ frame, argument }: { frame: DebuggerFrame; argument: number | null }) {
  const { call, internal, index } = frame;
  const { name } = callParts(call);
  const line = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // Scroll to the argument, which may be in the invisible part of the line.
    if (argument === null) line.current?.scrollTo({ left: 0 });
    else line.current?.querySelector('[data-marked]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [argument]);
  return (
    <Truncate ref={line} grow lines="kept" tone={internal ? 3 : 1} className="code" title={call}>
      {name.startsWith('((') ? name : `(${plainName(name.slice(1))}`}
      {argumentParts(frame).map((part, at) =>
        part.kind === 'text' ? (
          // A part can only be identified by its position, so the index is its key.
          // oxlint-disable-next-line react/no-array-index-key
          <CodeText key={at} text={part.text} />
        ) : (
          <ValueChip key={at} value={part.value} from={`frame ${index}`} embedded marked={part.index === argument} />
        ),
      )}
    </Truncate>
  );
}

function frameId(id: string, frame: number): string {
  return `frame-${id}-${frame}`;
}
