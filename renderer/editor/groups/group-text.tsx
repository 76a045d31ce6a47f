/** The text of a group. Each group has its own Monaco editor; all groups share the model of a text. */
import { useEffect, useRef } from 'react';
import { drawable } from '#contract/text/visible.ts';
import { mirror, useMirror } from '../../base/mirror.ts';
import { keepNow, keepSoon } from '../../base/layout/workspace.ts';
import { editorOf, readingOf, setEditor } from './active-editor.ts';
import { additions, type InstallPart } from '../additions.ts';
import { bufferIn, bufferOf, buffers, modelOf, type TextBuffer, useBuffers } from '../text/buffers.ts';
import { type CaretPlace, NOWHERE, placeAt } from './caret-place.ts';
import { caretIn, noteCaret, noteView, viewIn } from '../text/carets.ts';
import { installContextMenu } from '../monaco/context-menu.ts';
import { installHiddenCharacters } from '../monaco/hidden-characters.ts';
import { editorOptions, fontOptions } from '../monaco/editor-options.ts';
import { installElectricPairs } from '../typing/electric-pairs.ts';
import { installCaretFollowing } from '../monaco/follow-caret.ts';
import { frameMark, installFrameMark } from '../monaco/frame-mark.ts';
import { installKeepInPlace } from '../monaco/keep-in-place.ts';
import { installIndentation } from '../typing/indentation.ts';
import { monaco } from '../monaco/monaco.ts';
import { installLineCommands } from '../typing/line-commands.ts';
import { installLineMoves } from '../typing/move-lines.ts';
import { installNavigation } from './navigation.ts';
import { installPassingHints } from '../monaco/passing-hints.ts';
import { installProviders } from '../providers/providers.ts';
import { packageIn } from '../text/reading-package.ts';
import { installSafeDelete } from '../typing/safe-delete.ts';
import { focusGroup } from './splitting.ts';
import { installStructureKeys } from '../typing/structure-keys.ts';
import { Box } from '../../ui/layout.tsx';

const SETTLE_MS = 120;

/** The components that every editor has in addition to those of the features. */
const OWN_PARTS: readonly InstallPart[] = [
  installNavigation,
  installCaretFollowing,
  installKeepInPlace,
  installHiddenCharacters,
  installIndentation,
  installElectricPairs,
  installSafeDelete,
  installLineMoves,
  installLineCommands,
  installStructureKeys,
  installFrameMark,
  installContextMenu,
  installPassingHints,
];

interface GroupTextProps {
  group: string;
  number: number;
  /** Called with the caret's place once the caret has come to rest. */
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
      ...[...OWN_PARTS, ...additions.parts].flatMap((install) => install(editor) ?? []),
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
    // A focused editor takes the focus again when its text changes. Its tab may have moved to another group, which should have the focus
    // instead, so blur the editor.
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

/** Shows the caret of a group in the status bar if the group is focused. */
function tellCaret(group: string): void {
  const position = editorOf(group)?.getPosition();
  if (position && buffers.getState().groups.focused === group)
    buffers.setState({ caret: { line: position.lineNumber, column: position.column } });
}

/** Returns the number of lines before the visible text if it is a part of a longer one. */
function firstLineOf(buffer: TextBuffer | null): number {
  return buffer?.notice?.kind === 'printed' ? buffer.notice.line : 0;
}

/** Returns the place for the path line: the marked frame of the debugger if the text has one, otherwise the caret. */
function placeIn(editor: monaco.editor.IStandaloneCodeEditor): CaretPlace {
  const model = editor.getModel();
  const position = editor.getPosition();
  if (!model || !position) return NOWHERE;
  const { text, reading } = readingOf(model);
  const { mark } = frameMark.getState();
  const caret = mark !== null && mark.buffer === bufferOf(model)?.id ? mark.start : model.getOffsetAt(position);
  return { ...placeAt(text, reading, caret), package: packageIn(model, caret) };
}
