/** What each call of the page does: the rpc table joined to the workbench. */
import { app, clipboard, nativeTheme, type BrowserWindow } from 'electron';
import type { ProjectFolder, Snapshot, WorkbenchCalls } from '#contract/rpc.ts';
import { PERSON } from '#contract/session.ts';
import type { ToolMetricsRecord } from '#contract/tool.ts';
import type { Deviations } from '#core/sessions/deviations.ts';
import { differenceOf } from '#core/sessions/definition-difference.ts';
import { definitionsSince, undoAsPerson, unreviewedDefinitions } from '#core/sessions/definition-views.ts';
import { describeSystem, testSystem } from '#core/sessions/system-runs.ts';
import type { Kept } from '#core/settings/document.ts';
import type { Workbench } from '#core/workbench.ts';
import { connectingHandlers } from './connecting.ts';
import type { Handlers } from './ipc.ts';
import { menuOf } from './menu.ts';
import type { PersonFiles } from './person-files.ts';
import type { Review } from './review.ts';
import type { Servers } from './servers.ts';
import type { WorkspaceStore } from './workspace-store.ts';

export interface DesktopParts {
  readonly window: BrowserWindow;
  readonly workbench: Workbench;
  readonly servers: Servers;
  readonly review: Review;
  readonly files: PersonFiles;
  readonly workspace: WorkspaceStore;
  /** How the file stands in which the place of the window is kept. */
  readonly place: Kept;
  readonly deviations: Deviations;
  /** Program and arguments of the stdio command. */
  readonly stdioCommand: readonly string[];
}

/** Events that a page gets when it opens; older ones it asks for. */
const SNAPSHOT_EVENTS = 2_000;

