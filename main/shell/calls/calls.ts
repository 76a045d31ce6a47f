/** Handlers for each call of the page. They connect the rpc table to the workbench. */
import { app, clipboard, nativeTheme } from 'electron';
import type { ProjectFolder, Snapshot, WorkbenchCalls, PageEvents } from '#contract/rpc.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { settings as schema } from '#contract/settings.ts';
import type { ToolMetricsRecord } from '#contract/clients/tool.ts';
import { shownEvent } from '#core/activity/shown-events.ts';
import { differenceOf } from '#core/sessions/definitions/difference.ts';
import { definitionsSince, undoAsPerson, unreviewedDefinitions } from '#core/sessions/definitions/views.ts';
import { destinationOf, outsideAddress } from '#core/base/outside-address.ts';
import { compileAsPerson } from '#core/person/compilation.ts';
import type { FileWatch } from '#core/project/files/file-watch.ts';
import type { Workbench } from '#core/workbench.ts';
import { agentHandlers } from './agent-handlers.ts';
import { connectingHandlers } from './connecting.ts';
import { debuggerHandlers } from './debugger-handlers.ts';
import type { DesktopParts } from '../desktop-parts.ts';
import type { Handlers, SendNow } from './ipc.ts';
import {
  buildHandlers,
  coverageHandlers,
  memoryHandlers,
  profileHandlers,
  recordingHandlers,
  testingHandlers,
  traceHandlers,
} from './image-handlers.ts';
import { hyperspecHandlers } from './hyperspec-handlers.ts';
import { inspectorHandlers } from './inspector-handlers.ts';
import { libraryHandlers } from './library-handlers.ts';
import { savedImageHandlers } from './saved-image-handlers.ts';
import { menuOf } from '../window/menu.ts';
import { openAsShown } from '../window/outside.ts';
import { replHandlers } from './repl-handlers.ts';
import { projectHandlers } from './project-files.ts';
import { nameHandlers } from './name-handlers.ts';
import { questionHandlers } from './questions.ts';
import { serverHandlers } from './server-handlers.ts';
import { systemHandlers } from './system-handlers.ts';
import { zoom } from '../window/zoom.ts';

/** The number of events that a page gets when it opens. The page requests older events when it needs them. */
const SNAPSHOT_EVENTS = 2_000;

