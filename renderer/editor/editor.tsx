/** The editor: tabs, the path of the definition at the caret, notices of the shown text, and one Monaco for all texts. */
import './monaco.css';
import { useEffect, useRef } from 'react';
import { runCommand } from '../features/command-registry.ts';
import { useMirror } from '../base/mirror.ts';
import { definitionIn, packageAt, topLevelForm } from '#contract/sexp/forms.ts';
import { keepNow, keepSoon } from '../base/workspace.ts';
import { installAgentMarks } from './agent-marks.ts';
import { installBreakpointMarks } from './breakpoint-marks.ts';
import { installFrameMark } from './frame-mark.ts';
import { installStateMarks } from './state-marks.ts';
import { activeEditor, readingOf, setActiveEditor } from './active-editor.ts';
import { buffers, carets, modelOf, type TextBuffer, useBuffers } from './buffers.ts';
import { BufferNoticeBar } from './buffer-notice.tsx';
import { installDeadForms } from './dead-forms.ts';
import { EditorEmpty } from './editor-empty.tsx';
import { installElectricPairs } from './electric-pairs.ts';
import { installLineMoves } from './move-lines.ts';
import { installSafeDelete } from './safe-delete.ts';
import { installStructureKeys } from './structure-keys.ts';
import { followDisk } from './files.ts';
import { installCaretFollowing } from './follow-caret.ts';
import { installIndentation } from './indentation.ts';
import { monaco } from './monaco.ts';
import { installNavigation } from './navigation.ts';
import { installProviders } from './providers/all.ts';
import { installStoppedResults } from './stopped-results.ts';
import { installSuspendedLines } from './suspended-lines.ts';
import { installSyntaxCheck } from './syntax-check.ts';
import { PathLine } from './path-line.tsx';
import { installResultClicks } from './result-clicks.ts';
import { useResultMessage } from './results.ts';
import { EditorTabs } from './tabs.tsx';
import { Box } from '../ui/layout.tsx';
import { classes } from '../ui/look.ts';
import { Region } from '../ui/panel.tsx';
import styles from './editor.module.css';

export function Editor() {
  const isEmpty = useBuffers((state) => state.buffers.length === 0);
  const message = useResultMessage();
  return (
    <Region name="Editor" className={styles.editor}>
      {isEmpty ? (
        <EditorEmpty />
      ) : (
        <>
          <EditorTabs />
          <PathLine />
          <BufferNoticeBar />
        </>
      )}
      <Text hidden={isEmpty} />
      <div role="status" className="visually-hidden">
        {message}
      </div>
    </Region>
  );
}

const SETTLE_MS = 120;

/** The program's own commands in the text's context menu. */
const CONTEXT_COMMANDS = [
  ['evaluate.form', 'Evaluate Form'],
  ['evaluate.topLevel', 'Evaluate Top-Level Form'],
  ['debugger.toggleBreakpoint', 'Set or Clear Breakpoint'],
  ['editor.agentChange', 'Show What an Agent Changed'],
] as const;

function Text({ hidden }: { hidden: boolean }) {
  const host = useRef<HTMLDivElement>(null);
  const active = useBuffers((state) => state.active);
  const title = useBuffers((state) => state.buffers.find((buffer) => buffer.id === state.active)?.title ?? '');
  const readOnly = useBuffers((state) => state.buffers.find((buffer) => buffer.id === state.active)?.readOnly ?? false);
  const firstLine = useBuffers(({ buffers: all, active: shown }) => firstLineOf(all, shown));
  const fontSize = useMirror((state) => state.settings.editorFontSize);
  const views = useRef(new Map<string, monaco.editor.ICodeEditorViewState | null>());

  useEffect(() => {
    if (!host.current) return undefined;
    const editor = monaco.editor.create(host.current, editorOptions());
    setActiveEditor(editor);
    let timer: ReturnType<typeof setTimeout> | null = null;
    const settle = (): void => {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(notePlace, SETTLE_MS);
    };
    const moved = editor.onDidChangeCursorPosition(({ position }) => {
      const id = buffers.getState().active;
      const caret = { line: position.lineNumber, column: position.column };
      if (id !== null) carets.set(id, caret);
      buffers.setState({ caret });
      settle();
      keepSoon();
    });
    const typed = editor.onDidChangeModelContent(settle);
    const left = editor.onDidBlurEditorText(keepNow);
    const follow = (): void => void followDisk();
    window.addEventListener('focus', follow);
    installProviders();
    const navigation = installNavigation(editor);
    const following = installCaretFollowing(editor);
    const syntax = installSyntaxCheck(editor);
    const dead = installDeadForms(editor);
    const indentation = installIndentation(editor);
    const pairs = installElectricPairs(editor);
    installSafeDelete(editor);
    installLineMoves(editor);
    installStructureKeys(editor);
    const marks = installAgentMarks(editor);
    const states = installStateMarks(editor);
    const suspended = installSuspendedLines(editor);
    const stopped = [installFrameMark(editor), installBreakpointMarks(editor), installStoppedResults(editor)];
    const clicks = installResultClicks(editor);
    for (const [id, label] of CONTEXT_COMMANDS) {
      editor.addAction({ id, label, contextMenuGroupId: '1_lisp', run: () => runCommand(id) });
    }
    void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
    return () => {
      window.removeEventListener('focus', follow);
      if (timer !== null) clearTimeout(timer);
      const more = [
        navigation,
        following,
        syntax,
        dead,
        indentation,
        pairs,
        marks,
        states,
        suspended,
        ...stopped,
        clicks,
      ];
      for (const each of [moved, typed, left, ...more]) each.dispose();
      setActiveEditor(null);
      editor.dispose();
    };
  }, []);

  useEffect(() => {
    const editor = activeEditor();
    const kept = views.current;
    if (!editor) return undefined;
    const model = active === null ? null : modelOf(active);
    editor.setModel(model);
    if (active !== null && model) {
      const view = kept.get(active);
      const caret = carets.get(active);
      if (view) editor.restoreViewState(view);
      else if (caret) {
        editor.setPosition({ lineNumber: caret.line, column: caret.column });
        editor.revealLineInCenterIfOutsideViewport(caret.line);
      }
      const position = editor.getPosition();
      if (position) buffers.setState({ caret: { line: position.lineNumber, column: position.column } });
    }
    notePlace();
    return () => {
      if (active !== null && modelOf(active)) kept.set(active, editor.saveViewState());
    };
  }, [active]);

  useEffect(() => {
    activeEditor()?.updateOptions({
      readOnly,
      ariaLabel: title === '' ? 'Text' : `Text of ${title}`,
      fontSize,
      lineHeight: lineHeightOf(fontSize),
      lineNumbers: firstLine === 0 ? 'on' : (line) => String(line + firstLine),
    });
  }, [readOnly, title, fontSize, firstLine]);

  return (
    <Box
      ref={host}
      id="editor-text"
      role="tabpanel"
      aria-label={title}
      grow
      className={classes(styles.text, 'monaco-component')}
      hidden={hidden}
      data-region-focus
    />
  );
}

