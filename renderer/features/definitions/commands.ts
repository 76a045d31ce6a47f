/** The commands on definitions: undo, review, export. */
import { CheckCheck, Diff, FileDown, Trash2, Undo2 } from 'lucide-react';
import type { DefinitionRecord } from '#contract/image/definition.ts';
import { focusedRegion } from '../../base/layout/regions.ts';
import { askedName } from '../documentation/asked-name.ts';
import { removeDefinition } from './remove.ts';
import { knownDefinitions } from '../../base/image/names.ts';
import { call } from '../../base/bridge.ts';
import { markAtCaret, showMark } from './marks/agent-marks.ts';
import { nameOf } from '../../base/actors.ts';
import { mirror } from '../../base/mirror.ts';
import { chosen, type Chosen } from './panel/selection.ts';
import { showDifference } from './show-difference.tsx';
import { exportDefinitions } from './export-definitions.ts';
import { shownName } from './definition-rows.ts';
import { undoDefinitions } from './undo.tsx';
import type { Command } from '../../base/keys/command-registry.ts';

export const definitionCommands: Command[] = [
  {
    id: 'definitions.undo',
    title: 'Undo This Definition…',
    keys: 'Ctrl+Alt+Z',
    keysIn: 'Definitions',
    icon: Undo2,
    when: () => undoable(({ definition }) => definition.event),
    detail: nameOfChosen,
    run: () => {
      const { definition } = chosen()!;
      return undoDefinitions({ events: [definition.event!], of: null }, `Undo ${shownName(definition.name)}?`);
    },
  },
  {
    id: 'definitions.undoEvaluation',
    title: 'Undo All of This Evaluation…',
    icon: Undo2,
    when: () => undoable(({ definition }) => definition.evaluation),
    detail: whoseEvaluation,
    run: () =>
      undoDefinitions(
        { events: null, of: chosen()!.definition.evaluation },
        `Undo all definitions of ${whoseEvaluation() ?? 'this evaluation'}?`,
      ),
  },
  {
    id: 'definitions.undefine',
    title: 'Remove Definition from the Image…',
    keys: 'Delete',
    keysIn: 'Definitions',
    icon: Trash2,
    when: () => {
      if (!toRemove()) return 'with a definition selected in Definitions, or its name at the caret';
      return mirror.getState().session.running === null ? true : 'while no evaluation is running';
    },
    detail: () => {
      const found = toRemove();
      return found ? shownName(found.definition.name) : undefined;
    },
    run: () => {
      const { definition, package: inPackage } = toRemove()!;
      return removeDefinition(definition, inPackage);
    },
  },
  {
    id: 'definitions.review',
    title: 'Mark as Reviewed',
    icon: CheckCheck,
    when: () => (chosen()?.waiting ? true : 'with an unreviewed definition by an agent'),
    detail: nameOfChosen,
    run: () => {
      const { life, id } = chosen()!.waiting!;
      return call('definitions.review', { events: [{ life, id }], reviewed: true });
    },
  },
  {
    id: 'definitions.difference',
    title: 'Show the Difference…',
    icon: Diff,
    when: () => {
      const now = chosen();
      if (!now) return 'with a definition selected in Definitions';
      return (now.waiting?.id ?? now.definition.event) === null ? 'for definitions evaluated in this image' : true;
    },
    detail: nameOfChosen,
    run: () => {
      const { definition, waiting } = chosen()!;
      const { name, actor, time } = waiting ?? definition;
      return showDifference({ event: waiting?.id ?? definition.event!, name, actor, time, waits: waiting !== null });
    },
  },
  {
    id: 'editor.agentChange',
    title: 'Show What an Agent Changed',
    icon: Diff,
    when: () => (markAtCaret() ? true : 'in a definition that an agent changed in the image'),
    run: () => showMark(markAtCaret()!),
  },
  {
    id: 'definitions.export',
    title: 'Export Definitions…',
    icon: FileDown,
    when: () => (mirror.getState().session.pid === null ? 'with an image' : true),
    run: () => exportDefinitions(null),
  },
];

/** Returns the chosen definition while Definitions has the focus, otherwise the definition of the name at the caret. */
function toRemove(): { readonly definition: DefinitionRecord; readonly package: string } | null {
  if (focusedRegion() === 'Definitions') return chosen();
  const name = askedName();
  const known = name ? knownDefinitions(name.symbol, name.package) : [];
  return known.find(({ definition: { kind } }) => kind !== 'method') ?? chosen();
}

/**
 * Returns true if the chosen definition can be undone, otherwise text that explains when it can. An undo would have to wait for running
 * code, so it is unavailable while code runs.
 */
function undoable(of: (definition: Chosen) => unknown): true | string {
  const now = chosen();
  if (!now) return 'with a definition selected in Definitions';
  if (of(now) === null) return 'for definitions evaluated in this image';
  return mirror.getState().session.running === null ? true : 'while no evaluation is running';
}

function nameOfChosen(): string | undefined {
  const now = chosen();
  return now ? shownName(now.definition.name) : undefined;
}

function whoseEvaluation(): string | undefined {
  const actor = chosen()?.definition.actor;
  if (actor == null) return undefined;
  return actor === 'person' ? 'your evaluation' : `${nameOf(actor, mirror.getState().clients)}’s evaluation`;
}