export function workbenchHandlers(parts: DesktopParts): Handlers<WorkbenchCalls> {
  const { window, workbench, review, files, workspace, deviations } = parts;
  const { session } = workbench;
  return {
    'app.snapshot': () => snapshotOf(parts),
    'app.copy': async ({ text }) => {
      await clipboard.writeText(text);
      return {};
    },
    'app.showMenu': ({ x, y, menus }) => {
      const invoke = (command: string): void =>
        window.webContents.send('workbench-event', 'command-invoked', { command });
      menuOf(menus, invoke).popup({ window, x: Math.round(x), y: Math.round(y) });
      return {};
    },
    'alerts.act': async ({ id, action }) => {
      await workbench.alerts.act(id, action);
      return {};
    },
    'settings.change': async (change) => {
      const settings = await workbench.changeSettings(defined(change));
      nativeTheme.themeSource = settings.theme;
      return settings;
    },
    'workspace.keep': async (kept) => {
      const written = workspace.keep(kept);
      deviations.lookAgain();
      await written;
      return {};
    },
    'project.choose': async () => {
      const folder = await files.chooseFolder();
      if (folder !== null) await workbench.openProject(folder);
      return shownProject(workbench);
    },
    'project.open': async ({ path }) => {
      await workbench.openProject(path);
      return shownProject(workbench);
    },
    'project.trust': async () => {
      await workbench.trustProject();
      return shownProject(workbench);
    },
    'file.choose': () => files.choose(),
    'file.read': ({ path }) => files.read(path),
    'file.save': ({ path, text, digest, overwrite }) => files.save(path, text, digest, overwrite),
    'file.choosePlace': async ({ name }) => ({ path: await files.choosePlace(name) }),
    'repl.evaluate': (request) => workbench.evaluateAsPerson(request),
    'repl.input': async ({ evaluation, text }) => {
      await session.answerInput(evaluation, text);
      return {};
    },
    'session.interrupt': async ({ evaluation }) => ({ interrupted: await session.interrupt(evaluation) }),
    'session.restart': async () => {
      await session.restart();
      return {};
    },
    'session.replay': () => session.replay(),
    'session.dismissLost': () => {
      session.dismissLost();
      return {};
    },
    'session.checkpoint': ({ label }) => session.checkpoint(label, PERSON),
    'session.resetReader': () => session.lookUp('reset-reader', { context: PERSON.id }),
    'session.rewind': async ({ id }) => ({ missing: [...(await session.rewind(id, PERSON))] }),
    'definitions.since': ({ at }) => definitionsSince(session.definitions, at),
    'definitions.undo': (request) => undoAsPerson(session, request),
    'definitions.difference': ({ event }) => differenceOf(session, event),
    'definitions.review': ({ events, reviewed }) => {
      session.definitions.review(events, reviewed);
      return {};
    },
    'definitions.export': ({ package: name }) =>
      session.lookUp('export-definitions', { package: name, actors: null, evaluations: null }),
    'systems.list': () => session.lookUp('systems', {}),
    'systems.load': ({ system, evaluation }) => workbench.loads.load(system, evaluation),
    'systems.describe': ({ system, evaluation }) => describeSystem(session, system, evaluation),
    'systems.test': ({ system, evaluation }) => testSystem(session, system, evaluation),
    'clients.mint': ({ name }) => workbench.clients.mint(name),
    ...connectingHandlers(parts, (test, steps) =>
      window.webContents.send('workbench-event', 'connection-tested', { test, steps }),
    ),
    'clients.admit': async ({ id, name, ownImage }) => {
      await workbench.admissions.admit(id, name, ownImage);
      return {};
    },
    'clients.refuse': ({ id }) => {
      workbench.admissions.refuse(id);
      return {};
    },
    'clients.revoke': async ({ id }) => {
      await workbench.clients.revoke(id);
      return {};
    },
    'clients.change': async (change) => {
      await workbench.clients.change(change);
      return {};
    },
    'agents.stop': async () => ({ paused: await workbench.agents.stopAll() }),
    'rules.revoke': ({ id }) => {
      workbench.rules.revoke(id);
      return {};
    },
    'activity.before': ({ seq, limit }) => workbench.activity.before(seq, limit),
    'activity.details': ({ ids }) => workbench.details.of(ids),
    'activity.verify': () => workbench.verifyAudit(),
    'activity.takeable': ({ actor, at }) => workbench.takeable(actor, at),
    'activity.takeBack': ({ approval }) => workbench.takeBack(approval),
    'review.show': ({ open, focus }) => {
      if (open && focus) review.focus();
      else review.show(open);
      return {};
    },
    'review.stepAside': ({ aside }) => {
      review.stepAside(aside);
      return {};
    },
  };
}

export function shownProject({ project, trusted }: Workbench): ProjectFolder {
  return project.root === null ? null : { path: project.root, name: project.name!, trusted };
}

export function shownMetrics({ metrics }: Workbench): ToolMetricsRecord[] {
  return [...metrics].map(([tool, measured]) => ({ tool, ...measured }));
}

function snapshotOf({ workbench, servers, review, files, workspace, place, deviations }: DesktopParts): Snapshot {
  return {
    version: app.getVersion(),
    platform: process.platform,
    project: shownProject(workbench),
    session: workbench.session.view(),
    server: servers.status,
    clients: workbench.clients.list(),
    admissions: workbench.admissions.list(),
    granted: workbench.rules.shown(),
    metrics: shownMetrics(workbench),
    waitingApprovals: workbench.approvals.view().waiting.length,
    reviewOpen: review.open,
    settings: workbench.settings.value,
    workspace: workspace.value,
    problems: [
      ...workbench.problems,
      ...[workspace.kept, files.kept, place].map(({ problem }) => problem).filter((each) => each !== null),
    ],
    alerts: workbench.alerts.list(),
    activity: workbench.activity.newest(SNAPSHOT_EVENTS),
    definitions: workbench.definitions.all(),
    unreviewed: unreviewedDefinitions(workbench.session.definitions),
    deviations: deviations.value,
    loads: workbench.loads.all(),
  };
}

/** Leaves out what was not given. */
function defined<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}