/** Lines before the text that is shown, where that is a part of a longer one. */
function firstLineOf(all: readonly TextBuffer[], shown: string | null): number {
  const notice = all.find(({ id }) => id === shown)?.notice;
  return notice?.kind === 'printed' ? notice.line : 0;
}

/** Package and definition at the caret, for the path line and the status bar. */
function notePlace(): void {
  const editor = activeEditor();
  const model = editor?.getModel();
  const position = editor?.getPosition();
  if (!model || !position) {
    buffers.setState({ place: { package: null, definition: null } });
    return;
  }
  const { text, reading } = readingOf(model);
  const caret = model.getOffsetAt(position);
  const form = topLevelForm(reading, caret);
  const around = form && form.start <= caret && caret <= form.end ? definitionIn(text, form) : null;
  const place = { package: packageAt(text, reading, caret), definition: around?.name ?? null };
  const known = buffers.getState().place;
  if (known.package !== place.package || known.definition !== place.definition) buffers.setState({ place });
}

/** The height of a line, 1.54 times the font's size, rounded to an even number of pixels. */
function lineHeightOf(fontSize: number): number {
  return Math.round((fontSize * 1.54) / 2) * 2;
}

function editorOptions(): monaco.editor.IStandaloneEditorConstructionOptions {
  return {
    model: null,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-code').trim(),
    fontLigatures: false,
    automaticLayout: true,
    minimap: { enabled: false },
    folding: true,
    foldingStrategy: 'auto',
    foldingHighlight: false,
    foldingMaximumRegions: 20_000,
    showFoldingControls: 'mouseover',
    glyphMargin: true,
    lineNumbersMinChars: 4,
    lineDecorationsWidth: 14,
    renderLineHighlight: 'line',
    renderWhitespace: 'none',
    renderFinalNewline: 'on',
    scrollBeyondLastLine: false,
    smoothScrolling: false,
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    overviewRulerLanes: 2,
    guides: { indentation: false, bracketPairs: false },
    matchBrackets: 'always',
    stickyScroll: { enabled: false },
    occurrencesHighlight: 'singleFile',
    selectionHighlight: false,
    'semanticHighlighting.enabled': true,
    wordBasedSuggestions: 'off',
    // Enter ends the line whatever is suggested: Tab takes the suggestion, Enter only where the list was asked for.
    acceptSuggestionOnEnter: 'off',
    acceptSuggestionOnCommitCharacter: false,
    quickSuggestions: { other: 'on', comments: 'off', strings: 'off' },
    quickSuggestionsDelay: 30,
    suggest: {
      showIcons: true,
      showStatusBar: false,
      preview: false,
      insertMode: 'replace',
      shareSuggestSelections: false,
    },
    suggestSelection: 'first',
    tabCompletion: 'off',
    parameterHints: { enabled: true, cycle: false },
    hover: { enabled: 'on', delay: 350, sticky: true },
    gotoLocation: { multipleDefinitions: 'peek', multipleReferences: 'peek', alternativeDefinitionCommand: '' },
    wordSeparators: '()"\';`, ',
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false, nonBasicASCII: false },
    links: false,
    autoIndent: 'keep',
    tabSize: 8,
    detectIndentation: false,
    insertSpaces: true,
    fixedOverflowWidgets: true,
    padding: { top: 4, bottom: 8 },
    cursorBlinking: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'solid' : 'blink',
    scrollbar: { verticalScrollbarSize: 8, horizontalScrollbarSize: 8, useShadows: false },
    contextmenu: true,
    readOnlyMessage: { value: 'This text is open to read only.' },
  };
}
