/** The text of a group: a Monaco editor of its own, on the model that all groups share. */
import { useEffect, useRef } from 'react';
import { runCommand } from '../features/command-registry.ts';
import { mirror, useMirror } from '../base/mirror.ts';
import { keepNow, keepSoon } from '../base/workspace.ts';
import { definitionIn, packageAt, topLevelForm } from '#contract/sexp/forms.ts';
import { editorOf, readingOf, setEditor } from './active-editor.ts';
import { installAgentMarks } from './agent-marks.ts';
import { installBreakpointMarks } from './breakpoint-marks.ts';
import { bufferIn, bufferOf, buffers, modelOf, type TextBuffer, useBuffers } from './buffers.ts';
import { caretIn, noteCaret, noteView, viewIn } from './carets.ts';
import { installDeadForms } from './dead-forms.ts';
import { editorOptions, fontOptions } from './editor-options.ts';
import { installElectricPairs } from './electric-pairs.ts';
import { installCaretFollowing } from './follow-caret.ts';
import { installFrameMark } from './frame-mark.ts';
import { installIndentation } from './indentation.ts';
import { monaco } from './monaco.ts';
import { installLineMoves } from './move-lines.ts';
import { installNavigation } from './navigation.ts';
import type { TextPlace } from './path-line.tsx';
import { installProviders } from './providers/all.ts';
import { installResultClicks } from './result-clicks.ts';
import { installSafeDelete } from './safe-delete.ts';
import { focusGroup } from './splitting.ts';
import { installStateMarks } from './state-marks.ts';
import { installStoppedClicks } from './stopped-results.ts';
import { installStructureKeys } from './structure-keys.ts';
import { installSuspendedLines } from './suspended-lines.ts';
import { installSyntaxCheck } from './syntax-check.ts';
import { Box } from '../ui/layout.tsx';

const SETTLE_MS = 120;

/** The program's own commands in the text's context menu. */
const CONTEXT_COMMANDS = [
  ['evaluate.form', 'Evaluate Form'],
  ['evaluate.topLevel', 'Evaluate Top-Level Form'],
  ['debugger.toggleBreakpoint', 'Set or Clear Breakpoint'],
  ['editor.agentChange', 'Show What an Agent Changed'],
] as const;

/** All that an editor gets for itself; each takes part in what it shows until it is disposed. */
const PARTS: readonly ((editor: monaco.editor.IStandaloneCodeEditor) => monaco.IDisposable | void)[] = [
  installNavigation,
  installCaretFollowing,
  installSyntaxCheck,
  installDeadForms,
  installIndentation,
  installElectricPairs,
  installSafeDelete,
  installLineMoves,
  installStructureKeys,
  installAgentMarks,
  installStateMarks,
  installSuspendedLines,
  installFrameMark,
  installBreakpointMarks,
  installStoppedClicks,
  installResultClicks,
];

interface GroupTextProps {
  group: string;
  number: number;
  /** Told the package and the definition at the caret whenever they are others. */
  onPlace: (place: TextPlace) => void;
}

export function GroupText({ group, number, onPlace }: GroupTextProps) {
  const host = useRef<HTMLDivElement>(null);
  const buffer = useBuffers((state) => bufferIn(state, group));
  const several = useBuffers((state) => state.groups.groups.length > 1);
  const focused = useBuffers((state) => state.groups.focused === group);
  const fontSize = useMirror((state) => state.settings.editorFontSize);
  const shown = buffer?.id ?? null;
  const title = buffer?.title ?? '';
  const readOnly = buffer?.readOnly ?? false;
  const firstLine = firstLineOf(buffer);

  useEffect(() => {
    if (!host.current) return undefined;
    const editor = monaco.editor.create(host.current, editorOptions(mirror.getState().settings.editorFontSize));
    setEditor(group, editor);
    installProviders();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const tellPlace = (): void => onPlace(placeIn(editor));
    const settle = (): void => {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(tellPlace, SETTLE_MS);
    };
    const listening = [
      editor.onDidChangeCursorPosition(({ position }) => {
        const id = bufferOf(editor.getModel())?.id;
        const caret = { line: position.lineNumber, column: position.column };
        if (id !== undefined) noteCaret(group, id, caret);
        if (buffers.getState().groups.focused === group) buffers.setState({ caret });
        settle();
        keepSoon();
      }),
      editor.onDidChangeModelContent(settle),
      editor.onDidBlurEditorText(keepNow),
      editor.onDidFocusEditorWidget(() => focusGroup(group)),
      ...PARTS.flatMap((install) => install(editor) ?? []),
    ];
    for (const [id, label] of CONTEXT_COMMANDS) {
      editor.addAction({ id, label, contextMenuGroupId: '1_lisp', run: () => runCommand(id) });
    }
    void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
    return () => {
      if (timer !== null) clearTimeout(timer);
      for (const each of listening) each.dispose();
      setEditor(group, null);
      editor.dispose();
    };
  }, [group, onPlace]);

  useEffect(() => {
    const editor = editorOf(group);
    if (!editor) return undefined;
    const model = shown === null ? null : modelOf(shown);
    // An editor with the focus takes it again with another text, also from the group that its tab was moved to.
    if (editor.hasWidgetFocus() && buffers.getState().groups.focused !== group) blurFocused();
    editor.setModel(model);
    if (shown !== null && model) {
      const view = viewIn(group, shown);
      const caret = caretIn(group, shown);
      if (view) editor.restoreViewState(view);
      else if (caret) {
        editor.setPosition({ lineNumber: caret.line, column: caret.column });
        editor.revealLineInCenterIfOutsideViewport(caret.line);
      }
    }
    onPlace(placeIn(editor));
    tellCaret(group);
    return () => {
      if (shown !== null && modelOf(shown)) noteView(group, shown, editor.saveViewState());
    };
  }, [group, shown, onPlace]);

  useEffect(() => {
    if (focused) tellCaret(group);
  }, [group, focused]);

  useEffect(() => {
    editorOf(group)?.updateOptions({
      readOnly,
      ariaLabel: title === '' ? 'Text' : `Text of ${title}${several ? `, group ${number}` : ''}`,
      ...fontOptions(fontSize),
      lineNumbers: firstLine === 0 ? 'on' : (line) => String(line + firstLine),
    });
  }, [group, readOnly, title, several, number, fontSize, firstLine]);

  return (
    <Box
      ref={host}
      id={`text-${group}`}
      role="tabpanel"
      aria-label={title}
      grow
      className="monaco-component"
      {...(focused ? { 'data-region-focus': true } : {})}
    />
  );
}

function blurFocused(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Has the status bar tell the caret of a group, where that has the focus. */
function tellCaret(group: string): void {
  const position = editorOf(group)?.getPosition();
  if (position && buffers.getState().groups.focused === group)
    buffers.setState({ caret: { line: position.lineNumber, column: position.column } });
}

/** Lines before the text that is shown, where that is a part of a longer one. */
function firstLineOf(buffer: TextBuffer | null): number {
  return buffer?.notice?.kind === 'printed' ? buffer.notice.line : 0;
}

/** The package and the definition at the caret of an editor. */
function placeIn(editor: monaco.editor.IStandaloneCodeEditor): TextPlace {
  const model = editor.getModel();
  const position = editor.getPosition();
  if (!model || !position) return { package: null, definition: null };
  const { text, reading } = readingOf(model);
  const caret = model.getOffsetAt(position);
  const form = topLevelForm(reading, caret);
  const around = form && form.start <= caret && caret <= form.end ? definitionIn(text, form) : null;
  return { package: packageAt(text, reading, caret), definition: around?.name ?? null };
}
