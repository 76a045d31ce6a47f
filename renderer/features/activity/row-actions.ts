/** The actions on a row: evaluate it again, go back, undo, save. */
import type { ActivityDetail } from '#contract/decisions/activity.ts';
import { call } from '../../base/bridge.ts';
import { nameOf } from '../../base/actors.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { showRegion } from '../../base/layout/regions.ts';
import { mirror } from '../../base/mirror.ts';
import type { MenuEntry } from '../../ui/menus/menu.tsx';
import { goBack } from '../checkpoints/go-back.tsx';
import { shownName } from '../definitions/definition-rows.ts';
import { undoDefinitions } from '../definitions/undo.tsx';
import { setDraft } from '../repl/input/input-store.ts';
import { checkpointBefore } from './way-back.ts';
import type { ActivityRow } from './row-model.ts';
import { testForm } from './script.ts';
import { undoAllOf } from './undo-all.ts';

/** Returns the actions of a row, the most useful first. */
export function actionsFor(row: ActivityRow): MenuEntry[] {
  const shared = isOfShared(row);
  return [...(shared ? undoOf(row) : []), ...codeOf(row), ...(shared ? backOf(row) : []), ...allOf(row)];
}

/** False for rows of other images. Their events and checkpoints may have the same numbers as those of the shared image. */
function isOfShared({ session }: ActivityRow): boolean {
  return session === null || session === mirror.getState().session.id;
}

/** Resolves to the details that a row omits; null if they are no longer stored. */
export async function detailOf({ run }: ActivityRow): Promise<ActivityDetail | null> {
  if (run === null) return null;
  return (await call('activity.details', { ids: [run] }))[0] ?? null;
}

function undoOf({
  kind,
  run,
  definition,
  approval,
  defines,
  undone,
  outcome,
  actor,
  tookMs,
}: ActivityRow): MenuEntry[] {
  if (undone) return [];
  if (definition !== null) {
    const title = `Undo ${shownName(definition.name)}?`;
    return [entry('undo', 'Undo…', () => undoDefinitions({ events: [definition.event], of: null }, title))];
  }
  if (kind === 'approval' && approval !== null && outcome === 'good')
    return [entry('undo', 'Undo the Change', () => takeBack(approval))];
  if ((kind !== 'call' && kind !== 'evaluation') || run === null || tookMs === null || !defines) return [];
  const whose = actor.kind === 'person' ? 'your' : `${nameOf(actor.id, mirror.getState().clients)}’s`;
  return [
    entry('undo', 'Undo Its Definitions…', () =>
      undoDefinitions({ events: null, of: run }, `Undo all definitions of ${whose} ${kind}?`),
    ),
  ];
}

function codeOf(row: ActivityRow): MenuEntry[] {
  if (row.kind !== 'evaluation' && (row.kind !== 'call' || row.code === null)) return [];
  return [
    // The code is not run immediately, because the person must read an agent's code before running it as their own.
    entry('rerun', 'Copy to REPL', async () => {
      const { code } = await evaluated(row);
      showRegion('REPL', () => {
        setDraft(code);
        showDock('repl');
      });
    }),
    entry('test', 'Copy as Test', async () => {
      await call('app.copy', { text: testForm(await evaluated(row)) });
      notify('A FiveAM test of this evaluation was copied to the clipboard.');
    }),
  ];
}

function backOf(row: ActivityRow): MenuEntry[] {
  if (!row.checkpoint && row.kind !== 'evaluation' && row.kind !== 'call') return [];
  const checkpoint = checkpointBefore(row, mirror.getState().session.checkpoints);
  if (checkpoint === null) return [];
  const title = row.checkpoint ? 'Go Back to Here…' : 'Go Back to Before This…';
  return [entry('back', title, () => goBack(checkpoint))];
}

function allOf({ actor, at, kind }: ActivityRow): MenuEntry[] {
  if (actor.kind !== 'client' || kind === 'server') return [];
  return [entry('all', `Undo Everything of ${actor.name} Since This…`, () => undoAllOf(actor, at))];
}

function entry(id: string, title: string, run: () => Promise<unknown>): MenuEntry {
  return { id, title, run: () => void orNotice(run()) };
}

async function evaluated(row: ActivityRow): Promise<ActivityDetail & { code: string }> {
  const detail = await detailOf(row);
  if (detail?.code == null) throw new Error('The code of this row is no longer stored.');
  return { ...detail, code: detail.code };
}

async function takeBack(approval: string): Promise<void> {
  const { restored, message } = await call('activity.takeBack', { approval });
  notify(message, restored ? 'info' : 'error');
}
