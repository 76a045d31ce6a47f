/** Monaco's two themes, derived from the design tokens. */
import { mirror } from '../../base/mirror.ts';
import { currentTheme, onThemeChange, token } from '../../theme/theme.ts';
import { monaco } from './monaco.ts';

/** The colour of each scope of `language.ts`. */
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
  'editor.findMatchHighlightBorder': 'control-edge',
  'editor.rangeHighlightBackground': 'line-current',
  'editorOverviewRuler.findMatchForeground': 'control-edge',
  'editorBracketMatch.background': 'surface-4',
  'editorBracketMatch.border': 'hairline-strong',
  // A parenthesis without a matching partner.
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
  'editorHoverWidget.statusBarBackground': 'surface-3',
  'editorHoverWidget.highlightForeground': 'accent',
  'editorSuggestWidget.background': 'surface-3',
  'editorSuggestWidget.border': 'hairline-strong',
  'editorSuggestWidget.foreground': 'text-1',
  'editorSuggestWidget.highlightForeground': 'accent',
  'editorSuggestWidget.focusHighlightForeground': 'accent',
  'editorSuggestWidget.selectedBackground': 'row-selected',
  'editorSuggestWidget.selectedForeground': 'text-1',
  'editorSuggestWidget.selectedIconForeground': 'text-1',
  'symbolIcon.classForeground': 'text-2',
  'symbolIcon.functionForeground': 'text-2',
  'symbolIcon.methodForeground': 'text-2',
  'symbolIcon.variableForeground': 'text-2',
  'symbolIcon.constantForeground': 'text-2',
  'symbolIcon.keywordForeground': 'text-2',
  'symbolIcon.moduleForeground': 'text-2',
  'symbolIcon.structForeground': 'text-2',
  'symbolIcon.eventForeground': 'text-2',
  'symbolIcon.snippetForeground': 'text-2',
  'symbolIcon.textForeground': 'text-2',
  'symbolIcon.typeParameterForeground': 'text-2',
  'symbolIcon.enumeratorMemberForeground': 'text-2',
  'peekView.border': 'accent',
  'peekViewEditor.background': 'surface-1',
  'peekViewEditorGutter.background': 'surface-1',
  'peekViewEditor.matchHighlightBackground': 'selection',
  'peekViewResult.background': 'surface-1',
  'peekViewResult.fileForeground': 'text-1',
  'peekViewResult.lineForeground': 'text-2',
  'peekViewResult.matchHighlightBackground': 'selection',
  'peekViewResult.selectionBackground': 'row-selected',
  'peekViewResult.selectionForeground': 'text-1',
  'peekViewTitle.background': 'surface-3',
  'peekViewTitleLabel.foreground': 'text-1',
  'peekViewTitleDescription.foreground': 'text-2',
  'editorInfo.foreground': 'text-2',
  'editorMarkerNavigation.background': 'surface-1',
  'editorGutter.foldingControlForeground': 'text-3',
  'textLink.foreground': 'accent',
  'textLink.activeForeground': 'accent',
  'textCodeBlock.background': 'surface-3',
  'list.activeSelectionBackground': 'row-selected',
  'list.activeSelectionForeground': 'text-1',
  'list.inactiveSelectionBackground': 'row-selected-idle',
  'list.highlightForeground': 'accent',
  'list.focusHighlightForeground': 'accent',
  'badge.background': 'surface-4',
  'badge.foreground': 'text-1',
  'inputValidation.infoBackground': 'surface-3',
  'inputValidation.infoForeground': 'text-1',
  'inputValidation.infoBorder': 'hairline-strong',
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

/** Colours of the program's marks in the overview ruler. */
const MARKS: readonly Mark[] = ['agent-1', 'agent-2', 'agent-3', 'agent-4', 'cautious', 'error'];
type Mark = `agent-${number}` | 'cautious' | 'error';

/** Returns a mark's colour by name, so that existing marks follow the theme. */
export function markColour(name: Mark): monaco.editor.ThemeColor {
  return { id: `workbench.${name}` };
}

/**
 * Colours of parentheses for six depths, after which they repeat. Adjacent colours are distinguishable to people with red-green colour
 * blindness.
 */
const DEPTHS = ['syn-operator', 'syn-number', 'syn-keyword', 'syn-special', 'syn-string', 'syn-name'];

const NAME = 'workbench';

export function startMonacoTheme(): void {
  define();
  onThemeChange(define);
  mirror.subscribe(({ settings }, { settings: before }) => {
    if (settings.parentheses !== before.parentheses) define();
  });
}

function parenthesisColours(): Record<string, string> {
  const isByDepth = mirror.getState().settings.parentheses === 'depth';
  return Object.fromEntries(
    DEPTHS.map((name, depth) => [`editorBracketHighlight.foreground${depth + 1}`, isByDepth ? name : 'syn-paren']),
  );
}

function markColours(): Record<string, string> {
  return Object.fromEntries(MARKS.map((name) => [markColour(name).id, name]));
}

function define(): void {
  monaco.editor.defineTheme(NAME, {
    base: currentTheme() === 'light' ? 'vs' : 'vs-dark',
    inherit: false,
    // A Monaco theme can only make names bold. monaco.css replaces bold with the font weight of defined names.
    rules: Object.entries(RULES).map(([scope, name]) => ({
      token: scope,
      foreground: token(name).slice(1),
      ...(scope === 'name' ? { fontStyle: 'bold' } : {}),
    })),
    colors: Object.fromEntries(
      Object.entries({ ...COLOURS, ...parenthesisColours(), ...markColours() }).map(([key, name]) => [
        key,
        token(name),
      ]),
    ),
  });
  monaco.editor.setTheme(NAME);
}
