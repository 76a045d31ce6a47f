/**
 * Sends the page every event of the core that the rpc table names. States and frequent events are sent through the outbox, which waits for
 * the page. The person's own actions, and questions to the person, are sent at once.
 */
import type { z } from 'zod';
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import type { PackageDefinitions } from '#contract/image/definition.ts';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import type { PackageIndentation } from '#contract/image/indentation.ts';
import type { PageEvents } from '#contract/rpc.ts';
import { shownEvent } from '#core/activity/shown-events.ts';
import { unreviewedDefinitions } from '#core/sessions/definitions/views.ts';
import { shownMetrics, shownProject } from '../calls/calls.ts';
import { AgentItems } from './agent-items.ts';
import type { DesktopParts } from '../desktop-parts.ts';
import { feedImages, isOfPerson } from './image-feed.ts';
import type { SendNow } from '../calls/ipc.ts';
import { Items, Output, States } from './outbox-channels.ts';
import { Traces } from './outbox-traces.ts';
import { PackageChanges } from './package-changes.ts';

type AgentEvaluated = z.input<PageEvents['agent-evaluated']>;

/**
 * The maximum number of rows that are waiting for the page. The next constant is their maximum total size in characters. The page requests
 * older rows when it needs them.
 */
const MOST_ROWS = 2_000;
const MOST_ROW_SIZE = 2_000_000;
/** The maximum number of agents' evaluations that are waiting for the REPL. The REPL shows no more than this. */
const MOST_EVALUATED = 500;
const MOST_EVALUATED_SIZE = 4_000_000;
/** The maximum number of characters of the code of an agent's evaluation, and of its values. */
const LONGEST = 64 * 1024;

