/** Removes a definition from the image: asks the person, then evaluates a form in the REPL as the person. */
import type { DefinitionRecord } from '#contract/image/definition.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { shownPackage } from '../../sexp/packages.ts';
import { ask } from '../../base/notices/ask.tsx';
import { evaluate } from '../../base/image/evaluations.ts';
import { notify } from '../../base/notices/notices.tsx';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { shownName } from './definition-rows.ts';
import { removalOf } from './removal.ts';

/** Asks the person for confirmation, then evaluates the form that removes a definition from a package of the shared image. */
export async function removeDefinition(definition: DefinitionRecord, inPackage: string): Promise<void> {
  const removal = removalOf(definition);
  if (removal === null) return notAWay(definition);
  const answer = await ask({
    title: `Remove ${shownName(definition.name)} from the image?`,
    text: `${removal.consequence} Files do not change. Evaluates in ${shownPackage(inPackage)}: ${removal.form}`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'remove', title: 'Remove', kind: 'danger' },
    ],
  });
  if (answer !== 'remove') return;
  showDock('repl');
  await evaluate({ code: removal.form, origin: 'repl', package: inPackage, source: null, repl: FIRST_REPL });
}

function notAWay({ kind, name }: DefinitionRecord): void {
  notify(`Common Lisp cannot remove the ${kind} ${shownName(name)}.`);
}
