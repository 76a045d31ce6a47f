/**
 * Breakpoints of functions in the gutter: a disc at the first line of the definition for the call, and at each line with a breakpoint.
 * A click on a disc clears that breakpoint, a click beside the first line sets the one on the call, and F9 toggles the one on the line of the
 * caret. The disc is a ring while
 * the image does not have the function, and contains an equals sign if the breakpoint has a condition. A right click or Shift+F9 edits the
 * condition.
 */
import type { Breakpoint, BreakpointLine } from '#contract/image/debugger.ts';
import { DEFINING_OPERATORS } from '#contract/image/operators.ts';
import { definitionIn, methodPartIn, packageAt, topLevelForm } from '#contract/sexp/forms.ts';
import type { Form, Reading } from '#contract/sexp/reader.ts';
import { mirror } from '../../base/mirror.ts';
import {
  breakpointKey,
  breakpointOn,
  lineIndex,
  methodKey,
  readableMethod,
  readableName,
  setBreakpointLine,
  stopsOf,
  toggleBreakpoint,
} from './breakpoints.ts';
import { editCondition } from './condition-editing.ts';
import { commandKeys } from '../../base/keys/command-registry.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { activeEditor, readingOf } from '../../editor/groups/active-editor.ts';
import { openGutterMenu } from '../../editor/monaco/gutter-menu.tsx';
import { LISP } from '../../editor/monaco/language.ts';
import { macroDefinesFunction } from '../../editor/providers/macro-defined.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { readingNear } from '../../editor/text/reading-near.ts';
import { packageIn } from '../../editor/text/reading-package.ts';

/** A function or method that a form in the text defines. */
interface DefinedFunction {
  /** The key of the function or method, see `breakpointKey` and `methodKey`. */
  readonly key: string;
  /** The name of the function or method, in a form that can be read in CL-USER. */
  readonly name: string;
  /** The displayed name, without its package: `TOTAL`, `the method TOTAL (ITEM)`. */
  readonly shown: string;
  readonly start: number;
  readonly end: number;
  /** The end of the lambda list if calls can stop on the lines after it; null for other definitions, such as those of macros. */
  readonly headEnd: number | null;
}

const SETTLE_MS = 120;
/** The first line of a definition, which means the call. */
const CALL: BreakpointLine = { line: 0, text: '' };
/** Marks of other features in the glyph margin, which handle clicks on their lines themselves. */
const OTHERS = /agent-mark|parked-hand/;

export function installBreakpointMarks(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const drawn = editor.createDecorationsCollection();
  const hint = editor.createDecorationsCollection();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const draw = (): void => {
    const model = editor.getModel();
    const none = mirror.getState().breakpoints.functions.length === 0;
    drawn.set(
      !model || none
        ? []
        : functionsOf(model).flatMap((each) => {
            const breakpoint = breakpointOn(each.key);
            return breakpoint ? marksOf(model, each, breakpoint) : [];
          }),
    );
  };
  const drawSoon = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(draw, SETTLE_MS);
  };
  const at = ({ target }: monaco.editor.IEditorMouseEvent): DefinedFunction | null => {
    const model = editor.getModel();
    if (!model || target.type !== monaco.editor.MouseTargetType.GUTTER_GLYPH_MARGIN) return null;
    const line = target.position.lineNumber;
    const taken = model.getLineDecorations(line).some(({ options }) => OTHERS.test(options.glyphMarginClassName ?? ''));
    if (taken) return null;
    const start = model.getOffsetAt({ lineNumber: line, column: 1 });
    const end = model.getOffsetAt({ lineNumber: line, column: model.getLineMaxColumn(line) });
    return functionsOf(model).find((each) => each.start >= start && each.start <= end) ?? null;
  };
  /** The line of a breakpoint whose mark was clicked; the call is line 0. */
  const lineAt = ({ target }: monaco.editor.IEditorMouseEvent): MarkedLine | null => {
    const model = editor.getModel();
    if (!model || target.type !== monaco.editor.MouseTargetType.GUTTER_GLYPH_MARGIN) return null;
    for (const around of functionsOf(model))
      for (const line of stopsOf(breakpointOn(around.key)))
        if (lineOf(model, around, line) === target.position.lineNumber) return { around, line };
    return null;
  };
  const listeners = [
    editor.onDidChangeModel(draw),
    editor.onDidChangeModelContent(drawSoon),
    editor.onMouseDown((event) => {
      if (!event.event.leftButton) return;
      const marked = lineAt(event);
      const around = marked?.around ?? at(event);
      if (around) void orNotice(setBreakpointLine(around.key, around.name, marked?.line ?? CALL, !marked));
    }),
    editor.onContextMenu((event) => {
      const target = at(event);
      if (!target) return;
      event.event.preventDefault();
      openMenu(target, { x: event.event.browserEvent.clientX, y: event.event.browserEvent.clientY }, editor);
    }),
    editor.onMouseMove((event) => {
      const model = editor.getModel();
      const target = at(event);
      hint.set(model && target && !breakpointOn(target.key) ? [hintOf(model, target)] : []);
    }),
    editor.onMouseLeave(() => hint.clear()),
  ];
  const stop = mirror.subscribe((state, before) => {
    if (state.breakpoints === before.breakpoints) return;
    hint.clear();
    draw();
  });
  return {
    dispose(): void {
      if (timer !== null) clearTimeout(timer);
      stop();
      for (const each of listeners) each.dispose();
    },
  };
}