export function feedPage({
  link,
  workbench,
  hosted,
  review,
  deviations,
}: Omit<
  DesktopParts,
  'window' | 'servers' | 'files' | 'workspace' | 'place' | 'stdioCommand' | 'pluginFolder'
>): SendNow<PageEvents> {
  const { session } = workbench;
  let states!: States;
  let rows!: Items<ActivityEvent>;
  let output!: Output;
  let evaluated!: Items<AgentEvaluated>;
  let traces!: Traces;
  let items!: AgentItems;
  let definitions!: PackageChanges<PackageDefinitions>;
  let indentation!: PackageChanges<PackageIndentation>;
  const outbox = link.openOutbox((wake) => {
    states = new States(wake);
    rows = new Items({
      event: (events) => [['activity-added', events]],
      sizeOf: rowSize,
      most: MOST_ROWS,
      mostSize: MOST_ROW_SIZE,
      wake,
    });
    output = new Output((evaluation) => workbench.sessions.all.some((each) => isOfPerson(each, evaluation)), wake);
    evaluated = new Items({
      event: (items) => items.map((item) => ['agent-evaluated', item]),
      sizeOf: ({ code, report }) => 500 + code.length + report.values.reduce((sum, { text }) => sum + text.length, 0),
      most: MOST_EVALUATED,
      mostSize: MOST_EVALUATED_SIZE,
      wake,
    });
    definitions = new PackageChanges('definitions-changed', (each) => each.package, wake);
    indentation = new PackageChanges('indentation-changed', ({ name }) => name, wake);
    traces = new Traces(wake);
    items = new AgentItems(wake);
    return [states, rows, output, traces, evaluated, definitions, indentation, items];
  });
  const now: SendNow<PageEvents> = (name, payload) => outbox.now(name, payload);
  const state = <Name extends keyof PageEvents & string>(
    name: Name,
    make: () => z.input<PageEvents[Name]>,
    of?: string,
  ): void => states.tell(name, make, of);

  session.events.on('changed', () => state('session-changed', () => session.view()));
  feedImages(workbench, { output, traces }, state, now);
  workbench.breakpoints.events.on('changed', (changed) => state('breakpoints-changed', () => changed));
  workbench.activity.events.on('added', (event) => rows.add(shownEvent(event)));
  workbench.events.on('agent-evaluated', (event) => evaluated.add(shownEvaluated(event)));
  workbench.alerts.events.on('changed', (alerts) => state('alerts-changed', () => alerts));
  workbench.events.on('settings-changed', (settings) => state('settings-changed', () => settings));
  workbench.events.on('project-changed', () => state('project-changed', () => shownProject(workbench)));
  workbench.definitions.watch((change) => definitions.add(change));
  workbench.indentation.watch((change) => indentation.add(change));
  session.definitions.events.on('changed', () =>
    state('unreviewed-changed', () => unreviewedDefinitions(session.definitions)),
  );
  deviations.events.on('changed', (changed) => state('deviations-changed', () => changed));
  session.events.on('system-progress', (progress) =>
    state('system-progress', () => progress, progress.evaluation ?? undefined),
  );
  workbench.tests.events.on('started', (started) => state('test-started', () => started, started.evaluation));
  workbench.tests.events.on('finished', (result) =>
    state('test-finished', () => result, `${result.evaluation} ${result.test}`),
  );
  session.events.on('values-recorded', (counts) => state('values-recorded', () => counts));
  session.events.on('recordings-ended', (ended) => now('recordings-ended', ended));
  workbench.libraryJobs.events.on('work', (work) => state('library-work-changed', () => ({ work })));
  workbench.libraryJobs.events.on('changed', () => now('libraries-changed', {}));
  workbench.loads.events.on('changed', (loads) => state('loads-changed', () => loads));
  const clientsChanged = (): void => state('clients-changed', () => workbench.clients.list());
  workbench.clients.events.on('changed', clientsChanged);
  workbench.rules.events.on('changed', () => state('granted-changed', () => workbench.rules.shown()));
  workbench.activity.events.on('added', ({ kind }) => {
    if (kind !== 'call-finished') return;
    state('metrics-changed', () => shownMetrics(workbench));
    clientsChanged(); // sent again, because each client shows its number of calls
  });
  workbench.pairing.events.on('changed', (waiting) => state('admissions-changed', () => waiting));
  workbench.servers.events.on('changed', (servers) => state('servers-changed', () => servers));
  hosted.events.on('changed', (agents) => state('hosted-agents-changed', () => agents));
  hosted.events.on('programs', (programs) => state('hosted-programs-changed', () => programs));
  hosted.events.on('logins', (logins) => state('hosted-logins-changed', () => logins));
  hosted.events.on('item', (item) => items.add(item));
  review.events.on('changed', (changed) => state('review-changed', () => changed));
  review.events.on('source-wanted', (source) => now('source-wanted', source));
  review.events.on('protection-wanted', (wanted) => now('protection-wanted', wanted));
  review.events.on('debugger-wanted', (wanted) => now('debugger-wanted', wanted));
  review.events.on('command-invoked', (command) => now('command-invoked', { command }));
  review.events.on('agents-stopped', (paused) => now('agents-stopped', { paused }));
  return now;
}

/** Returns the approximate number of characters of a row. Most rows are short, but a row about definitions has up to a hundred names. */
function rowSize(event: ActivityEvent): number {
  const listed = event.kind === 'definitions-changed' ? event.definitions.length * 200 : 0;
  return 400 + listed + ('summary' in event ? event.summary.length : 0);
}

/**
 * Shortens an evaluation for the REPL, which shows only its start. The client has the complete evaluation. The activity also has it, if it
 * is still stored there.
 */
function shownEvaluated({ code, report, ...rest }: AgentEvaluated): AgentEvaluated {
  const over = code.length - LONGEST;
  return {
    ...rest,
    code: over > 0 ? `${code.slice(0, LONGEST)}\n; … ${over.toLocaleString('en')} characters more` : code,
    report: { ...report, values: shownValues(report.values) },
  };
}

function shownValues(values: EvaluationReport['values']): EvaluationReport['values'] {
  let room = LONGEST;
  return values.map((value) => {
    const text = value.text.slice(0, room);
    room -= text.length;
    return text.length === value.text.length
      ? value
      : { ...value, text, cut: value.cut + value.text.length - text.length };
  });
}
