/** Setting a part of the object that a viewer shows. */
import { call, messageOf } from '../../base/bridge.ts';
import { freshPane, releasePanes, wantedPage } from './held-panes.ts';
import { whyNoValue } from './no-value.ts';
import { placeFault } from './viewer-state.ts';
import type { Viewer } from './viewer.ts';

/** Starts to edit a part, with its value as the draft. */
export function startEdit(viewer: Viewer, path: readonly number[]): void {
  const part = viewer.partAt(path);
  if (!part) return;
  const draft = part.state === 'value' ? part.text : '';
  viewer.store.setState({ editing: { path, label: part.label, draft, busy: false, error: placeFault(part) } });
}

export function setDraft({ store }: Viewer, draft: string): void {
  store.setState(({ editing }) => ({ editing: editing && { ...editing, draft } }));
}

export function endEdit({ store }: Viewer): void {
  store.setState({ editing: null });
}

/** Sets the part to the value of the draft; with `remove`, removes an entry or makes a slot unbound. Returns true if this succeeded. */
export async function commitEdit(viewer: Viewer, remove = false): Promise<boolean> {
  const { store, step } = viewer;
  const { editing } = store.getState();
  const part = editing && viewer.partAt(editing.path);
  const owner = editing && (editing.path.length > 1 ? viewer.partAt(editing.path.slice(0, -1))?.handle : step?.handle);
  if (!editing || !part || part.path === null || owner === null || owner === undefined) return false;
  store.setState({ editing: { ...editing, busy: true, error: null } });
  const pane = freshPane('set');
  const input = {
    handle: owner,
    path: part.path,
    code: editing.draft,
    remove,
    evaluation: crypto.randomUUID(),
    ...wantedPage(pane, null, 0, 1),
  };
  const error = await call('inspector.set', input).then(
    ({ status, condition, page }) => whyNoValue({ status, condition, expired: page?.expired ?? false }),
    messageOf,
  );
  releasePanes([pane]);
  store.setState(({ editing: now }) => ({ editing: error === null ? null : now && { ...now, busy: false, error } }));
  if (error === null) await viewer.refresh();
  return error === null;
}
