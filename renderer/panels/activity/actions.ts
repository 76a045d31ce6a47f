/** What can be done about a row: again, back, undone, kept. */
import type { ActivityDetail } from '#contract/activity.ts';
import { call } from '../../bridge.ts';
import { nameOf } from '../../layout/actors.ts';
import { showDock } from '../../layout/layout-store.ts';
import { notify, orNotice } from '../../layout/notices.tsx';
import { focusRegionSoon } from '../../layout/regions.ts';
import { mirror } from '../../mirror.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import { goBack } from '../checkpoints/go-back.tsx';
import { shownName } from '../definitions/model.ts';
import { undoDefinitions } from '../definitions/undo.tsx';
import { setDraft } from '../repl/input-store.ts';
import { checkpointBefore } from './back.ts';
import type { ActivityRow } from './row-model.ts';
import { testForm } from './script.ts';
import { undoAllOf } from './undo-all.ts';

/** The most telling one first. */
export function actionsFor(row: ActivityRow): MenuEntry[] {
  return [...undoOf(row), ...codeOf(row), ...backOf(row), ...allOf(row)];
}

/** What a row leaves out; null when it is not kept any more. */
export async function detailOf({ run }: ActivityRow): Promise<ActivityDetail | null> {
  if (run === null) return null;
  return (await call('activity.details', { ids: [run] }))[0] ?? null;
}

function undoOf({ kind, run, definition, approval, undone, outcome, actor, tookMs }: ActivityRow): MenuEntry[] {
  if (undone) return [];
  if (definition !== null) {
    const title = `Undo ${shownName(definition.name)}?`;
    return [entry('undo', 'Undo…', () => undoDefinitions({ events: [definition.event], of: null }, title))];
  }
  if (kind === 'approval' && approval !== null && outcome === 'good')
    return [entry('undo', 'Take the Change Back', () => takeBack(approval))];
  if ((kind !== 'call' && kind !== 'evaluation') || run === null || tookMs === null) return [];
  const whose = actor.kind === 'person' ? 'your' : `${nameOf(actor.id, mirror.getState().clients)}’s`;
  return [
    entry('undo', 'Undo What It Defined…', () =>
      undoDefinitions({ events: null, of: run }, `Undo all definitions of ${whose} ${kind}?`),
    ),
  ];
}

function codeOf(row: ActivityRow): MenuEntry[] {
  if (row.kind !== 'evaluation' && (row.kind !== 'call' || row.code === null)) return [];
  return [
    // Not run by itself: what an agent wrote runs as the person only once they have read it.
    entry('rerun', 'Put into the REPL', async () => {
      const { code } = await evaluated(row);
      setDraft(code);
      showDock('repl');
      focusRegionSoon('REPL');
    }),
    entry('test', 'Copy as Test', async () => {
      await call('app.copy', { text: testForm(await evaluated(row)) });
      notify('A FiveAM test of it is in the clipboard.');
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
  if (actor.kind === 'person' || kind === 'server') return [];
  return [entry('all', `Undo Everything of ${actor.name} Since This…`, () => undoAllOf(actor, at))];
}

function entry(id: string, title: string, run: () => Promise<unknown>): MenuEntry {
  return { id, title, run: () => void orNotice(run()) };
}

async function evaluated(row: ActivityRow): Promise<ActivityDetail & { code: string }> {
  const detail = await detailOf(row);
  if (detail?.code == null) throw new Error('The code of this is not kept any more.');
  return { ...detail, code: detail.code };
}

async function takeBack(approval: string): Promise<void> {
  const { restored, message } = await call('activity.takeBack', { approval });
  notify(message, restored ? 'info' : 'error');
}
