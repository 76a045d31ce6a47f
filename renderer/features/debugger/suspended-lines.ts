/** Marks lines in which an agent's code is waiting for a decision, with a hand, a tint, and the waiting time. */
import type { Session } from '#contract/image/session.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { mirror } from '../../base/mirror.ts';
import { elapsed } from '../../ui/time.ts';
import { bufferOf } from '../../editor/text/buffers.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { suspendedLine } from './suspended-line.ts';
import { markColour } from '../../editor/monaco/monaco-theme.ts';

interface Parked {
  /** The decorations of the line. The first decoration covers the line and moves with it. */
  readonly decorations: monaco.editor.IEditorDecorationsCollection;
  readonly since: number;
}

const SPACE = '\u00a0';

/** Updates the marks in the visible text when effects start or stop waiting, until the returned object is disposed. */
export function installSuspendedLines(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
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
      // The text may have been edited in the meantime.
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
    if (state.session.effects !== before.session.effects) draw();
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

/** Returns the waiting effects whose code is unchanged in this text, each with the code's line. */
function askedHere(model: monaco.editor.ITextModel | null): (Session['effects'][number] & { line: number })[] {
  const path = bufferOf(model)?.path;
  if (!model || !path) return [];
  const here = mirror.getState().session.effects.filter(({ place }) => place?.file === path);
  const lines = here.length > 0 ? model.getLinesContent() : [];
  return here.flatMap((effect) => {
    const line = suspendedLine(effect.place, path, lines);
    return line === null ? [] : [{ ...effect, line }];
  });
}

function decorationsAt(line: number, since: number): monaco.editor.IModelDeltaDecoration[] {
  const range = new monaco.Range(line, 1, line, 1);
  const end = new monaco.Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER);
  const words = `waiting here for ${elapsed(Date.now() - since)}`;
  return [
    {
      range,
      options: {
        isWholeLine: true,
        className: 'parked-line',
        glyphMarginClassName: 'parked-hand',
        glyphMarginHoverMessage: {
          value: 'An agent’s code is waiting here for your decision. Click to show the card.',
        },
        overviewRuler: {
          color: markColour('cautious'),
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
