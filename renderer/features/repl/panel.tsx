/** The REPL: the evaluations made here, in the editor and by agents, and the input row. */
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { ReplRecord } from '#contract/image/repl.ts';
import type { Session } from '#contract/image/session.ts';
import { useLayout } from '../../base/layout/layout-store.ts';
import { focusRegion } from '../../base/layout/regions.ts';
import { useMirror } from '../../base/mirror.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { copyTranscript } from './transcript/take-transcript.ts';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { transcriptMenu } from './transcript/transcript-menu.ts';
import { AgentRun } from './transcript/agent-run.tsx';
import { entriesOf, type RunHead, transcriptRows } from './transcript/agent-runs.ts';
import { EntryView } from './transcript/entry.tsx';
import { NewBelow, useNewBelow } from './transcript/new-below.tsx';
import { OnlySome } from './transcript/only-some.tsx';
import { EmptyTranscript } from './transcript/empty-transcript.tsx';
import { MissingPackage } from './transcript/missing-package.tsx';
import { InputRow } from './input/input-row.tsx';
import { LostBar } from './lost-bar.tsx';
import { ReplTabs } from './repl-tabs.tsx';
import { EndedImage, NoImage } from './without-image.tsx';
import {
  isShared,
  useOfShownImage,
  useShowsAgents,
  useShownImage,
  useShownRepl,
} from '../../base/image/active-repl.ts';
import { withAgentsAtWork } from '../../base/image/transcript.ts';
import { useTranscript } from '../../base/image/transcript-store.ts';
import { Box, Stack } from '../../ui/layout.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import styles from './panel.module.css';

export function Repl() {
  const repl = useShownRepl();
  const foot = useOfShownImage(footOf);
  return (
    <Region name="REPL">
      <ReplTabs />
      <LostBar key={`lost ${repl.image}`} repl={repl} />
      <OnlySome />
      <Stack grow className={styles.frame}>
        <Transcript key={`transcript ${repl.id}`} repl={repl} />
      </Stack>
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

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < NEAR_END;
}

function Transcript({ repl }: { repl: ReplRecord }) {
  const image = useShownImage();
  const kept = useTranscript(repl.id);
  // Systems that an agent loads are shown in the Systems panel.
  const loads = useMirror((state) => state.loads);
  const showsAgents = useShowsAgents();
  const whose = useLayout(({ replShows }) => (showsAgents ? replShows : 'everyone'));
  const foldsRuns = useLayout(({ replFolds }) => replFolds);
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const entries = useMemo(
    () => entriesOf(image && showsAgents ? withAgentsAtWork(kept, image, loads) : kept, whose),
    [kept, image, showsAgents, loads, whose],
  );
  const rows = useMemo(() => transcriptRows(entries, foldsRuns, folds), [entries, foldsRuns, folds]);
  const outputs = useMirror((state) => state.outputs);
  const empty = entries.length === 0;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const following = useRef(true);
  /** The last measured height of the list, and its last scroll offset, in pixels. */
  const height = useRef(0);
  const top = useRef(0);

  const own = entries.findLast(({ origin }) => origin === 'repl')?.evaluation;
  const [isNewBelow, clearNewBelow] = useNewBelow(entries, outputs, () => following.current);
  // A new evaluation in this REPL scrolls to its result, and another filter to the end.
  useLayoutEffect(() => {
    following.current = true;
    clearNewBelow();
  }, [own, whose, foldsRuns, clearNewBelow]);
  useLayoutEffect(() => {
    if (following.current && rows.length > 0) list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [rows, outputs]);
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

  const fold = ({ id, isFolded }: RunHead): void => {
    // The head stays where the person pressed it, so the list does not follow its end now.
    following.current = false;
    setFolds((before) => new Map(before).set(id, !isFolded));
  };
  useEffect(() => {
    if (scroller.current && folds.size > 0) following.current = isAtEnd(scroller.current);
  }, [folds]);
  const goToEnd = (): void => {
    following.current = true;
    clearNewBelow();
    list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
    focusRegion('REPL');
  };

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
          const atEnd = isAtEnd(element);
          if (atEnd || element.scrollTop < top.current) following.current = atEnd;
          if (atEnd) clearNewBelow();
          top.current = element.scrollTop;
        }}
      >
        {empty && kept.length === 0 ? <EmptyTranscript repl={repl} image={image} /> : null}
        <Virtualizer ref={list} data={rows}>
          {(row) =>
            row.kind === 'run' ? (
              <AgentRun key={row.id} run={row} onFold={fold} />
            ) : (
              <EntryView key={row.id} entry={row.entry} />
            )
          }
        </Virtualizer>
      </Box>
      {isNewBelow ? <NewBelow onPress={goToEnd} /> : null}
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
