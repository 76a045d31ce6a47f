/** Review: the open card, the other waiting cards as rows below it, and the decided requests. */
import { CircleStop, X } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { Push } from './button.tsx';
import { Card } from './card/card.tsx';
import { announcement, arrivals, cardsBelow, nextCard, openCard } from './lists/cards.ts';
import { Hues } from './card/client-mark.tsx';
import { DecidedList } from './lists/decided-list.tsx';
import { type Draft, NEW_DRAFT } from './edit/draft.ts';
import { useQueue } from './service.ts';
import { Keys } from '../ui/menus/keys.tsx';
import { Unsaved } from './edit/unsaved.ts';
import { WaitingList } from './lists/waiting-list.tsx';
import { Box, Row, Stack, Text } from '../ui/layout.tsx';
import styles from './review.module.css';

export function Review({ service }: { service: ApprovalBridge | undefined }) {
  const { connection, queue, retry } = useQueue(service);
  const { waiting, decided } = queue;
  const [chosen, setChosen] = useState<string | null>(null);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const open = openCard(waiting, chosen);
  const card = useRef<HTMLElement>(null);
  const nothing = useRef<HTMLParagraphElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const said = useAnnouncement(waiting);
  const close = (): void => void service?.call('approval.close', {}).catch(() => {});
  useEscape(close);

  // The open card stays open even if a card arrives before it in the queue.
  if (open && open.id !== chosen) setChosen(open.id);
  useFocusKept(service, open?.id ?? null, connection === 'ready', () => card.current ?? nothing.current);
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

  useCardWanted(service, (id, denying) => {
    if (!denying) return choose(id);
    // Moves the focus to the reason field.
    setChosen(id);
    return changeDraft(id, { mode: 'denying' });
  });

  return (
    <Hues value={queue.hues}>
      <Unsaved value={queue.unsaved}>
        <main>
          <Stack as="section" tall="full" className={styles.review} aria-label="Review">
            <Row as="header" gap={2} fixed className={styles.head}>
              <Text as="h1" font="head">
                Review
              </Text>
              {waiting.length > 0 ? <Count waiting={waiting.length} inLine={queue.inLine} /> : null}
              <Row
                type="button"
                as="button"
                gap={2}
                padX={2}
                font="small"
                tall="control"
                tone={2}
                round="control"
                end
                className={styles.stopAgents}
                title="Deny all waiting requests and interrupt all running evaluations of agents"
                onClick={() => void service?.call('approval.stopAgents', {}).catch(() => {})}
              >
                <CircleStop className="icon" aria-hidden />
                Stop all agents
                <Keys keys="Ctrl+Shift+." drawn />
              </Row>
              <Box
                type="button"
                as="button"
                tall="control"
                tone={2}
                round="control"
                className={styles.close}
                aria-label="Close Review"
                title="Close (Esc)"
                onClick={close}
              >
                <X className="icon" aria-hidden />
              </Box>
            </Row>
            <p className="visually-hidden" aria-live="polite">
              {said}
            </p>
            <Box ref={body} grow className={styles.body}>
              {connection === 'unavailable' ? <Unavailable retry={service ? retry : null} /> : null}
              {connection === 'ready' && !open ? (
                // This text gets the focus after the last card was decided, so that a screen reader reads it aloud.
                <Stack ref={nothing} as="p" align="start" gap={3} padY={4} padX={1} tone={2} tabIndex={-1}>
                  No requests are waiting.
                </Stack>
              ) : null}
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
            </Box>
          </Stack>
        </main>
      </Unsaved>
    </Hues>
  );
}

function Count({ waiting, inLine }: { waiting: number; inLine: number }) {
  if (inLine === 0)
    return (
      <Text font="small" tone={2}>
        {waiting} waiting
      </Text>
    );
  return (
    <Text font="small" tone={2} title="At most three requests of a client are shown at a time">
      {waiting} waiting, {inLine} queued
    </Text>
  );
}

function Unavailable({ retry }: { retry: (() => void) | null }) {
  return (
    <Stack align="start" gap={3} padY={4} padX={1} tone={2} role="alert">
      <p>Review is not available. Every request is denied.</p>
      {retry ? (
        <Push size="small" onClick={retry}>
          Try again
        </Push>
      ) : null}
    </Stack>
  );
}

/** Announces new cards to a screen reader, without moving the focus. */
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

/**
 * Keeps the focus in the page. Focuses the open card, never a button, if the focused card disappears, if a card replaces the message that
 * nothing is waiting, or if the page gets the keyboard without a focus. If no card is left, focuses that message.
 */
function useFocusKept(
  service: ApprovalBridge | undefined,
  open: string | null,
  ready: boolean,
  target: () => HTMLElement | null,
): void {
  const focus = useRef(target);
  useLayoutEffect(() => {
    focus.current = target;
  });
  useEffect(() => {
    if (document.hasFocus() && document.activeElement === document.body)
      focus.current()?.focus({ preventScroll: true });
  }, [open, ready]);
  useEffect(() => {
    const take = (): void => {
      if (document.activeElement === document.body) focus.current()?.focus({ preventScroll: true });
    };
    window.addEventListener('focus', take);
    // If the page gets the keyboard as soon as it appears, its card may not be drawn yet, so take the focus in the next frame.
    const stop = service?.on('view-shown', () => requestAnimationFrame(() => document.hasFocus() && take()));
    return () => {
      window.removeEventListener('focus', take);
      stop?.();
    };
  }, [service]);
}

/** Opens a card when the window requests it. With `denying`, the reason field for a denial gets the focus. */
function useCardWanted(service: ApprovalBridge | undefined, onWanted: (id: string, denying: boolean) => void): void {
  const latest = useRef(onWanted);
  useLayoutEffect(() => {
    latest.current = onWanted;
  });
  useEffect(() => service?.on('card-wanted', ({ id, denying }) => latest.current(id, denying)), [service]);
}

function useNextWanted(service: ApprovalBridge | undefined, onNext: () => void): void {
  const latest = useRef(onNext);
  useLayoutEffect(() => {
    latest.current = onNext;
  });
  useEffect(() => service?.on('next-wanted', () => latest.current()), [service]);
}

/** Scrolls a new or redrawn card to its headline, because the previous card's scroll position is meaningless for it. */
function useReadFromTheTop(open: ApprovalCard | null, body: RefObject<HTMLElement | null>): void {
  const shown = open && (open.state === 'stale' ? `${open.id} ${open.fingerprint}` : open.id);
  useLayoutEffect(() => {
    if (shown !== null && body.current) body.current.scrollTop = 0;
  }, [shown, body]);
}