export function workbenchHandlers(
  parts: DesktopParts,
  tell: SendNow<PageEvents>,
  openFiles: FileWatch,
): Handlers<WorkbenchCalls> {
  const { window, link, workbench, review, files, workspace, deviations } = parts;
  const { session } = workbench;
  return {
    'app.snapshot': () => snapshotOf(parts),
    'app.copy': async ({ text }) => {
      await clipboard.writeText(text);
      return {};
    },
    'app.paste': async ({ unless }) => {
      const held = await clipboard.readText();
      const pasted = held !== '' && held !== unless;
      if (pasted) window.webContents.paste();
      return { pasted };
    },
    'app.lookAtAddress': ({ text }) => {
      const address = outsideAddress(text);
      return { opened: address === null ? null : { address, destination: destinationOf(address) } };
    },
    'app.openAddress': async ({ address }) => {
      await openAsShown(address);
      return {};
    },
    'app.showMenu': ({ x, y, menus }) => {
      const invoke = (command: string): void => tell('command-invoked', { command });
      menuOf(menus, invoke, workbench.settings.value.keymap).popup({ window, x: Math.round(x), y: Math.round(y) });
      return {};
    },
    'app.drawn': () => {
      link.noteDrawn();
      return {};
    },
    'app.zoom': ({ to }) => {
      zoom.change(to);
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
    'settings.chooseFile': async ({ title }) => ({ path: await files.chooseNamed(title) }),
    'workspace.keep': async (kept) => {
      const written = workspace.keep(kept);
      deviations.lookAgain();
      await written;
      return {};
    },
    'workspace.keepLast': async (kept) => {
      await workspace.keepLast(kept);
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
    'file.read': (request) => files.read(request),
    'file.save': (request) => files.save(request),
    'file.difference': (request) => files.difference(request),
    'file.choosePlace': async ({ name }) => ({ path: await files.choosePlace(name) }),
    ...serverHandlers(workbench),
    ...agentHandlers(parts.hosted),
    ...replHandlers(workbench),
    'target.try': async (target) => ({ steps: await workbench.tryTarget(target) }),
    'compile.text': (request) => compileAsPerson(workbench, request),
    'session.interrupt': async ({ evaluation }) => ({
      interrupted: await (evaluation === null ? session : workbench.sessions.running(evaluation)).interrupt(evaluation),
    }),
    'session.restart': async () => {
      await session.restart();
      return {};
    },
    'session.replay': () => session.replay(),
    'session.checkpoint': ({ label }) => session.checkpoint(label, PERSON),
    'session.rewind': async ({ id }) => ({ missing: [...(await session.rewind(id, PERSON))] }),
    ...savedImageHandlers(parts),
    'definitions.find': ({ text, most }) => workbench.definitions.find(text, most),
    'definitions.since': ({ at }) => definitionsSince(session.definitions, at),
    'definitions.undo': (request) => undoAsPerson(session, request),
    'definitions.difference': ({ event }) => differenceOf(session, event),
    'definitions.review': ({ events, reviewed }) => {
      session.definitions.review(events, reviewed);
      return {};
    },
    'definitions.export': ({ package: name }) =>
      session.lookUp('export-definitions', { package: name, actors: null, evaluations: null }),
    ...questionHandlers(workbench),
    ...nameHandlers(workbench),
    ...hyperspecHandlers(parts),
    ...memoryHandlers(workbench),
    ...profileHandlers(workbench),
    ...coverageHandlers(workbench),
    ...recordingHandlers(workbench),
    ...testingHandlers(workbench),
    ...buildHandlers(workbench),
    ...traceHandlers(workbench),
    ...projectHandlers(workbench, openFiles, files),
    ...systemHandlers(workbench),
    ...libraryHandlers(workbench),
    'clients.mint': ({ name }) => workbench.clients.mint(name),
    ...debuggerHandlers(workbench),
    ...inspectorHandlers(parts),
    ...connectingHandlers(parts, (test, steps) => tell('connection-tested', { test, steps })),
    'clients.admit': async ({ id, name, ownImage }) => {
      await workbench.pairing.admit(id, name, ownImage);
      return {};
    },
    'clients.refuse': ({ id }) => {
      workbench.pairing.refuse(id);
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
    'activity.before': ({ seq, limit }) => workbench.activity.before(seq, limit).map(shownEvent),
    'activity.details': ({ ids }) => workbench.details.of(ids),
    'activity.verify': () => workbench.verifyAudit(),
    'activity.takeable': ({ actor, at }) => workbench.takeable(actor, at),
    'activity.takeBack': ({ approval }) => workbench.takeBack(approval),
    'review.show': ({ open, focus, card, denying }) => {
      if (open && card !== undefined) review.openCard(card, denying ?? false);
      else if (open && focus) review.focus();
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

function snapshotOf({ workbench, hosted, review, files, workspace, place, deviations }: DesktopParts): Snapshot {
  return {
    version: app.getVersion(),
    platform: process.platform,
    project: shownProject(workbench),
    session: workbench.session.view(),
    servers: workbench.servers.list(),
    hostedAgents: hosted.list(),
    clients: workbench.clients.list(),
    admissions: workbench.pairing.list(),
    granted: workbench.rules.shown(),
    metrics: shownMetrics(workbench),
    waitingApprovals: workbench.approvals.view().waiting.length,
    reviewOpen: review.open,
    settings: workbench.settings.value,
    defaultSettings: schema.parse({ version: 1 }),
    workspace: workspace.value,
    problems: [
      ...workbench.problems,
      ...[workspace.kept, files.kept, place].map(({ problem }) => problem).filter((each) => each !== null),
    ],
    alerts: workbench.alerts.list(),
    activity: workbench.activity.newest(SNAPSHOT_EVENTS).map(shownEvent),
    definitions: workbench.definitions.all(),
    unreviewed: unreviewedDefinitions(workbench.session.definitions),
    deviations: deviations.value,
    loads: workbench.loads.all(),
    debuggers: workbench.proposals.openDebuggers(),
    repls: workbench.repls.list(),
    images: workbench.images.list(),
    breakpoints: workbench.breakpoints.value,
    indentation: workbench.indentation.all(),
  };
}

/** Returns an object without its undefined fields. */
function defined<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}
