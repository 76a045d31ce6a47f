/**
 * Results that are expanded below their forms. A view zone between the lines reserves space for each result. The content is in a widget
 * above the zone, because Monaco hides the content of zones from screen readers and the keyboard.
 */
import { notify } from '../../base/notices/notices.tsx';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { onResultGone, type Result, resultNear, resultOf } from './results.ts';
import { makeStore } from '../../base/store.ts';

type Editor = monaco.editor.IStandaloneCodeEditor;

export interface OpenedResult extends Result {
  readonly editor: Editor;
  /** The element in which the result is drawn. */
  readonly node: HTMLElement;
  /** Sets the height of the room between the lines, in pixels. */
  readonly resize: (height: number) => void;
  readonly close: () => void;
}

const [store, useStored] = makeStore<{ opened: readonly OpenedResult[] }>({ opened: [] });

/** Returns the results that are expanded in any group. */
export function useOpenedResults(): readonly OpenedResult[] {
  return useStored(({ opened }) => opened);
}

/** Expands a result in an editor, or collapses it there; returns the result if it is now expanded. */
export function toggleResult(editor: Editor, evaluation: string): OpenedResult | null {
  const open = openIn(editor).find((each) => each.evaluation === evaluation);
  if (open) {
    open.close();
    return null;
  }
  const model = editor.getModel();
  const result = model && resultOf(model, evaluation);
  return model && result ? show(editor, model, result) : null;
}

/** Expands the result of the form at the caret, and focuses it. */
export function openResultAtCaret(): void {
  const editor = activeEditor();
  const model = editor?.getModel();
  const position = editor?.getPosition();
  if (!editor || !model || !position) return;
  const result = resultNear(model, model.getOffsetAt(position));
  if (!result) {
    notify('There is no result at the caret. Evaluate a form first.');
    return;
  }
  const open = openIn(editor).find(({ evaluation }) => evaluation === result.evaluation) ?? show(editor, model, result);
  // The result is drawn in the next frame, and gets its height and position in the frame after that. The result's text gets the focus, so
  // that keys scroll it; in a folded result, the button gets it. If the user has already focused an element in the result, the focus stays
  // there.
  const focus = (): void => {
    if (open.node.contains(document.activeElement)) return;
    const [text, first] = ['[role="document"]', '[tabindex="0"]'].map((each) =>
      open.node.querySelector<HTMLElement>(each),
    );
    (text ?? first)?.focus();
  };
  requestAnimationFrame(() => requestAnimationFrame(focus));
}

/** Collapses the expanded results of the editor with the focus; returns false if there are none. */
export function closeOpenedResults(): boolean {
  const editor = activeEditor();
  const open = editor ? openIn(editor) : [];
  const had = open.some(({ node }) => node.contains(document.activeElement));
  for (const each of open) each.close();
  if (had) editor?.focus();
  return open.length > 0;
}

function openIn(editor: Editor): readonly OpenedResult[] {
  return store.getState().opened.filter((each) => each.editor === editor);
}

/** Scrolls if the expanded result is partly out of sight, but keeps its form visible. */
function showAll(editor: Editor, { range }: Result, height: number): void {
  const { height: visible, horizontalScrollbarHeight } = editor.getLayoutInfo();
  const foot = editor.getBottomForLineNumber(range.endLineNumber) + height + horizontalScrollbarHeight;
  const least = foot - visible;
  if (editor.getScrollTop() < least)
    editor.setScrollTop(Math.min(least, editor.getTopForLineNumber(range.endLineNumber)));
}

/** The assumed height, in pixels, until the result is measured. */
const FIRST_HEIGHT = 60;

function show(editor: Editor, model: monaco.editor.ITextModel, result: Result): OpenedResult {
  const node = document.createElement('div');
  const widget: monaco.editor.IOverlayWidget = {
    getId: () => `result-${result.evaluation}`,
    getDomNode: () => node,
    getPosition: () => null,
  };
  const zone: monaco.editor.IViewZone = {
    afterLineNumber: result.range.endLineNumber,
    heightInPx: FIRST_HEIGHT,
    domNode: document.createElement('div'),
    onDomNodeTop: (top) => (node.style.top = `${top}px`),
    onComputedHeight: (height) => (node.style.height = `${height}px`),
  };
  const fit = (): void => {
    const { contentLeft, contentWidth, verticalScrollbarWidth } = editor.getLayoutInfo();
    node.style.left = `${contentLeft}px`;
    node.style.width = `${Math.max(0, contentWidth - verticalScrollbarWidth)}px`;
  };
  let id = '';
  let isMeasured = false;
  fit();
  editor.changeViewZones((zones) => (id = zones.addZone(zone)));
  editor.addOverlayWidget(widget);
  // Otherwise Monaco would handle presses and drags as its own.
  for (const press of ['pointerdown', 'mousedown', 'contextmenu'])
    node.addEventListener(press, (event) => event.stopPropagation());
  const opened: OpenedResult = {
    ...result,
    editor,
    node,
    resize: (height) => {
      if (height === zone.heightInPx || height === 0) return;
      zone.heightInPx = height;
      editor.changeViewZones((zones) => zones.layoutZone(id));
      if (!isMeasured) showAll(editor, result, height);
      isMeasured = true;
    },
    close: () => {
      for (const each of listening) each.dispose();
      store.setState(({ opened: all }) => ({ opened: all.filter((each) => each !== opened) }));
      editor.changeViewZones((zones) => zones.removeZone(id));
      editor.removeOverlayWidget(widget);
    },
  };
  const listening = [
    editor.onDidLayoutChange(fit),
    editor.onDidChangeModel(opened.close),
    editor.onDidDispose(opened.close),
    onResultGone((of, evaluation) => (of === model && evaluation === result.evaluation ? opened.close() : undefined)),
  ];
  store.setState(({ opened: all }) => ({ opened: [...all, opened] }));
  return opened;
}
