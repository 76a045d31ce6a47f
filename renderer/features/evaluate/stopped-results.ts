/** Forms whose evaluation has stopped in the debugger: their result shows this, with a link to the debugger. */
import { mirror } from '../../base/mirror.ts';
import { showDebugger } from '../debugger/announce.ts';
import { plainName } from '../debugger/names.ts';
import { type monaco } from '../../editor/monaco/monaco.ts';
import { linkClass, showStopped } from './results.ts';

/** Starts to show when evaluations stop in the debugger and when they continue. */
export function followStoppedResults(): void {
  const stopped = new Map<string, string>();
  const follow = (): void => {
    const { debuggers } = mirror.getState().debuggers;
    const now = new Map(
      debuggers
        .filter(({ held }) => !held)
        .map(({ evaluation, kind, type }) => [evaluation, kind === 'step' ? 'step' : plainName(type)]),
    );
    for (const evaluation of stopped.keys()) if (!now.has(evaluation)) showStopped(evaluation, null);
    for (const [evaluation, type] of now) if (stopped.get(evaluation) !== type) showStopped(evaluation, type);
    stopped.clear();
    for (const [evaluation, type] of now) stopped.set(evaluation, type);
  };
  mirror.subscribe((state, before) => {
    if (state.debuggers !== before.debuggers) follow();
  });
}

/** Makes a click on the link show the debugger. */
export function installStoppedClicks(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  return editor.onMouseDown(({ target }) => {
    const names = target.element?.classList;
    const head = mirror.getState().debuggers.debuggers.findLast((each) => names?.contains(linkClass(each.evaluation)));
    if (head) showDebugger(head);
  });
}
