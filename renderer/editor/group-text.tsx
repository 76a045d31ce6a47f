/** The text of a group: a Monaco editor of its own, on the model that all groups share. */
import { useEffect, useRef } from 'react';
import { drawable } from '#contract/visible.ts';
import { mirror, useMirror } from '../base/mirror.ts';
import { keepNow, keepSoon } from '../base/workspace.ts';
import { editorOf, readingOf, setEditor } from './active-editor.ts';
import { installAgentMarks } from './agent-marks.ts';
import { installCoverageMarks } from './coverage-marks.ts';
import { installBreakpointMarks } from './breakpoint-marks.ts';
import { bufferIn, bufferOf, buffers, modelOf, type TextBuffer, useBuffers } from './buffers.ts';
import { type CaretPlace, NOWHERE, placeAt } from './caret-place.ts';
import { caretIn, noteCaret, noteView, viewIn } from './carets.ts';
import { installContextMenu } from './context-menu.ts';
import { installDeadForms } from './dead-forms.ts';
import { installHiddenCharacters } from './hidden-characters.ts';
import { editorOptions, fontOptions } from './editor-options.ts';
import { installElectricPairs } from './electric-pairs.ts';
import { installCaretFollowing } from './follow-caret.ts';
import { frameMark, installFrameMark } from './frame-mark.ts';
import { installIndentation } from './indentation.ts';
import { monaco } from './monaco.ts';
import { installLineCommands } from './line-commands.ts';
import { installLineMoves } from './move-lines.ts';
import { installNavigation } from './navigation.ts';
import { installTestMarks } from './test-marks.ts';
import { installPassingHints } from './passing-hints.ts';
import { installProviders } from './providers/all.ts';
import { packageIn } from './reading-package.ts';
import { installRecordingMarks } from './recording-marks.ts';
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

/** All that an editor gets for itself; each takes part in what it shows until it is disposed. */
const PARTS: readonly ((editor: monaco.editor.IStandaloneCodeEditor) => monaco.IDisposable | void)[] = [
  installNavigation,
  installCaretFollowing,
  installSyntaxCheck,
  installDeadForms,
  installHiddenCharacters,
  installIndentation,
  installElectricPairs,
  installSafeDelete,
  installLineMoves,
  installLineCommands,
  installStructureKeys,
  installAgentMarks,
  installStateMarks,
  installSuspendedLines,
  installFrameMark,
  installBreakpointMarks,
  installCoverageMarks,
  installStoppedClicks,
  installRecordingMarks,
  installResultClicks,
  installContextMenu,
  installPassingHints,
  installTestMarks,
];

interface GroupTextProps {
  group: string;
  number: number;
  /** Told the caret's place when it has come to rest. */
  onPlace: (place: CaretPlace) => void;
}

export function GroupText({ group, number, onPlace }: GroupTextProps) {
  const host = useRef<HTMLDivElement>(null);
  const buffer = useBuffers((state) => bufferIn(state, group));
  const several = useBuffers((state) => state.groups.groups.length > 1);
  const focused = useBuffers((state) => state.groups.focused === group);
  const { editorFontSize, codeFont, wordWrap } = useMirror((state) => state.settings);
  const shown = buffer?.id ?? null;
  const title = buffer?.title ?? '';
  const readOnly = buffer?.readOnly ?? false;
  const firstLine = firstLineOf(buffer);

  useEffect(() => {
    if (!host.current) return undefined;
    const editor = monaco.editor.create(host.current, editorOptions(mirror.getState().settings));
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
      { dispose: frameMark.subscribe(settle) },
      editor.onDidBlurEditorText(keepNow),
      editor.onDidFocusEditorWidget(() => focusGroup(group)),
      ...PARTS.flatMap((install) => install(editor) ?? []),
    ];
    if (document.fonts.status === 'loading') void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
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
      ariaLabel: title === '' ? 'Text' : `Text of ${drawable(title)}${several ? `, group ${number}` : ''}`,
      ...fontOptions({ editorFontSize, codeFont }),
      wordWrap: wordWrap ? 'on' : 'off',
      lineNumbers: firstLine === 0 ? 'on' : (line) => String(line + firstLine),
    });
  }, [group, readOnly, title, several, number, editorFontSize, codeFont, wordWrap, firstLine]);

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

/** The place that the path line is about: that of the debugger's frame while one is shown in the text, else the caret's. */
function placeIn(editor: monaco.editor.IStandaloneCodeEditor): CaretPlace {
  const model = editor.getModel();
  const position = editor.getPosition();
  if (!model || !position) return NOWHERE;
  const { text, reading } = readingOf(model);
  const { mark } = frameMark.getState();
  const caret = mark !== null && mark.buffer === bufferOf(model)?.id ? mark.start : model.getOffsetAt(position);
  return { ...placeAt(text, reading, caret), package: packageIn(model, caret) };
}
