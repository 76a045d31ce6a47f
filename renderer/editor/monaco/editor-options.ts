/** Options for the Monaco editor. Features for other languages are off. */
import type { Settings } from '#contract/settings.ts';
import { codeFontFamilies } from '../../theme/theme.ts';
import type { monaco } from './monaco.ts';

/** Returns the font options from the settings. The line height is 1.54 times the font size, rounded to an even number of pixels. */
export function fontOptions({
  editorFontSize,
  codeFont,
}: Pick<Settings, 'editorFontSize' | 'codeFont'>): monaco.editor.IEditorOptions {
  return {
    fontSize: editorFontSize,
    lineHeight: Math.round((editorFontSize * 1.54) / 2) * 2,
    fontFamily: codeFontFamilies(codeFont),
  };
}

export function editorOptions(settings: Settings): monaco.editor.IStandaloneEditorConstructionOptions {
  return {
    model: null,
    ...fontOptions(settings),
    wordWrap: settings.wordWrap ? 'on' : 'off',
    wrappingIndent: 'indent',
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
    // If suggestions appeared automatically, Enter always breaks the line and Tab accepts. If the user requested the list, Enter accepts
    // too.
    acceptSuggestionOnEnter: 'off',
    acceptSuggestionOnCommitCharacter: false,
    // In strings, suggestions appear for the names of systems and packages. Lisp completion offers other names there only on request.
    quickSuggestions: { other: 'on', comments: 'off', strings: 'on' },
    quickSuggestionsDelay: 10,
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
    // The gutter shows the state of definitions, so fixes are offered by the hover and by keys only.
    lightbulb: { enabled: 'off' as monaco.editor.ShowLightbulbIconMode },
    gotoLocation: { multipleDefinitions: 'peek', multipleReferences: 'peek', alternativeDefinitionCommand: '' },
    wordSeparators: '()"\';`, ',
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false, nonBasicASCII: false },
    links: false,
    autoIndent: 'keep',
    tabSize: 8,
    detectIndentation: false,
    insertSpaces: true,
    fixedOverflowWidgets: true,
    // The find box lies over the text instead of pushing it down.
    find: { addExtraSpaceOnTop: false },
    padding: { top: 4, bottom: 8 },
    cursorBlinking: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'solid' : 'blink',
    scrollbar: { verticalScrollbarSize: 8, horizontalScrollbarSize: 8, useShadows: false },
    contextmenu: true,
    readOnlyMessage: { value: 'This text is read-only.' },
  };
}
