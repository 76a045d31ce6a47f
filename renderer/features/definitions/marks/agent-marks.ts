/**
 * Gutter marks at forms that agents changed in the image and the person has not reviewed. A mark shows the author and the time, and opens
 * the change.
 */
import { UNKNOWN_CLIENT } from '#contract/clients/actor-id.ts';
import type { DefinitionEntry } from '#contract/image/definition.ts';
import { hueFor, nameOf } from '../../../base/actors.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { mirror } from '../../../base/mirror.ts';
import { shownName } from '../definition-rows.ts';
import { showDifference } from '../show-difference.tsx';
import { ago, clockTime } from '../../../ui/time.ts';
import { activeEditor, readingOf } from '../../../editor/groups/active-editor.ts';
import { AgentLenses } from './agent-lenses.ts';
import { type MarkedForm, markedForms } from './marked-forms.ts';
import { AGENT_CHANGED } from '../../../editor/monaco/context-menu.ts';
import { LISP } from '../../../editor/monaco/language.ts';
import { monaco } from '../../../editor/monaco/monaco.ts';
import { markColour } from '../../../editor/monaco/monaco-theme.ts';

const SETTLE_MS = 120;

/** Keeps the marks of the shown text up to date with the text and the image, until the returned object is disposed. */
export function installAgentMarks(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const marks = editor.createDecorationsCollection();
  const lenses = new AgentLenses(editor, showMark);
  const changed = editor.createContextKey<boolean>(AGENT_CHANGED, false);
  const look = (): void => changed.set(markAtCaret() !== null);
  const { Explicit } = monaco.editor.CursorChangeReason;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const draw = (): void => {
    const model = editor.getModel();
    const forms = marksOf(model);
    marks.set(forms.flatMap((form) => decorationsOf(model!, form)));
    lenses.draw(forms);
  };
  const drawSoon = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(draw, SETTLE_MS);
  };
  const listeners = [
    editor.onDidChangeModel(draw),
    editor.onDidChangeModelContent(drawSoon),
    // The context menu moves the caret to the pointer before it opens. Caret moves caused by typing are ignored, because each would cause
    // the whole text to be parsed again.
    editor.onDidChangeCursorPosition(({ reason, source }) =>
      reason === Explicit || source === 'api' ? look() : undefined,
    ),
    editor.onMouseDown(({ target }) => {
      if (target.type !== monaco.editor.MouseTargetType.GUTTER_GLYPH_MARGIN) return;
      const line = target.position.lineNumber;
      const model = editor.getModel();
      const form = marksOf(model).find(({ start }) => model!.getPositionAt(start).lineNumber === line);
      if (form) void orNotice(showMark(form.entry));
    }),
  ];
  const stop = mirror.subscribe((state, before) => {
    if (state.unreviewed !== before.unreviewed || state.clients !== before.clients) draw();
    if (state.unreviewed !== before.unreviewed) look();
  });
  return {
    dispose(): void {
      if (timer !== null) clearTimeout(timer);
      stop();
      for (const each of listeners) each.dispose();
    },
  };
}

/** Returns the unreviewed change of the definition at the caret, or null. */
export function markAtCaret(): DefinitionEntry | null {
  const editor = activeEditor();
  const model = editor?.getModel() ?? null;
  const position = editor?.getPosition();
  if (!model || !position) return null;
  const caret = model.getOffsetAt(position);
  return marksOf(model).find(({ start, end }) => start <= caret && caret <= end)?.entry ?? null;
}

export function showMark({ id, name, actor, time }: DefinitionEntry): Promise<void> {
  return showDifference({ event: id, name, actor, time, waits: true });
}

function marksOf(model: monaco.editor.ITextModel | null): MarkedForm[] {
  const { entries } = mirror.getState().unreviewed;
  if (!model || entries.length === 0 || model.getLanguageId() !== LISP) return [];
  const { text, reading } = readingOf(model);
  return markedForms(text, reading, entries);
}

/** Returns a bar along the form and a diamond at its first line. */
function decorationsOf(
  model: monaco.editor.ITextModel,
  { entry, start, end }: MarkedForm,
): monaco.editor.IModelDeltaDecoration[] {
  const { clients } = mirror.getState();
  const actor = entry.author ?? entry.actor;
  const hue = hueFor({ id: actor ?? UNKNOWN_CLIENT }, clients) ?? 1;
  const who = actor === null ? 'Code that ran automatically' : nameOf(actor, clients);
  const did = entry.operation === 'removed' ? 'removed this from the image' : 'changed this in the image';
  const words = `${who} ${did} ${ago(entry.time)}, at ${clockTime(entry.time)}: ${shownName(entry.name)}.`;
  const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
  const stickiness = monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges;
  return [
    {
      range,
      options: {
        stickiness,
        linesDecorationsClassName: `agent-bar agent-hue-${hue}`,
        linesDecorationsTooltip: words,
        overviewRuler: {
          color: markColour(`agent-${hue}`),
          position: monaco.editor.OverviewRulerLane.Left,
        },
      },
    },
    {
      range: monaco.Range.fromPositions(range.getStartPosition()),
      options: {
        stickiness,
        glyphMarginClassName: `agent-mark agent-hue-${hue}`,
        glyphMarginHoverMessage: { value: plain(`${words} Click to see the difference.`) },
      },
    },
  ];
}

/** Escapes a name for the hover, which is rendered as Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/g, String.raw`\$&`);
}