interface MarkedLine {
  readonly around: DefinedFunction;
  readonly line: BreakpointLine;
}

/** Toggles the breakpoint on the line of the caret. On the head of a definition, this is the breakpoint on the call. */
export async function toggleBreakpointAtCaret(): Promise<void> {
  const editor = activeEditor();
  const around = functionAtCaret();
  if (!editor || !around) return;
  const line = lineAtCaret(editor, around);
  const onCallOnly = breakpointOn(around.key)?.lines === undefined;
  await orNotice(line.line === 0 && onCallOnly ? toggleFromAfar(around, editor) : toggleLine(around, line, editor));
}

/** Returns the line of the caret within a definition; line 0 if calls cannot stop within the definition. */
function lineAtCaret(editor: monaco.editor.IStandaloneCodeEditor, { start, headEnd }: DefinedFunction): BreakpointLine {
  const model = editor.getModel()!;
  const caret = editor.getPosition()!.lineNumber;
  const first = model.getPositionAt(start).lineNumber;
  if (headEnd === null || caret <= model.getPositionAt(headEnd).lineNumber) return CALL;
  return { line: caret - first, text: model.getLineContent(caret).trim().slice(0, 1000) };
}

async function toggleLine(
  around: DefinedFunction,
  line: BreakpointLine,
  editor: monaco.editor.IStandaloneCodeEditor,
): Promise<void> {
  const { key, name, shown } = around;
  const model = editor.getModel()!;
  const before = stopsOf(breakpointOn(key));
  const caret = editor.getPosition()!.lineNumber;
  const marked = before.find(
    (each) => lineOf(model, around, each) === (line.line === 0 ? lineOf(model, around, line) : caret),
  );
  const problem = await setBreakpointLine(key, name, marked ?? line, !marked);
  if (problem !== null) notify(`${problem} The breakpoint of ${shown} is on the call instead.`);
  else if (!marked && line.line > 0 && !before.some((each) => each.line > 0))
    notify(
      `${shown} stops on line ${caret.toLocaleString('en')}. While it has this breakpoint, it runs compiled for debugging.`,
    );
}

/** Returns the line of the text, counted from 1, that a line of a breakpoint means; the first line of the definition if it is not there. */
function lineOf(model: monaco.editor.ITextModel, { start, end }: DefinedFunction, line: BreakpointLine): number {
  const first = model.getPositionAt(start).lineNumber;
  const last = model.getPositionAt(end).lineNumber;
  const lines = Array.from({ length: last - first + 1 }, (_, index) => model.getLineContent(first + index));
  return first + (lineIndex(lines, line) ?? 0);
}

