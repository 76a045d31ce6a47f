/** Commands that go to the definitions of names and show their documentation. */
import { ArrowLeft, ArrowRight, BookOpen, Network, FileText, Search, TriangleAlert, Wrench } from 'lucide-react';
import { activeBuffer, buffers } from '../../editor/text/buffers.ts';
import { focusedGroup } from '../../editor/groups/groups.ts';
import { showNeighbour, showRecent } from '../../editor/groups/tab-switching.ts';
import { runAction, showCompletions } from '../../editor/monaco/actions.ts';
import { askedName, askedNameNear, nameElsewhere } from './asked-name.ts';
import { goToName } from './go-to-name.ts';
import { goToProblem } from '../diagnostics/go-to-problem.ts';
import { canGo, go, rememberPlace } from '../../editor/groups/navigation.ts';
import { showSide } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { clearProblems, problems } from '../diagnostics/problems.ts';
import { listReferencesOf, type NamedSymbol, showName } from '../../base/image/documented.ts';
import { pressInstead } from '../../base/keys/key-listener.ts';
import { sayOfKeys } from '../../base/keys/key-state.ts';
import { inputCaret } from '../../base/image/input-caret.ts';
import type { Command } from '../../base/keys/command-registry.ts';

const withFile = (): true | string => (activeBuffer() ? true : 'with an open file');

const withTwoFiles = (): true | string =>
  focusedGroup(buffers.getState().groups).tabs.length > 1 || 'with two files open';

function action(id: string, title: string, keys: string | undefined, run: string, icon = Search): Command {
  return {
    id,
    title,
    ...(keys === undefined ? {} : { keys, keysIn: 'Editor text' }),
    icon,
    when: withFile,
    run: () => runAction(run),
  };
}

/**
 * Returns a command that runs an editor action on the name at the caret. If the keyboard focus is outside the editor, the command calls
 * `elsewhere` with the name there.
 */
function onName(own: Command, elsewhere: (name: NamedSymbol) => unknown): Command {
  return {
    ...own,
    keysIn: ['Editor text', 'REPL', 'Documentation'],
    when: () => nameElsewhere() !== null || withFile(),
    run: () => {
      const place = nameElsewhere();
      if (!place) return own.run();
      return place.name ? elsewhere(place.name) : sayNoName();
    },
  };
}

function sayNoName(): void {
  sayOfKeys('There is no name at the caret.');
}

/**
 * Shows the documentation of a name in the panel without moving the keyboard focus, because there is no editor text over which it could be
 * shown.
 */
function showBeside(name: NamedSymbol): void {
  showName(name);
  showSide('documentation');
}

/** Shows the documentation of the operator around the caret in the REPL. Used there in place of an editor action about a call. */
function showCallBeside(): void {
  const name = askedNameNear();
  if (name) showBeside(name);
  else sayNoName();
}

