/** Reports events in the window to the tour. The events are derived from changes of the window's stores. */
import type { SystemLoad } from '#contract/image/system.ts';
import { mirror } from '../../base/mirror.ts';
import { onOverlay } from '../../base/layout/overlays.ts';
import { pathWithin, withSlashes } from '../../base/text/paths.ts';
import { buffers, bufferOf } from '../../editor/text/buffers.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { ended } from '../../base/image/evaluations.ts';
import { mainViewer } from '../inspector/inspector.ts';
import { tests } from '../test-runs/store.ts';
import { tellTour, tour } from './tour-store.ts';

/** Starts to report events, as long as the window exists. */
export function followTour(): void {
  ended.subscribe(() => tellTour({ kind: 'evaluated' }));
  let inspected = mainViewer.step?.id;
  mainViewer.store.subscribe(() => {
    const shown = mainViewer.step?.id;
    if (shown !== undefined && shown !== inspected) tellTour({ kind: 'inspected' });
    inspected = shown;
  });
  followTexts();
  mirror.subscribe((state, before) => {
    const [now, then] = [state.debuggers.debuggers.length, before.debuggers.debuggers.length];
    if (now > then) tellTour({ kind: 'debugger-entered' });
    if (now < then && now === 0) tellTour({ kind: 'debugger-left' });
    if (state.loads !== before.loads && state.loads.some((load) => isLibrary(load) && !before.loads.includes(load)))
      tellTour({ kind: 'library-loaded' });
    if (state.activity !== before.activity) tellDefinitions(before.activity.events.at(-1)?.seq ?? 0);
  });
  tests.subscribe(({ tests: listed, results }, before) => {
    if (results === before.results) return;
    for (const { id, name } of listed) {
      const result = results.get(id);
      const known = before.results.get(id);
      const isNew = result !== undefined && result.evaluation !== known?.evaluation;
      if (isNew && result.outcome === 'passed') tellTour({ kind: 'test-passed', name });
    }
  });
  onOverlay((open) => {
    if (open?.kind === 'connect') tellTour({ kind: 'client-connecting' });
  });
}

/** Returns true for the finished load of a system that is not the tour's own. */
function isLibrary({ system, state }: SystemLoad): boolean {
  return state === 'loaded' && !system.startsWith('lisp-tour');
}

function followTexts(): void {
  buffers.subscribe((state, before) => {
    if (state.active === before.active) return;
    const file = fileInTour(state.buffers.find(({ id }) => id === state.active)?.path ?? null);
    if (file !== null) tellTour({ kind: 'text-shown', file });
  });
  const follow = (model: monaco.editor.ITextModel): void =>
    void model.onDidChangeContent(({ changes, isFlush }) => {
      if (isFlush || !tour.getState().open) return;
      const file = fileInTour(bufferOf(model)?.path ?? null);
      if (file === null) return;
      for (const { text } of changes) tellTour({ kind: 'text-inserted', file, text });
    });
  monaco.editor.getModels().forEach(follow);
  monaco.editor.onDidCreateModel(follow);
}

/** Reports the person's definitions after a given row of the activity. */
function tellDefinitions(after: number): void {
  for (const event of mirror.getState().activity.events)
    if (event.seq > after && event.kind === 'definitions-changed' && event.actor.kind === 'person')
      for (const { name, operation } of event.definitions)
        if (operation !== 'removed') tellTour({ kind: 'defined', name });
}

/** Returns the path of a file within the tour's project, with slashes; null for other files. */
function fileInTour(path: string | null): string | null {
  const { folder } = tour.getState();
  const within = path === null || folder === null ? null : pathWithin(folder, path);
  return within === null ? null : withSlashes(within);
}
