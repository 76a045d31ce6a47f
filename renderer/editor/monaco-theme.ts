/** Monaco's two themes, made of the tokens. */
import { currentTheme, onThemeChange, token } from '../theme/theme.ts';
import { monaco } from './monaco.ts';

/** Colour of each scope of `language.ts`. */
const RULES: Record<string, string> = {
  '': 'text-1',
  plain: 'text-1',
  operator: 'syn-operator',
  name: 'syn-name',
  string: 'syn-string',
  doc: 'syn-doc',
  comment: 'syn-comment',
  keyword: 'syn-keyword',
  number: 'syn-number',
  special: 'syn-special',
  paren: 'syn-paren',
};

const COLOURS: Record<string, string> = {
  'editor.background': 'surface-2',
  'editor.foreground': 'text-1',
  'editor.lineHighlightBackground': 'line-current',
  'editor.lineHighlightBorder': 'line-current',
  'editor.selectionBackground': 'selection',
  'editor.inactiveSelectionBackground': 'row-selected-idle',
  'editor.selectionHighlightBackground': 'row-selected-idle',
  'editor.wordHighlightBackground': 'row-selected-idle',
  'editor.wordHighlightStrongBackground': 'row-selected-idle',
  'editor.findMatchBackground': 'selection',
  'editor.findMatchHighlightBackground': 'row-selected-idle',
  'editorBracketMatch.background': 'surface-4',
  'editorBracketMatch.border': 'hairline-strong',
  // Parentheses are quiet; one that closes nothing is not.
  'editorBracketHighlight.foreground1': 'syn-paren',
  'editorBracketHighlight.foreground2': 'syn-paren',
  'editorBracketHighlight.foreground3': 'syn-paren',
  'editorBracketHighlight.foreground4': 'syn-paren',
  'editorBracketHighlight.foreground5': 'syn-paren',
  'editorBracketHighlight.foreground6': 'syn-paren',
  'editorBracketHighlight.unexpectedBracket.foreground': 'error',
  'editorCursor.foreground': 'accent',
  'editorLineNumber.foreground': 'text-3',
  'editorLineNumber.activeForeground': 'text-1',
  'editorError.foreground': 'error',
  'editorWarning.foreground': 'warning',
  'editorWidget.background': 'surface-3',
  'editorWidget.foreground': 'text-1',
  'editorWidget.border': 'hairline-strong',
  'editorHoverWidget.background': 'surface-3',
  'editorHoverWidget.foreground': 'text-1',
  'editorHoverWidget.border': 'hairline-strong',
  'input.background': 'surface-2',
  'input.foreground': 'text-1',
  'input.border': 'hairline-strong',
  'input.placeholderForeground': 'text-3',
  'inputOption.activeBackground': 'row-selected',
  'inputOption.activeForeground': 'text-1',
  'inputOption.activeBorder': 'accent',
  'icon.foreground': 'text-2',
  focusBorder: 'accent',
  'menu.background': 'surface-3',
  'menu.foreground': 'text-1',
  'menu.selectionBackground': 'row-selected',
  'menu.selectionForeground': 'text-1',
  'menu.separatorBackground': 'hairline',
  'menu.border': 'hairline-strong',
  'quickInput.background': 'surface-3',
  'quickInput.foreground': 'text-1',
  'list.focusBackground': 'row-selected',
  'list.focusForeground': 'text-1',
  'list.hoverBackground': 'surface-4',
  'scrollbarSlider.background': 'hairline-strong',
  'scrollbarSlider.hoverBackground': 'control-edge',
  'scrollbarSlider.activeBackground': 'control-edge',
  'editorOverviewRuler.border': 'surface-2',
  'widget.shadow': 'shadow-tint',
  'scrollbar.shadow': 'shadow-none',
  foreground: 'text-1',
  errorForeground: 'error',
};

const NAME = 'workbench';

export function startMonacoTheme(): void {
  define();
  onThemeChange(define);
}

function define(): void {
  monaco.editor.defineTheme(NAME, {
    base: currentTheme() === 'light' ? 'vs' : 'vs-dark',
    inherit: false,
    // Monaco knows no weight but bold: editor.css makes of it the weight of defined names.
    rules: Object.entries(RULES).map(([scope, name]) => ({
      token: scope,
      foreground: token(name).slice(1),
      ...(scope === 'name' ? { fontStyle: 'bold' } : {}),
    })),
    colors: Object.fromEntries(Object.entries(COLOURS).map(([key, name]) => [key, token(name)])),
  });
  monaco.editor.setTheme(NAME);
}
