/** Tells the page what happens: every event of the core that the rpc table names, batched where it comes in floods. */
import type { ActivityEvent } from '#contract/activity.ts';
import type { OutputStream } from '#contract/evaluation.ts';
import type { workbenchEvents } from '#contract/rpc.ts';
import { unreviewedDefinitions } from '#core/sessions/definition-views.ts';
import { shownMetrics, shownProject, type DesktopParts } from './calls.ts';
import { eventSender } from './ipc.ts';

type Send = ReturnType<typeof eventSender<typeof workbenchEvents>>;

/** A frame of the screen: what comes faster than that arrives together. */
const BATCH_MS = 16;

export function feedPage({
  window,
  workbench,
  servers,
  review,
  deviations,
}: Omit<DesktopParts, 'files' | 'workspace' | 'place' | 'stdioCommand'>): Send {
  const send: Send = eventSender<typeof workbenchEvents>('workbench-event', () =>
    window.isDestroyed() ? null : window.webContents,
  );
  const { session } = workbench;
  const activity = batched<ActivityEvent>((events) => send('activity-added', events));
  const output = batched<OutputPiece>((pieces) => joined(pieces).forEach((piece) => send('output', piece)));
  const sessionChanged = latest(() => send('session-changed', session.view()));
  session.events.on('changed', sessionChanged);
  session.events.on('output', output);
  session.events.on('input-requested', (request) => send('input-requested', request));
  workbench.activity.events.on('added', activity);
  workbench.events.on('agent-evaluated', (evaluated) => send('agent-evaluated', evaluated));
  workbench.alerts.events.on('changed', (alerts) => send('alerts-changed', alerts));
  workbench.events.on('settings-changed', (settings) => send('settings-changed', settings));
  workbench.events.on('project-changed', () => send('project-changed', shownProject(workbench)));
  workbench.definitions.events.on('changed', (changed) => send('definitions-changed', changed));
  const reviewChanged = latest(() => send('unreviewed-changed', unreviewedDefinitions(session.definitions)));
  session.definitions.events.on('changed', reviewChanged);
  deviations.events.on('changed', (changed) => send('deviations-changed', changed));
  session.events.on('system-progress', (progress) => send('system-progress', progress));
  workbench.loads.events.on('changed', (loads) => send('loads-changed', loads));
  const clientsChanged = latest(() => send('clients-changed', workbench.clients.list()));
  workbench.clients.events.on('changed', clientsChanged);
  const grantedChanged = latest(() => send('granted-changed', workbench.rules.shown()));
  workbench.rules.events.on('changed', grantedChanged);
  const metricsChanged = latest(() => send('metrics-changed', shownMetrics(workbench)));
  workbench.activity.events.on('added', ({ kind }) => {
    if (kind !== 'call-finished') return;
    metricsChanged();
    clientsChanged(); // they count their calls
  });
  workbench.admissions.events.on('changed', (waiting) => send('admissions-changed', waiting));
  servers.events.on('changed', (status) => send('server-changed', status));
  review.events.on('changed', (changed) => send('review-changed', changed));
  return send;
}

interface OutputPiece {
  readonly evaluation: string | null;
  readonly stream: OutputStream | 'process';
  readonly text: string;
}

/** Neighbours of the same stream become one piece. */
function joined(pieces: readonly OutputPiece[]): OutputPiece[] {
  const result: OutputPiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (last && last.evaluation === piece.evaluation && last.stream === piece.stream)
      result[result.length - 1] = { ...last, text: last.text + piece.text };
    else result.push(piece);
  }
  return result;
}

/** Gathers what comes within a frame. */
function batched<Item>(flush: (items: Item[]) => void): (item: Item) => void {
  let gathered: Item[] = [];
  return (item) => {
    gathered.push(item);
    if (gathered.length > 1) return;
    setTimeout(() => {
      const items = gathered;
      gathered = [];
      flush(items);
    }, BATCH_MS);
  };
}

/** Tells once a frame that something changed. */
function latest(tell: () => void): () => void {
  const tellBatch = batched<void>(tell);
  return () => tellBatch();
}
