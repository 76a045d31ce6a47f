/** Exports the visible rows to a file. */
import { counted, plural } from '#contract/text/text.ts';
import { call } from '../../base/bridge.ts';
import { workOnFile } from '../../editor/files/work-on-file.ts';
import { notify } from '../../base/notices/notices.tsx';
import { mirror } from '../../base/mirror.ts';
import type { ActivityRow } from './row-model.ts';
import { jsonLines, runsOf, script } from './script.ts';
import { fileName } from '../../base/text/paths.ts';

/** The maximum number of runs whose details are requested at once. */
const MOST = 5000;

export async function exportScript(rows: readonly ActivityRow[]): Promise<void> {
  const ids = runsOf(rows).map(({ run }) => run!);
  const details = await call('activity.details', { ids: ids.slice(-MOST) });
  const { text, forms, missing } = script(rows, details);
  if (forms === 0) {
    notify('Nothing was exported, because no row that is shown is an evaluation with stored code.');
    return;
  }
  const lost = missing > 0 ? ` The code of ${missing.toLocaleString('en')} more is no longer stored.` : '';
  await save('activity.lisp', text, plural(forms, 'evaluation is', 'evaluations are'), lost);
}

export async function exportJson(rows: readonly ActivityRow[]): Promise<void> {
  const text = jsonLines(rows, mirror.getState().activity.events);
  const count = text.split('\n').length - 1;
  await save('activity.jsonl', text, counted(count, 'event is', 'events are'), '');
}

async function save(name: string, text: string, what: string, lost: string): Promise<void> {
  const { path } = await call('file.choosePlace', { name });
  if (path === null) return;
  // The dialog has already asked whether to replace an existing file.
  await call('file.save', { path, text, digest: null, overwrite: true });
  const file = fileName(path);
  notify(`${what} in ${file}.${lost}`, 'info', { title: 'Open', run: () => workOnFile(path) });
}