export const goCommands: Command[] = [
  onName(
    {
      ...action('go.definition', 'Go to Definition', 'F12', 'editor.action.revealDefinition'),
      run: () => {
        rememberPlace('left');
        return runAction('editor.action.revealDefinition');
      },
    },
    goToName,
  ),
  onName(action('go.peekDefinition', 'Peek Definition', 'Alt+F12', 'editor.action.peekDefinition'), goToName),
  onName(
    action('go.peekReferences', 'Peek References', 'Alt+Shift+F12', 'editor.action.referenceSearch.trigger'),
    listReferencesOf,
  ),
  {
    id: 'go.references',
    title: 'Find References',
    keys: 'Shift+F12',
    icon: Search,
    when: () => nameElsewhere() !== null || withFile(),
    detail: () => askedName()?.symbol,
    run: () => {
      const name = askedName();
      if (name) listReferencesOf(name);
      else sayOfKeys('There is no name at the caret.');
    },
  },
  ...(
    [
      ['xref.callers', 'Callers as a Tree', 'Alt+Shift+H', 'called-by'],
      ['xref.callees', 'Callees as a Tree', 'Alt+Shift+J', 'calls'],
    ] as const
  ).map(([id, title, keys, view]): Command => ({
    id,
    title,
    keys,
    icon: Network,
    when: () => nameElsewhere() !== null || withFile(),
    detail: () => askedNameNear()?.symbol,
    run: () => {
      const name = askedNameNear();
      if (name) listReferencesOf(name, view);
      else sayOfKeys('There is no name at the caret.');
    },
  })),
  {
    id: 'go.documentation',
    title: 'Documentation of the Name',
    keys: 'Ctrl+F1',
    icon: BookOpen,
    run: () => {
      const name = askedNameNear();
      if (name) showName(name);
      showRegion('Documentation', () => showSide('documentation'));
    },
  },
  {
    id: 'go.nextProblem',
    title: 'Next Problem',
    keys: 'F8',
    icon: TriangleAlert,
    when: () => problems.getState().listed.length > 0 || 'with problems',
    run: () => goToProblem(1),
  },
  {
    id: 'go.previousProblem',
    title: 'Previous Problem',
    keys: 'Shift+F8',
    icon: TriangleAlert,
    when: () => problems.getState().listed.length > 0 || 'with problems',
    run: () => goToProblem(-1),
  },
  {
    id: 'go.clearProblems',
    title: 'Clear Compilation Problems',
    icon: TriangleAlert,
    when: () => problems.getState().compiled.size > 0 || 'with problems of a compilation',
    run: clearProblems,
  },
  {
    id: 'go.back',
    title: 'Previous Place',
    keys: 'Alt+ArrowLeft',
    icon: ArrowLeft,
    when: () => canGo(-1) || 'after a jump',
    run: () => go(-1),
  },
  {
    id: 'go.forward',
    title: 'Next Place',
    keys: 'Alt+ArrowRight',
    icon: ArrowRight,
    when: () => canGo(1) || 'after going back',
    run: () => go(1),
  },
  {
    id: 'problem.fix',
    title: 'Quick Fix…',
    keys: 'Alt+Shift+.',
    keysIn: 'Editor text',
    icon: Wrench,
    when: () => problems.getState().listed.length > 0 || 'with problems',
    run: () => runAction('editor.action.quickFix'),
  },
  {
    id: 'complete.show',
    title: 'Show Completions',
    keys: 'Ctrl+Space',
    keysIn: ['Editor text', 'REPL'],
    icon: Search,
    when: () => inputCaret() !== null || withFile(),
    // The REPL's input has its own list of completions.
    run: () => (inputCaret() ? pressInstead('Tab') : showCompletions()),
  },
  {
    ...action('complete.parameters', 'Show the Lambda List', 'Ctrl+Shift+Space', 'editor.action.triggerParameterHints'),
    keysIn: ['Editor text', 'REPL'],
    when: () => inputCaret() !== null || withFile(),
    run: () => (inputCaret() ? showCallBeside() : runAction('editor.action.triggerParameterHints')),
  },
  onName(
    action('complete.hover', 'Show Documentation of the Name', 'Ctrl+Shift+I', 'editor.action.showHover', BookOpen),
    showBeside,
  ),
  action('rename.symbol', 'Rename in This File…', 'F2', 'editor.action.rename'),
  {
    id: 'go.recentTab',
    title: 'Previous File Shown',
    keys: 'Ctrl+Tab',
    icon: FileText,
    when: withTwoFiles,
    run: () => showRecent(1),
  },
  {
    id: 'go.recentTabBack',
    title: 'Previous File Shown, Backwards',
    keys: 'Ctrl+Shift+Tab',
    icon: FileText,
    when: withTwoFiles,
    run: () => showRecent(-1),
  },
  {
    id: 'go.nextTab',
    title: 'Next Tab',
    keys: 'Ctrl+PageDown',
    icon: FileText,
    when: withTwoFiles,
    run: () => showNeighbour(1),
  },
  {
    id: 'go.previousTab',
    title: 'Previous Tab',
    keys: 'Ctrl+PageUp',
    icon: FileText,
    when: withTwoFiles,
    run: () => showNeighbour(-1),
  },
  action('fold.all', 'Fold All', undefined, 'editor.foldAll'),
  action('fold.none', 'Unfold All', undefined, 'editor.unfoldAll'),
];
