/** The editor's built-in keys, for the list of all keys. */
import { activeEditor } from '../groups/active-editor.ts';

export interface OwnKey {
  readonly id: string;
  readonly title: string;
  readonly keys: string;
}

/** The properties of the editor's internal key table that are used here. */
interface KeybindingService {
  getKeybindings(): readonly {
    readonly command: string | null;
    readonly resolvedKeybinding?: { getDispatchChords(): (string | null)[] };
  }[];
}

/** Names for editor commands that have none. */
const TITLES: Readonly<Record<string, string>> = {
  cursorLeft: 'Left',
  cursorRight: 'Right',
  cursorUp: 'Up',
  cursorDown: 'Down',
  cursorLeftSelect: 'Select Left',
  cursorRightSelect: 'Select Right',
  cursorUpSelect: 'Select Up',
  cursorDownSelect: 'Select Down',
  cursorHome: 'Start of Line',
  cursorHomeSelect: 'Select to Start of Line',
  cursorEnd: 'End of Line',
  cursorEndSelect: 'Select to End of Line',
  cursorTop: 'Start of Text',
  cursorTopSelect: 'Select to Start of Text',
  cursorBottom: 'End of Text',
  cursorBottomSelect: 'Select to End of Text',
  cursorPageDown: 'Page Down',
  cursorPageUp: 'Page Up',
  cursorPageDownSelect: 'Select Page Down',
  cursorPageUpSelect: 'Select Page Up',
  cursorWordLeft: 'Word Left',
  cursorWordEndRight: 'Word Right',
  cursorWordLeftSelect: 'Select Word Left',
  cursorWordEndRightSelect: 'Select Word Right',
  cursorUndo: 'Undo Caret',
  cursorColumnSelectDown: 'Select Column Down',
  cursorColumnSelectUp: 'Select Column Up',
  cursorColumnSelectLeft: 'Select Column Left',
  cursorColumnSelectRight: 'Select Column Right',
  scrollLineDown: 'Scroll Line Down',
  scrollLineUp: 'Scroll Line Up',
  scrollPageDown: 'Scroll Page Down',
  scrollPageUp: 'Scroll Page Up',
  'editor.action.selectAll': 'Select All',
  removeSecondaryCursors: 'Remove Secondary Carets',
  cancelSelection: 'Cancel Selection',
  expandLineSelection: 'Select Line',
  deleteLeft: 'Delete Left',
  deleteRight: 'Delete Right',
  undo: 'Undo',
  redo: 'Redo',
  acceptSelectedSuggestion: 'Accept the Suggestion',
  selectNextSuggestion: 'Next Suggestion',
  selectPrevSuggestion: 'Previous Suggestion',
  hideSuggestWidget: 'Close Suggestions',
  closeFindWidget: 'Close Search',
  closeParameterHints: 'Close the Lambda List',
  jumpToNextSnippetPlaceholder: 'Next Snippet Placeholder',
  jumpToPrevSnippetPlaceholder: 'Previous Snippet Placeholder',
  toggleFindRegex: 'Search by Regular Expression',
  toggleFindCaseSensitive: 'Match Case',
  toggleFindWholeWord: 'Match Whole Words',
};

/** Monaco's names for keys. */
const KEYS: Readonly<Record<string, string>> = {
  LeftArrow: 'ArrowLeft',
  RightArrow: 'ArrowRight',
  UpArrow: 'ArrowUp',
  DownArrow: 'ArrowDown',
};

/** Returns the editor's keys, with the titles of their actions. `titleOf` returns the titles of the program's own commands. */
export function ownKeys(titleOf: (command: string) => string | undefined): OwnKey[] {
  const editor = activeEditor();
  const service = (editor as { _standaloneKeybindingService?: KeybindingService } | null)?._standaloneKeybindingService;
  if (!editor || !service) return [];
  // Monaco prefixes the actions of a single editor with that editor's id.
  const plain = (id: string): string => id.replace(/^vs\.editor\.[^:]*:\d+:/, '');
  const actions = new Map(editor.getSupportedActions().map(({ id, label }) => [plain(id), label]));
  const found = new Map<string, OwnKey>();
  for (const { command, resolvedKeybinding } of service.getKeybindings()) {
    const chords = resolvedKeybinding?.getDispatchChords() ?? [];
    const id = plain(command ?? '');
    const program = id.startsWith('keys.') ? titleOf(id.slice('keys.'.length)) : undefined;
    const title = program ?? TITLES[id] ?? actions.get(id);
    if (title === undefined || title === '' || chords.length === 0 || chords.some((chord) => chord === null)) continue;
    const keys = chords.map((chord) => keysOf(chord!)).join(' ');
    found.set(`${id} ${keys}`, { id, title, keys });
  }
  return [...found.values()];
}

function keysOf(chord: string): string {
  const parts = /^((?:(?:ctrl|shift|alt|meta)\+)*)(.+)$/.exec(chord);
  const [, held = '', key = chord] = parts ?? [];
  return [
    ...(held.includes('ctrl+') ? ['Control'] : []),
    ...(held.includes('meta+') ? ['Ctrl'] : []),
    ...(held.includes('alt+') ? ['Alt'] : []),
    ...(held.includes('shift+') ? ['Shift'] : []),
    KEYS[key] ?? key,
  ].join('+');
}
