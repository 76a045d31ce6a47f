/** Undoes definitions in an image and updates the journal, so that a replay does not bring undone definitions back. */
import { nameInId } from '#contract/clients/actor-id.ts';
import { knownActor } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import type { LookUpOperation, OperationReply, OperationRequest } from '#core/lisp/messages.ts';
import type { Journal } from '../checkpoints/journal.ts';

type Undone = NonNullable<OperationReply<'undo-definitions'>['result']>['undone'][number];
type LookUp = <Name extends LookUpOperation>(op: Name, fields: OperationRequest<Name>) => Promise<OperationReply<Name>>;

/** The number of events to request, which is enough to find both the undone event and the current one. */
const HISTORY = 100;

/** Removes undone definitions from the journal, and adds the current definitions in their place. */
export async function journalUndone(journal: Journal, undone: readonly Undone[], lookUp: LookUp): Promise<void> {
  for (const { id, name, package: pkg, done } of undone) {
    if (!done || name === null) continue;
    const { events } = await lookUp('definition-history', { package: pkg, name, evaluation: null, limit: HISTORY });
    const gone = events.find((event) => event.id === id);
    if (gone?.text != null) journal.forget(gone.text);
    const now = events.find(({ kind }) => kind === gone?.kind);
    if (now?.text == null || now.operation === 'removed') continue;
    const author = events.findLast(({ text }) => text === now.text)?.actor ?? now.author ?? now.actor;
    if (author === null) continue; // the author is unknown: the definition must not come back as the person's
    journal.put({
      actor: actorOf(author),
      operator: /^\(\s*([^\s()]+)/.exec(now.text)?.[1]?.toUpperCase() ?? '',
      name,
      package: now.readPackage ?? pkg ?? 'COMMON-LISP-USER',
      text: now.text,
      source: null,
    });
  }
}

function actorOf(id: string): Actor {
  return knownActor(id) ?? { id, kind: 'client', name: nameInId(id) };
}
