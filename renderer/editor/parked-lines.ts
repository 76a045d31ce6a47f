/** Lines of the shown text in which an agent's code waits for a decision: a hand, a tint, and how long, until it goes on. */
import type { AskedEffect } from '#contract/session.ts';
import { runCommand } from '../commands/registry.ts';
import { mirror } from '../mirror.ts';
import { elapsed } from '../ui/time.ts';
import { buffers } from './buffers.ts';
import { monaco } from './monaco.ts';
import { parkedLine } from './parked-line.ts';

interface Parked {
  /** Only the first decoration, the line's own, is asked where it is now. */
  readonly decorations: monaco.editor.IEditorDecorationsCollection;
  readonly since: number;
}

const SPACE = '\u00a0';

/** Keeps the lines of the shown text in step with what waits, until it is disposed. */
export function installParkedLines(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const drawn = new Map<string, Parked>();
  let timer: ReturnType<typeof setInterval> | null = null;
  const draw = (): void => {
    const asked = askedHere(editor.getModel());
    for (const [effect, { decorations }] of drawn) {
      if (asked.some((each) => each.effect === effect)) continue;
      decorations.clear();
      drawn.delete(effect);
    }
    for (const { effect, since, line } of asked) {
      const known = drawn.get(effect);
      if (known) continue;
      drawn.set(effect, { decorations: editor.createDecorationsCollection(decorationsAt(line, since)), since });
    }
    tick(drawn.size > 0);
  };
  const again = (): void => {
    for (const { decorations, since } of drawn.values()) {
      // The text may have been edited meanwhile.
      const line = decorations.getRange(0)?.startLineNumber;
      if (line !== undefined) decorations.set(decorationsAt(line, since));
    }
  };
  const tick = (wanted: boolean): void => {
    if (wanted === (timer !== null)) return;
    if (timer !== null) clearInterval(timer);
    timer = wanted ? setInterval(again, 1000) : null;
  };
  const leave = (): void => {
    for (const { decorations } of drawn.values()) decorations.clear();
    drawn.clear();
    draw();
  };
  const listeners = [
    editor.onDidChangeModel(leave),
    editor.onMouseDown(({ target }) => {
      if (target.type !== monaco.editor.MouseTargetType.GUTTER_GLYPH_MARGIN) return;
      const { lineNumber } = target.position;
      const parked = [...drawn.values()].some(
        ({ decorations }) => decorations.getRange(0)?.startLineNumber === lineNumber,
      );
      if (parked) runCommand('review.show');
    }),
  ];
  const stop = mirror.subscribe((state, before) => {
    if (state.session.asked !== before.session.asked) draw();
  });
  draw();
  return {
    dispose(): void {
      tick(false);
      stop();
      for (const each of listeners) each.dispose();
    },
  };
}

/** Of what waits, that which stands in this text as it is, each with its line. */
function askedHere(model: monaco.editor.ITextModel | null): (AskedEffect & { line: number })[] {
  const { active, buffers: all } = buffers.getState();
  const path = all.find(({ id }) => id === active)?.path;
  if (!model || !path) return [];
  const here = mirror.getState().session.asked.filter(({ place }) => place?.file === path);
  const lines = here.length > 0 ? model.getLinesContent() : [];
  return here.flatMap((asked) => {
    const line = parkedLine(asked.place, path, lines);
    return line === null ? [] : [{ ...asked, line }];
  });
}

function decorationsAt(line: number, since: number): monaco.editor.IModelDeltaDecoration[] {
  const range = new monaco.Range(line, 1, line, 1);
  const end = new monaco.Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER);
  const words = `parked here ${elapsed(Date.now() - since)}`;
  return [
    {
      range,
      options: {
        isWholeLine: true,
        className: 'parked-line',
        glyphMarginClassName: 'parked-hand',
        glyphMarginHoverMessage: { value: 'An agent’s code waits here for your decision. Click to see the card.' },
        overviewRuler: {
          color: getComputedStyle(document.documentElement).getPropertyValue('--cautious').trim(),
          position: monaco.editor.OverviewRulerLane.Center,
        },
      },
    },
    ...[
      { content: SPACE + SPACE, inlineClassName: 'inline-gap' },
      { content: `${SPACE}${words}${SPACE}`, inlineClassName: 'inline-chip parked-words' },
    ].map((after) => ({
      range: end,
      options: {
        showIfCollapsed: true,
        after: {
          ...after,
          inlineClassNameAffectsLetterSpacing: true,
          cursorStops: monaco.editor.InjectedTextCursorStops.None,
        },
      },
    })),
  ];
}
