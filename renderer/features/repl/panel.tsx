/** The REPL: the evaluations made here, in the editor and by agents, and the input row. */
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { ReplRecord } from '#contract/image/repl.ts';
import type { Session } from '#contract/image/session.ts';
import { useMirror } from '../../base/mirror.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { copyTranscript } from './transcript/take-transcript.ts';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { transcriptMenu } from './transcript/transcript-menu.ts';
import { EntryView } from './transcript/entry.tsx';
import { EmptyTranscript } from './transcript/empty-transcript.tsx';
import { MissingPackage } from './transcript/missing-package.tsx';
import { InputRow } from './input/input-row.tsx';
import { LostBar } from './lost-bar.tsx';
import { ReplTabs } from './repl-tabs.tsx';
import { EndedImage, NoImage } from './without-image.tsx';
import { isShared, useOfShownImage, useShownImage, useShownRepl } from '../../base/image/active-repl.ts';
import { withAgentsAtWork } from '../../base/image/transcript.ts';
import { useTranscript } from '../../base/image/transcript-store.ts';
import { Box } from '../../ui/layout.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import styles from './panel.module.css';

export function Repl() {
  const repl = useShownRepl();
  const foot = useOfShownImage(footOf);
  return (
    <Region name="REPL">
      <ReplTabs />
      <LostBar key={`lost ${repl.image}`} repl={repl} />
      <Transcript key={`transcript ${repl.id}`} repl={repl} />
      {foot === 'ended' ? (
        <EndedImage repl={repl} />
      ) : foot === 'no image' ? (
        <NoImage />
      ) : (
        <>
          <MissingPackage repl={repl} />
          <InputRow key={`input ${repl.id}`} repl={repl} />
        </>
      )}
    </Region>
  );
}

/**
 * Returns the kind of the bottom row. An image that has not been started starts with its first form; the shared image starts with the
 * program.
 */
function footOf(image: Session | null): 'ended' | 'no image' | 'input' {
  if (image === null) return 'ended';
  return image.state === 'gone' && (isShared(image) || image.problem !== null) ? 'no image' : 'input';
}

/** The distance from the end, in pixels, within which new entries scroll the list to the end. */
const NEAR_END = 40;

function Transcript({ repl }: { repl: ReplRecord }) {
  const image = useShownImage();
  const kept = useTranscript(repl.id);
  // Systems that an agent loads are shown in the Systems panel.
  const loads = useMirror((state) => state.loads);
  const owner = useMirror(({ images }) => images.find(({ id }) => id === repl.image)?.owner);
  const showsAgents = repl.id === FIRST_REPL || owner === 'client';
  const entries = useMemo(
    () => (image && showsAgents ? withAgentsAtWork(kept, image, loads) : kept),
    [kept, image, showsAgents, loads],
  );
  const outputs = useMirror((state) => state.outputs);
  const empty = entries.length === 0;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const following = useRef(true);
  /** The last measured height of the list, and its last scroll offset, in pixels. */
  const height = useRef(0);
  const top = useRef(0);

  const own = entries.findLast(({ origin }) => origin === 'repl')?.evaluation;
  // A new evaluation in this REPL scrolls to its result.
  useLayoutEffect(() => {
    following.current = true;
  }, [own]);
  useLayoutEffect(() => {
    if (following.current && entries.length > 0) list.current?.scrollToIndex(entries.length - 1, { align: 'end' });
  }, [entries, outputs]);
  // Rows are measured only after they are drawn, so the list is scrolled to the end once more.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      height.current = element.clientHeight;
      // While the transcript is empty, the text shown in its place stays scrolled to the top.
      if (following.current && !empty) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
    // The scroller's first child changes once there are rows.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [empty]);

  const [all, setAll] = useState(false);
  const [menu, setMenu] = useState<{ x: number; y: number; evaluation: string | null } | null>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const primary = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (primary && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      setAll(entries.length > 0);
      if (scroller.current) window.getSelection()?.selectAllChildren(scroller.current);
    } else if (primary && event.key.toLowerCase() === 'c' && all) {
      // Copies the text from the entries, because rows that are not drawn are selected too.
      event.preventDefault();
      void orNotice(copyTranscript());
    } else if (event.key === 'Escape') {
      setAll(false);
      window.getSelection()?.removeAllRanges();
    }
  };
  const openMenu = (event: MouseEvent<HTMLElement>): void => {
    event.preventDefault();
    const { currentTarget, clientX: x, clientY: y, target } = event;
    const box = currentTarget.getBoundingClientRect();
    const entry = target instanceof Element ? target.closest<HTMLElement>('[data-entry]') : null;
    const place = x === 0 && y === 0 ? { x: box.left + 16, y: box.top + 16 } : { x, y };
    setMenu({ ...place, evaluation: entry?.dataset['entry'] ?? null });
  };

  return (
    <>
      <Box
        ref={scroller}
        padY={2}
        grow
        selectable
        className={styles.transcript}
        role="log"
        aria-label="Transcript"
        id="repl-transcript"
        tabIndex={0}
        onKeyDown={onKeyDown}
        onContextMenu={openMenu}
        onPointerDown={() => setAll(false)}
        data-all={all}
        onScroll={({ currentTarget: element }) => {
          // A changed height means that the panel is shown again, so the user did not cause this scrolling.
          if (element.clientHeight !== height.current) return;
          const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
          if (atEnd || element.scrollTop < top.current) following.current = atEnd;
          top.current = element.scrollTop;
        }}
      >
        {empty ? <EmptyTranscript repl={repl} image={image} /> : null}
        <Virtualizer ref={list} data={entries}>
          {(entry) => <EntryView key={entry.evaluation} entry={entry} />}
        </Virtualizer>
      </Box>
      {menu ? (
        <ContextMenu
          label="Transcript"
          groups={transcriptMenu(entries.find(({ evaluation }) => evaluation === menu.evaluation) ?? null)}
          place={menu}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </>
  );
}
