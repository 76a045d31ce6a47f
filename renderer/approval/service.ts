/**
 * The queue from the main process, which is always up to date. If the main process does not answer, the page says that every request is
 * denied.
 */
import { useCallback, useEffect, useState } from 'react';
import type { ShownQueue } from '#contract/decisions/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { chooseAppearance } from '../theme/theme.ts';

declare global {
  interface Window {
    /** The bridge that the approval view's preload exposes; missing if the preload failed. */
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
    /** True after an event, because the event is newer than the answer to a request that was sent before it. */
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
      service.on('appearance-changed', chooseAppearance),
    ];
    service.call('approval.queue', {}).then(
      ({ appearance, ...shown }) => {
        if (!current) return;
        chooseAppearance(appearance);
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

/** Shows a frame's source in the main window, to the left of Review. The main process knows the location from the card. */
export async function showSource(service: ApprovalBridge, id: string, frame: number): Promise<void> {
  await service.call('approval.showSource', { id, frame }).catch(() => {}); // fails if the card and its frames no longer exist
}

/** Shows the debugger that offers the card's proposed restart in the main window, to the left of Review. */
export async function showDebugger(service: ApprovalBridge, id: string): Promise<void> {
  await service.call('approval.showDebugger', { id }).catch(() => {}); // fails if the card and its debugger no longer exist
}

/** Shows, in the main window, the definitions that agents evaluated and the person has not accepted. */
export async function showChanges(service: ApprovalBridge, id: string): Promise<void> {
  await service.call('approval.showChanges', { id }).catch(() => {}); // fails if the card no longer exists
}

/** Shows the Clients panel beside Review. */
export async function showClients(service: ApprovalBridge): Promise<void> {
  await service.call('approval.showClients', {}).catch(() => {}); // fails if the window is about to close
}

/**
 * Resumes the clocks of all cards. A page that was just restarted has no edit in progress, so a clock that was stopped for an edit must run
 * again.
 */
function resumeForgotten(service: ApprovalBridge, waiting: ShownQueue['waiting']): void {
  for (const { id, deadline } of waiting) {
    if (deadline === null) service.call('approval.editing', { id, editing: false }).catch(() => {});
  }
}