/** Toggles a breakpoint, and shows a notice if the breakpoint's mark is not visible. */
async function toggleFromAfar(around: DefinedFunction, editor: monaco.editor.IStandaloneCodeEditor): Promise<void> {
  const isSet = await toggle(around);
  const name = around.shown;
  if (isMarkSeen(around, editor)) return;
  const { lineNumber } = editor.getModel()!.getPositionAt(around.start);
  notify(`The breakpoint of ${name}, on line ${lineNumber.toLocaleString('en')}, is ${isSet ? 'set' : 'cleared'}.`);
}

/** True if the position of the function's mark is on screen. */
function isMarkSeen({ key, start }: DefinedFunction, editor: monaco.editor.IStandaloneCodeEditor): boolean {
  const model = editor.getModel()!;
  if (!functionsOf(model).some((each) => each.key === key)) return false; // large texts have no marks
  const at = model.getPositionAt(start);
  return editor.getVisibleRanges().some((range) => range.containsPosition(at));
}

/** Opens the field for the condition of the breakpoint on the function around the caret. If there is none, the field creates one. */
export function editConditionAtCaret(): void {
  const editor = activeEditor();
  const around = functionAtCaret();
  if (editor && around) editConditionOf(around, editor);
}

/** Returns the function or method whose definition contains the caret; null if there is none. */
export function functionAround(): DefinedFunction | null {
  return lookAround().around;
}

/** Returns the function around the caret. If there is none, shows a notice that says what to do. */
function functionAtCaret(): DefinedFunction | null {
  const { around, kind } = lookAround();
  if (!around)
    notify(
      kind === 'macro'
        ? 'A macro cannot have a breakpoint, because it runs at compile time. Expand Macro Once shows its expansion.'
        : 'To set a breakpoint, put the caret into the definition of a function.',
    );
  return around;
}

/** Returns the function that the top-level form around the caret defines, and the kind of its definition. */
function lookAround(): { around: DefinedFunction | null; kind: string | null } {
  const editor = activeEditor();
  const model = editor?.getModel();
  const position = editor?.getPosition();
  if (!model || !position) return { around: null, kind: null };
  const near = readingNear(model, position.lineNumber);
  const caret = model.getOffsetAt(position) - (near?.base ?? 0);
  const form = near && topLevelForm(near.reading, caret);
  if (!near || !form || form.start > caret || caret > form.end) return { around: null, kind: null };
  const around = definedBy(near.text, form, packageIn(model, near.base + form.start));
  return {
    around: around && {
      ...around,
      start: near.base + around.start,
      end: near.base + around.end,
      headEnd: around.headEnd === null ? null : near.base + around.headEnd,
    },
    kind: definitionKind(near.text, form) ?? null,
  };
}

function editConditionOf({ key, name }: DefinedFunction, editor: monaco.editor.IStandaloneCodeEditor): void {
  editCondition(breakpointOn(key) ?? { wanted: name, name: name.toUpperCase() }, () => editor.focus());
}

function openMenu(
  target: DefinedFunction,
  place: { x: number; y: number },
  editor: monaco.editor.IStandaloneCodeEditor,
): void {
  const known = breakpointOn(target.key);
  const entries = [
    {
      id: 'condition',
      title: known ? 'Edit Condition…' : 'Set Breakpoint with Condition…',
      keys: commandKeys('debugger.editCondition'),
      run: () => editConditionOf(target, editor),
    },
    {
      id: 'toggle',
      title: known ? 'Clear Breakpoint' : 'Set Breakpoint',
      keys: commandKeys('debugger.toggleBreakpoint'),
      run: () => void orNotice(toggle(target)),
    },
  ];
  openGutterMenu({ label: `Breakpoint in ${target.name}`, groups: [{ id: 'breakpoint', entries }], place });
}

function toggle({ key, name }: DefinedFunction): Promise<boolean> {
  return toggleBreakpoint(key, name);
}

/** The functions defined in a reading, stored with the image's list of definitions that was used to find them. */
const functions = new WeakMap<Reading, { readonly listed: unknown; readonly found: readonly DefinedFunction[] }>();

function functionsOf(model: monaco.editor.ITextModel): readonly DefinedFunction[] {
  if (model.getLanguageId() !== LISP) return [];
  const { text, reading } = readingOf(model);
  const listed = mirror.getState().definitions;
  const known = functions.get(reading);
  if (known?.listed === listed) return known.found;
  const found = reading.forms.flatMap((form) => definedBy(text, form, packageAt(text, reading, form.start)) ?? []);
  functions.set(reading, { listed, found });
  return found;
}

