/** The queue as main tells it, kept current. Without an answer from main the page says that every request is denied. */
import { useCallback, useEffect, useState } from 'react';
import type { ShownQueue } from '#contract/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { chooseTheme } from '../theme/theme.ts';

declare global {
  interface Window {
    /** What the approval view's preload exposes; absent when the preload failed. */
    readonly approval?: ApprovalBridge;
  }
}

export interface QueueState {
  readonly connection: 'connecting' | 'ready' | 'unavailable';
  readonly queue: ShownQueue;
  readonly retry: () => void;
}

const NOTHING: ShownQueue = { waiting: [], inLine: 0, decided: [], hues: {}, unsaved: {} };

export function useQueue(service: ApprovalBridge | undefined): QueueState {
  const [connection, setConnection] = useState<QueueState['connection']>(service ? 'connecting' : 'unavailable');
  const [queue, setQueue] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (!service) return;
    let current = true;
    /** An event is newer than the answer to a question that was asked before it. */
    let told = false;
    const take = (next: ShownQueue): void => {
      setQueue(next);
      setConnection('ready');
    };
    const stops = [
      service.on('queue-changed', (next) => {
        told = true;
        take(next);
      }),
      service.on('theme-changed', ({ theme }) => chooseTheme(theme)),
    ];
    service.call('approval.queue', {}).then(
      ({ theme, ...shown }) => {
        if (!current) return;
        chooseTheme(theme);
        if (!told) take(shown);
        resumeForgotten(service, shown.waiting);
      },
      () => current && setConnection('unavailable'),
    );
    return () => {
      current = false;
      for (const stop of stops) stop();
    };
  }, [service, attempt]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { connection, queue, retry };
}

/** Shows the source of a frame at the left; main knows the place from the card. */
export async function showSource(service: ApprovalBridge, id: string, frame: number): Promise<void> {
  await service.call('approval.showSource', { id, frame }).catch(() => {}); // the card is gone, and so are its frames
}

/** Shows the Clients panel beside Review. */
export async function showClients(service: ApprovalBridge): Promise<void> {
  await service.call('approval.showClients', {}).catch(() => {}); // the window is about to close
}

/** A page that starts anew edits nothing: a clock that was stopped for an edit before must run again. */
function resumeForgotten(service: ApprovalBridge, waiting: ShownQueue['waiting']): void {
  for (const { id, deadline } of waiting) {
    if (deadline === null) service.call('approval.editing', { id, editing: false }).catch(() => {});
  }
}
