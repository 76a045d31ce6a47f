/** Commands that go to what names mean, and show what is known of them. */
import { ArrowLeft, ArrowRight, BookOpen, FileText, Search, TriangleAlert } from 'lucide-react';
import { activeBuffer, buffers } from '../editor/buffers.ts';
import { focusedGroup } from '../editor/groups/groups.ts';
import { showNeighbour, showRecent } from '../editor/tab-switching.ts';
import { runAction, showCompletions } from '../editor/actions.ts';
import { nameAtCaret, nameNearCaret } from '../editor/follow-caret.ts';
import { goToProblem } from '../editor/go-to-problem.ts';
import { canGo, go, rememberPlace } from '../editor/navigation.ts';
import { showSide } from '../base/layout-store.ts';
import { focusedRegion, showRegion } from '../base/regions.ts';
import { clearProblems, problems } from '../features/problems.ts';
import { documented, listReferencesOf, type NamedSymbol, showName } from '../features/documented.ts';
import { sayOfKeys } from '../features/key-state.ts';
import type { Command } from '../features/command-registry.ts';

const withFile = (): true | string => (activeBuffer() ? true : 'with an open file');

const withTwoFiles = (): true | string =>
  focusedGroup(buffers.getState().groups).tabs.length > 1 || 'with two files open';

function action(id: string, title: string, keys: string | undefined, run: string, icon = Search): Command {
  return {
    id,
    title,
    ...(keys === undefined ? {} : { keys, keysIn: 'Editor' }),
    icon,
    when: withFile,
    run: () => {
      if (id === 'go.definition') rememberPlace('left');
      return runAction(run);
    },
  };
}

/** The name at the caret; in the panel Documentation that which it shows. */
function referredName(): NamedSymbol | null {
  return focusedRegion() === 'Documentation' ? documented.getState().name : nameAtCaret();
}

export const goCommands: Command[] = [
  action('go.definition', 'Go to Definition', 'F12', 'editor.action.revealDefinition'),
  action('go.peekDefinition', 'Peek Definition', 'Alt+F12', 'editor.action.peekDefinition'),
  action('go.peekReferences', 'Peek References', 'Alt+Shift+F12', 'editor.action.referenceSearch.trigger'),
  {
    id: 'go.references',
    title: 'Find References',
    keys: 'Shift+F12',
    icon: Search,
    when: () => referredName() !== null || withFile(),
    detail: () => referredName()?.symbol,
    run: () => {
      const name = referredName();
      if (name) listReferencesOf(name);
      else sayOfKeys('There is no name at the caret whose references could be listed.');
    },
  },
  {
    id: 'go.documentation',
    title: 'Documentation of the Name',
    keys: 'Ctrl+Shift+K',
    icon: BookOpen,
    run: () => {
      const name = nameNearCaret();
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
    title: 'Clear Problems of Compilations',
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
    id: 'complete.show',
    title: 'Show Completions',
    keys: 'Ctrl+Space',
    keysIn: 'Editor',
    icon: Search,
    when: withFile,
    run: showCompletions,
  },
  action('complete.parameters', 'Show the Lambda List', 'Ctrl+Shift+Space', 'editor.action.triggerParameterHints'),
  action('complete.hover', 'Show What the Name Means', 'Ctrl+Shift+I', 'editor.action.showHover', BookOpen),
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
