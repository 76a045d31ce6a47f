/** Review: one card open, the others that wait in rows below it, and what was decided. */
import { CircleStop, X } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ApprovalCard } from '#contract/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { Push } from './button.tsx';
import { Card } from './card.tsx';
import { announcement, arrivals, cardsBelow, nextCard, openCard } from './cards.ts';
import { Hues } from './client-mark.tsx';
import { DecidedList } from './decided-list.tsx';
import { type Draft, NEW_DRAFT } from './draft.ts';
import { useQueue } from './service.ts';
import { Keys } from '../ui/keys.tsx';
import { Unsaved } from './unsaved.ts';
import { WaitingList } from './waiting-list.tsx';

export function Review({ service }: { service: ApprovalBridge | undefined }) {
  const { connection, queue, retry } = useQueue(service);
  const { waiting, decided } = queue;
  const [chosen, setChosen] = useState<string | null>(null);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const open = openCard(waiting, chosen);
  const card = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const said = useAnnouncement(waiting);
  const close = (): void => void service?.call('approval.close', {}).catch(() => {});
  useEscape(close);

  // The card that is open stays open, whatever arrives before it in the queue.
  if (open && open.id !== chosen) setChosen(open.id);
  useFocusKept(service, open?.id ?? null, card);
  useReadFromTheTop(open, body);

  const choose = (id: string): void => {
    setChosen(id);
    requestAnimationFrame(() => card.current?.focus());
  };
  const after = nextCard(waiting, open?.id ?? null);
  useNextWanted(service, () => (after ? choose(after.id) : card.current?.focus()));
  const changeDraft = (id: string, change: Partial<Draft>): void =>
    setDrafts((before) => {
      const kept = [...before].filter(([other]) => waiting.some((waits) => waits.id === other));
      return new Map([...kept, [id, { ...(before.get(id) ?? NEW_DRAFT), ...change }]]);
    });

  return (
    <Hues value={queue.hues}>
      <Unsaved value={queue.unsaved}>
        <main>
          <section className="review" aria-label="Review">
            <header className="review-head">
              <h1 className="review-title">Review</h1>
              {waiting.length > 0 ? <Count waiting={waiting.length} inLine={queue.inLine} /> : null}
              <button
                type="button"
                className="stop-agents"
                title="Deny what waits and interrupt what agents run"
                onClick={() => void service?.call('approval.stopAgents', {}).catch(() => {})}
              >
                <CircleStop className="icon" aria-hidden />
                Stop all agents
                <Keys keys="Ctrl+Shift+." drawn />
              </button>
              <button type="button" className="close" aria-label="Close Review" title="Close (Esc)" onClick={close}>
                <X className="icon" aria-hidden />
              </button>
            </header>
            <p className="visually-hidden" aria-live="polite">
              {said}
            </p>
            <div ref={body} className="review-body">
              {connection === 'unavailable' ? <Unavailable retry={service ? retry : null} /> : null}
              {connection === 'ready' && !open ? <p className="nothing">Nothing waits for you.</p> : null}
              {service && open ? (
                <Card
                  key={open.id}
                  service={service}
                  card={open}
                  draft={drafts.get(open.id) ?? NEW_DRAFT}
                  onDraft={(change) => changeDraft(open.id, change)}
                  element={card}
                />
              ) : null}
              {waiting.length > 1 ? (
                <WaitingList cards={cardsBelow(waiting, open?.id ?? null)} onOpen={choose} />
              ) : null}
              {decided.length > 0 ? <DecidedList service={service} decided={decided} card={open?.id ?? null} /> : null}
            </div>
          </section>
        </main>
      </Unsaved>
    </Hues>
  );
}

function Count({ waiting, inLine }: { waiting: number; inLine: number }) {
  if (inLine === 0) return <span className="review-count">{waiting} waiting</span>;
  return (
    <span className="review-count" title="A client has at most three requests here at a time">
      {waiting} waiting, {inLine} in line
    </span>
  );
}

function Unavailable({ retry }: { retry: (() => void) | null }) {
  return (
    <div className="nothing" role="alert">
      <p>Review is not available. Every request is denied.</p>
      {retry ? (
        <Push size="small" onClick={retry}>
          Try again
        </Push>
      ) : null}
    </div>
  );
}

/** Tells a screen reader what arrived; nothing of it moves the focus. */
function useAnnouncement(waiting: ReturnType<typeof useQueue>['queue']['waiting']): string {
  const [said, setSaid] = useState('');
  const known = useRef(waiting);
  useEffect(() => {
    const arrived = arrivals(known.current, waiting);
    known.current = waiting;
    if (arrived.length > 0) setSaid(announcement(arrived));
  }, [waiting]);
  return said;
}

function useEscape(close: () => void): void {
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLTextAreaElement;
      if (event.key === 'Escape' && !event.defaultPrevented && !typing) close();
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  });
}

/** When the card that had the focus is gone, or the page gets the keyboard with none, the open card has it: never a button. */
function useFocusKept(
  service: ApprovalBridge | undefined,
  open: string | null,
  card: RefObject<HTMLElement | null>,
): void {
  const had = useRef(open);
  useEffect(() => {
    const was = had.current;
    had.current = open;
    if (was !== null && was !== open && document.hasFocus() && document.activeElement === document.body) {
      card.current?.focus({ preventScroll: true });
    }
  }, [open, card]);
  useEffect(() => {
    const take = (): void => {
      if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
    };
    window.addEventListener('focus', take);
    // Given the keyboard as it comes into view, the page may not have drawn its card yet.
    const stop = service?.on('view-shown', () => requestAnimationFrame(() => document.hasFocus() && take()));
    return () => {
      window.removeEventListener('focus', take);
      stop?.();
    };
  }, [service, card]);
}

function useNextWanted(service: ApprovalBridge | undefined, onNext: () => void): void {
  const latest = useRef(onNext);
  useLayoutEffect(() => {
    latest.current = onNext;
  });
  useEffect(() => service?.on('next-wanted', () => latest.current()), [service]);
}

/** A card that is new, or drawn again, begins with its headline: where the one before was left says nothing of it. */
function useReadFromTheTop(open: ApprovalCard | null, body: RefObject<HTMLElement | null>): void {
  const shown = open && (open.state === 'stale' ? `${open.id} ${open.fingerprint}` : open.id);
  useLayoutEffect(() => {
    if (shown !== null && body.current) body.current.scrollTop = 0;
  }, [shown, body]);
}
