/** *Do It for Me*: performs a step of the tour with the commands that the person would use. */
import { mirror } from '../../base/mirror.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { textDrawn } from '../../editor/monaco/drawn.ts';
import { openFile, save } from '../../editor/files/files.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { abort } from '../debugger/frame-actions.ts';
import { loadLibrary, setUpQuicklisp } from '../libraries/actions.ts';
import { isSetUp } from '../libraries/descriptions.ts';
import { knownOverview } from '../libraries/libraries-store.ts';
import { notify } from '../../base/notices/notices.tsx';
import { SOURCE, type StepId, TESTS, TRY } from './steps.ts';
import { tour } from './tour-store.ts';

const MENDED = '(if (null basket)\n      0\n      (/ (basket-total basket) (length basket)))';
const OWN_TEST = "(deftest total-of-nothing\n  (basket-total '())\n  0)\n\n";

const WAYS: Record<StepId, () => Promise<unknown>> = {
  evaluate: async () => {
    if (await caretBehind(TRY, '(basket-total *basket*)')) runCommand('evaluate.form');
  },
  inspect: async () => {
    if (await caretBehind(TRY, '(first *basket*)')) runCommand('inspect.atCaret');
  },
  complete: async () => {
    await show(TRY);
    const model = activeEditor()!.getModel()!;
    insert(model.getFullModelRange().getEndPosition(), '(average-price *basket*)\n');
  },
  jump: async () => {
    if (tour.getState().place.part > 0) return show(TRY);
    if (await caretBehind(TRY, '(average-price')) runCommand('go.definition');
    return undefined;
  },
  debug: async () => {
    const stopped = mirror.getState().debuggers.debuggers.at(-1);
    if (stopped) return abort(stopped.id);
    if (await caretBehind(TRY, "(average-price '())")) runCommand('evaluate.form');
    return undefined;
  },
  mend: async () => {
    const broken = '(/ (basket-total basket) (length basket))';
    if (!(await caretBehind(SOURCE, broken))) return;
    const end = activeEditor()!.getPosition()!;
    const start = end.delta(0, -broken.length);
    if (!/if \(null basket\)/.test(activeEditor()!.getModel()!.getValue()))
      replace(monaco.Range.fromPositions(start, end), MENDED);
    runCommand('evaluate.compileTopLevel');
    await save(activeBuffer()!.id);
  },
  test: async () => runCommand('test.all'),
  'own-test': async () => {
    await show(TESTS);
    const model = activeEditor()!.getModel()!;
    if (!model.getValue().includes(OWN_TEST.trim())) {
      const found = model.findMatches('(defun run-tests', false, false, true, null, false)[0];
      insert(found?.range.getStartPosition() ?? model.getFullModelRange().getEndPosition(), OWN_TEST);
    }
    if (await caretBehind(TESTS, '(deftest total-of-nothing')) runCommand('test.atCaret');
    await save(activeBuffer()!.id);
  },
  library: async () => {
    runCommand('view.libraries');
    const overview = await knownOverview();
    if (overview && (isSetUp(overview) || (await setUpQuicklisp()))) await loadLibrary('alexandria');
  },
  agent: async () => runCommand('client.connect'),
};

/** Performs a step. For a step with two parts it performs only the next part, so that the person sees each. */
export function doStep(step: StepId): Promise<unknown> {
  return WAYS[step]();
}

async function show(file: string): Promise<void> {
  const { folder } = tour.getState();
  showPage('editor');
  await openFile(`${folder}/${file}`);
  await textDrawn();
  activeEditor()?.focus();
}

/**
 * Moves the caret to the end of the first occurrence of a text in a file of the tour. If there is none, shows a notification and returns
 * false.
 */
async function caretBehind(file: string, text: string): Promise<boolean> {
  await show(file);
  const editor = activeEditor();
  const found = editor?.getModel()?.findMatches(text, false, false, true, null, false)[0];
  if (!editor || !found) {
    notify(`${text} is no longer in ${file}. Write it there, or continue with the next step.`);
    return false;
  }
  editor.setPosition(found.range.getEndPosition());
  editor.revealRangeInCenterIfOutsideViewport(found.range);
  return true;
}

function insert(place: monaco.Position, text: string): void {
  replace(monaco.Range.fromPositions(place, place), text);
}

function replace(range: monaco.Range, text: string): void {
  const editor = activeEditor()!;
  editor.pushUndoStop();
  editor.executeEdits('tour', [{ range, text, forceMoveMarkers: true }]);
  editor.pushUndoStop();
}
