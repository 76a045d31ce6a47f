/**
 * Gutter marks of tests: each form that defines a test has a mark with the shape and colour of the test's latest outcome. A click runs the
 * test; a right click opens a menu.
 */
import { drawable } from '#contract/text/visible.ts';
import { commandKeys } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { isStale, resultWords, shownName, STATE_WORDS, type TestState } from './outcomes.ts';
import { stateOf, stopTests, testNamed, tests } from './store.ts';
import type { TestForm } from '../../sexp/reading/test-forms.ts';
import { openGutterMenu } from '../../editor/monaco/gutter-menu.tsx';
import { monaco } from '../../editor/monaco/monaco.ts';
import { formsOf, packageOf, runForms } from './run-tests.ts';

const SETTLE_MS = 120;

export function installTestMarks(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const drawn = editor.createDecorationsCollection();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const draw = (): void => {
    const model = editor.getModel();
    drawn.set(model ? formsOf(model).map((form) => markOf(model, form)) : []);
  };
  const drawSoon = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(draw, SETTLE_MS);
  };
  const at = ({ target }: monaco.editor.IEditorMouseEvent): TestForm | null => {
    const model = editor.getModel();
    if (!model || target.type !== monaco.editor.MouseTargetType.GUTTER_GLYPH_MARGIN) return null;
    const line = target.position.lineNumber;
    return formsOf(model).find(({ start }) => model.getPositionAt(start).lineNumber === line) ?? null;
  };
  const run = (form: TestForm, debug: boolean): void => {
    const model = editor.getModel();
    if (model) void orNotice(runForms(model, [form], debug));
  };
  const listeners = [
    editor.onDidChangeModel(draw),
    editor.onDidChangeModelContent(drawSoon),
    editor.onMouseDown((event) => {
      const form = event.event.leftButton ? at(event) : null;
      if (!form) return;
      if (stateOfForm(form) === 'running') void orNotice(stopTests());
      else run(form, false);
    }),
    editor.onContextMenu((event) => {
      const form = at(event);
      if (!form) return;
      event.event.preventDefault();
      const { clientX: x, clientY: y } = event.event.browserEvent;
      openGutterMenu({
        label: `Test ${shownName(form)}`,
        groups: [
          {
            id: 'test',
            entries: [
              { id: 'run', title: 'Run Test', keys: commandKeys('test.atCaret'), run: () => run(form, false) },
              { id: 'debug', title: 'Debug Test', keys: commandKeys('test.debug'), run: () => run(form, true) },
            ],
          },
        ],
        place: { x, y },
      });
    }),
  ];
  const stop = tests.subscribe(drawSoon);
  draw();
  return {
    dispose(): void {
      if (timer !== null) clearTimeout(timer);
      stop();
      for (const each of listeners) each.dispose();
    },
  };
}

function stateOfForm(form: TestForm): TestState {
  const test = testNamed(form.name, packageOf(form));
  return test ? stateOf(test.id, tests.getState()) : 'unknown';
}

function markOf(model: monaco.editor.ITextModel, form: TestForm): monaco.editor.IModelDeltaDecoration {
  const test = testNamed(form.name, packageOf(form));
  const result = test ? tests.getState().results.get(test.id) : undefined;
  const state = stateOfForm(form);
  const stale = test !== null && isStale(test, result);
  const facts = result && state === result.outcome ? `: ${resultWords(result)}` : '';
  const since = stale ? ', before it was redefined' : '';
  const told = test === null ? 'not in the image yet' : `${STATE_WORDS[state]}${facts}${since}`;
  const does = test === null ? 'evaluate and run' : state === 'running' ? 'stop' : 'run';
  const words = `Test ${shownName(form)}, ${told}. Click to ${does} it.`;
  return {
    range: monaco.Range.fromPositions(model.getPositionAt(form.start)),
    options: {
      stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
      glyphMarginClassName: `test-mark ${state}${stale ? ' stale' : ''}`,
      glyphMarginHoverMessage: { value: plain(drawable(words)) },
    },
  };
}

/** Escapes a name for the hover, which is rendered as Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/g, String.raw`\$&`);
}
