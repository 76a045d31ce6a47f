/** The editor: tabs, the path of the definition at the caret, notices of the shown text, and one Monaco for all texts. */
import './editor.css';
import { useEffect, useRef } from 'react';
import { runCommand } from '../commands/registry.ts';
import { useMirror } from '../mirror.ts';
import { definitionIn, packageAt, topLevelForm } from '#contract/sexp/forms.ts';
import { keepNow, keepSoon } from '../workspace.ts';
import { installAgentMarks } from './agent-marks.ts';
import { installStateMarks } from './state-marks.ts';
import { activeEditor, readingOf, setActiveEditor } from './active-editor.ts';
import { buffers, carets, modelOf, useBuffers } from './buffers.ts';
import { BufferNoticeBar } from './buffer-notice.tsx';
import { EditorEmpty } from './editor-empty.tsx';
import { installElectricPairs } from './electric-pairs.ts';
import { followDisk } from './files.ts';
import { installIndentation } from './indentation.ts';
import { monaco } from './monaco.ts';

import { installParkedLines } from './parked-lines.ts';
import { PathLine } from './path-line.tsx';
import { useResultMessage } from './results.ts';
import { EditorTabs } from './tabs.tsx';

export function Editor() {
  const isEmpty = useBuffers((state) => state.buffers.length === 0);
  const message = useResultMessage();
  return (
    <section className="region editor" aria-label="Editor" data-region="Editor">
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
    </section>
  );
}

const SETTLE_MS = 120;

/** Commands of ours in the text's context menu. */
const CONTEXT_COMMANDS = [
  ['evaluate.form', 'Evaluate Form'],
  ['evaluate.topLevel', 'Evaluate Top-Level Form'],
  ['editor.agentChange', 'Show What an Agent Changed'],
] as const;

function Text({ hidden }: { hidden: boolean }) {
  const host = useRef<HTMLDivElement>(null);
  const active = useBuffers((state) => state.active);
  const title = useBuffers((state) => state.buffers.find((buffer) => buffer.id === state.active)?.title ?? '');
  const readOnly = useBuffers((state) => state.buffers.find((buffer) => buffer.id === state.active)?.readOnly ?? false);
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
    installIndentation(editor);
    const pairs = installElectricPairs(editor);
    const marks = installAgentMarks(editor);
    const states = installStateMarks(editor);
    const parked = installParkedLines(editor);
    for (const [id, label] of CONTEXT_COMMANDS) {
      editor.addAction({ id, label, contextMenuGroupId: '1_lisp', run: () => runCommand(id) });
    }
    void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
    return () => {
      window.removeEventListener('focus', follow);
      if (timer !== null) clearTimeout(timer);
      for (const each of [moved, typed, left, pairs, marks, states, parked]) each.dispose();
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
    });
  }, [readOnly, title, fontSize]);

  return (
    <div
      ref={host}
      id="editor-text"
      role="tabpanel"
      aria-label={title}
      className="editor-text monaco-component"
      hidden={hidden}
      data-region-focus
    />
  );
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

/** 1.54 lines, rounded to an even number. */
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
    folding: false,
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
    occurrencesHighlight: 'off',
    selectionHighlight: false,
    wordBasedSuggestions: 'off',
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
