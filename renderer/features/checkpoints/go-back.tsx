/**
 * Going back to a checkpoint. A dialog first explains what going back undoes and what it does not undo; a notice then reports the outcome.
 */
import type { DefinitionEntries } from '#contract/image/definition.ts';
import type { CheckpointRecord } from '#contract/image/session.ts';
import { call } from '../../base/bridge.ts';
import { hueFor, nameOf } from '../../base/actors.ts';
import { ask } from '../../base/notices/ask.tsx';
import { notify } from '../../base/notices/notices.tsx';
import { mirror, useMirror } from '../../base/mirror.ts';
import { ActorMark } from '../../ui/mark.tsx';
import { ago, clockTime } from '../../ui/time.ts';
import { backInWords, changesByActor, someNames } from './descriptions.ts';
import { Row } from '../../ui/layout.tsx';
import { Facts } from '../../ui/panels/facts.tsx';
import styles from './go-back.module.css';

/** Asks, goes back, and reports the outcome. */
export async function goBack({ id, label, at }: CheckpointRecord): Promise<void> {
  const since = await call('definitions.since', { at });
  const { running, suspended } = mirror.getState().session;
  const answer = await ask({
    title: `Go back to “${label}”?`,
    text: `The image returns to its state of ${ago(at)}, at ${clockTime(at)}.`,
    more: <WhatIsUndone since={since} busy={running !== null || suspended.length > 0} />,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'back', title: 'Go back', kind: 'danger' },
    ],
  });
  if (answer !== 'back') return;
  const { missing } = await call('session.rewind', { id });
  notify(backInWords(label, missing));
}

function WhatIsUndone({ since: { entries, more }, busy }: { since: DefinitionEntries; busy: boolean }) {
  const clients = useMirror((state) => state.clients);
  const changes = changesByActor(entries);
  return (
    <Facts className={styles.undone}>
      <dt>Undone</dt>
      <dd>
        {changes.map(({ actor, names }) => {
          const { shown, more } = someNames(names);
          return (
            <Row key={actor} as="p" align="baseline" gap="mark" className={styles.undoneActor}>
              {actor === null ? null : <ActorMark hue={hueFor({ id: actor }, clients)} />}
              <span>
                {actor === null ? 'Code that ran automatically' : sentenceCase(nameOf(actor, clients))} defined{' '}
                <span className="code">{shown}</span>
                {more}
              </span>
            </Row>
          );
        })}
        {more > 0 ? <p>{more} earlier changes of definitions</p> : null}
        <p>
          {changes.length === 0
            ? 'Nothing was defined since. Values that were set and systems that were loaded are undone.'
            : 'Values that were set and systems that were loaded are also undone.'}
        </p>
      </dd>
      <dt>Not undone</dt>
      <dd>Files, sockets, other processes and your text do not change.</dd>
      <dt>Way back</dt>
      <dd>
        {busy
          ? 'None. The current image cannot be saved, because an evaluation is running; going back ends it.'
          : 'The current image is saved as a checkpoint, if it can be copied.'}
      </dd>
    </Facts>
  );
}

/** Capitalizes a name at the start of a sentence, but leaves the names of clients unchanged. */
function sentenceCase(name: string): string {
  return name === 'you' ? 'You' : name;
}
