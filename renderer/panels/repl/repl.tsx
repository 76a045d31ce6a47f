/** The REPL: what was evaluated here, in the editor and by agents, and the row to type in. */
import './repl.css';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useMirror } from '../../mirror.ts';
import { Empty } from '../../ui/empty.tsx';
import { EntryView } from './entry.tsx';
import { InputRow } from './input-row.tsx';
import { LostBar } from './lost-bar.tsx';
import { NoImage } from './no-image.tsx';
import { withAgentsAtWork } from './transcript.ts';
import { useTranscript } from './transcript-store.ts';

export function Repl() {
  const gone = useMirror((state) => state.session.state === 'gone');
  return (
    <section className="region repl" aria-label="REPL" data-region="REPL">
      <LostBar />
      <Transcript />
      {gone ? <NoImage /> : <InputRow />}
    </section>
  );
}

/** Pixels from the end within which new entries keep the end in sight. */
const NEAR_END = 40;

function Transcript() {
  const kept = useTranscript();
  const session = useMirror((state) => state.session);
  // What an agent loads is followed among the systems.
  const loads = useMirror((state) => state.loads);
  const entries = useMemo(() => withAgentsAtWork(kept, session, loads), [kept, session, loads]);
  const outputs = useMirror((state) => state.outputs);
  const empty = entries.length === 0;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const following = useRef(true);
  /** As it was last measured and scrolled to. */
  const height = useRef(0);
  const top = useRef(0);

  useLayoutEffect(() => {
    if (following.current && entries.length > 0) list.current?.scrollToIndex(entries.length - 1, { align: 'end' });
  }, [entries, outputs]);
  // Rows are measured after they are drawn: the end moves once more.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      height.current = element.clientHeight;
      if (following.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
    // The first child is another one once there are rows.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [empty]);

  return (
    <div
      ref={scroller}
      className="transcript"
      role="log"
      aria-label="Transcript"
      tabIndex={0}
      onScroll={({ currentTarget: element }) => {
        // What moves while it is shown again after another page is no scrolling of the person's.
        if (element.clientHeight !== height.current) return;
        const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
        if (atEnd || element.scrollTop < top.current) following.current = atEnd;
        top.current = element.scrollTop;
      }}
    >
      {empty ? (
        <Empty title="Type a form below and press Enter.">
          <p>What you evaluate here or in the editor appears here, and what agents evaluate, with their names.</p>
        </Empty>
      ) : null}
      <Virtualizer ref={list} data={entries}>
        {(entry) => <EntryView key={entry.evaluation} entry={entry} />}
      </Virtualizer>
    </div>
  );
}