/** Returns the function or method that a form defines. */
function definedBy(text: string, form: Form, written: string | null): DefinedFunction | null {
  const kind = definitionKind(text, form);
  const inPackage = written ?? mirror.getState().session.package;
  const byMacro = kind === undefined && macroDefinesFunction(text, form, inPackage, mirror.getState().definitions);
  if (!byMacro && kind !== 'function' && kind !== 'generic-function' && kind !== 'method') return null;
  const { start, end } = form.children[1]!;
  const name = text.slice(start, end);
  const key = breakpointKey(inPackage, name);
  const shown = name.replace(/[^\s(:]+::?/, '').toUpperCase();
  const method = kind === 'method' ? methodPartIn(text, form) : null;
  const place = { start: form.start, end: form.end, headEnd: headEnd(text, form) };
  if (!method) return { key, name: readableName(inPackage, name), shown, ...place };
  const words = [shown, ...method.qualifiers, `(${method.specializers.join(' ')})`].join(' ').toUpperCase();
  return {
    key: methodKey(key, method),
    name: readableMethod(inPackage, name, method),
    shown: `the method ${words}`,
    ...place,
  };
}

/** Returns the end of the lambda list of a DEFUN or DEFMETHOD form; null for other forms. */
function headEnd(text: string, form: Form): number | null {
  const operator = definitionIn(text, form)?.operator;
  if (operator !== 'defun' && operator !== 'defmethod') return null;
  return form.children.slice(2).find((child) => text[child.start] === '(')?.end ?? null;
}

function definitionKind(text: string, form: Form) {
  const defined = definitionIn(text, form);
  return defined ? DEFINING_OPERATORS[defined.operator] : undefined;
}

function marksOf(
  model: monaco.editor.ITextModel,
  around: DefinedFunction,
  breakpoint: Breakpoint,
): monaco.editor.IModelDeltaDecoration[] {
  const lines = stopsOf(breakpoint).map((line) => ({ line: line.line, at: lineOf(model, around, line) }));
  const inner = lines.filter(({ line }) => line > 0);
  return [
    ...(inner.length < lines.length ? [markOf(model.getPositionAt(around.start), around, breakpoint, false)] : []),
    ...inner.map(({ at }) => markOf(new monaco.Position(at, 1), around, breakpoint, true)),
  ];
}

/** Draws the mark of a breakpoint at a position. `isLine`: the breakpoint is on that line, not on the call. */
function markOf(
  position: monaco.Position,
  { name }: DefinedFunction,
  { there, when }: Breakpoint,
  isLine: boolean,
): monaco.editor.IModelDeltaDecoration {
  const where = when === undefined ? '' : ` and ${when} is true`;
  const stop = isLine
    ? `stops on this line of ${name}${when === undefined ? '' : ` if ${when} is true`}`
    : `stops when it calls ${name}${where}`;
  const stops = there
    ? `Breakpoint: your code ${stop}.`
    : `Pending breakpoint: ${name} is not in the image yet. After it is loaded, your code ${stop}.`;
  const words = `${stops} Click to clear it.`;
  const kinds = ['breakpoint-mark', there ? '' : 'waiting', when === undefined ? '' : 'conditional'];
  return {
    range: monaco.Range.fromPositions(position),
    options: {
      stickiness: monaco.editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
      glyphMarginClassName: kinds.filter((kind) => kind !== '').join(' '),
      glyphMarginHoverMessage: { value: plain(words) },
    },
  };
}

function hintOf(
  model: monaco.editor.ITextModel,
  { start, name }: DefinedFunction,
): monaco.editor.IModelDeltaDecoration {
  return {
    range: monaco.Range.fromPositions(model.getPositionAt(start)),
    options: {
      glyphMarginClassName: 'breakpoint-hint',
      glyphMarginHoverMessage: { value: plain(`Click to stop when ${name} is called.`) },
    },
  };
}

/** Escapes characters in a name that the hover would interpret as Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&]/g, String.raw`\$&`);
}
