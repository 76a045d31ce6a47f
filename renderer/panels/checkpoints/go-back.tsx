/** Going back to a checkpoint: first it is said what that undoes and what it does not, afterwards what came of it. */
import './checkpoints.css';
import type { DefinitionEntries } from '#contract/definition.ts';
import type { CheckpointRecord } from '#contract/session.ts';
import { call } from '../../bridge.ts';
import { hueFor, nameOf } from '../../layout/actors.ts';
import { ask } from '../../layout/ask.tsx';
import { notify } from '../../layout/notices.tsx';
import { mirror, useMirror } from '../../mirror.ts';
import { ActorMark } from '../../ui/mark.tsx';
import { ago, clockTime } from '../../ui/time.ts';
import { backInWords, changesByActor, someNames } from './model.ts';

/** Asks, goes back, and tells. */
export async function goBack({ id, label, at }: CheckpointRecord): Promise<void> {
  const since = await call('definitions.since', { at });
  const { running, parked } = mirror.getState().session;
  const answer = await ask({
    title: `Go back to “${label}”?`,
    text: `The image becomes what it was ${ago(at)}, at ${clockTime(at)}.`,
    more: <WhatIsUndone since={since} busy={running !== null || parked.length > 0} />,
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
    <dl className="undone">
      <dt>Undone</dt>
      <dd>
        {changes.map(({ actor, names }) => {
          const { shown, more } = someNames(names);
          return (
            <p key={actor} className="undone-actor">
              {actor === null ? null : <ActorMark hue={hueFor({ id: actor }, clients)} />}
              <span>
                {actor === null ? 'Code that ran by itself' : sentenceCase(nameOf(actor, clients))} defined{' '}
                <span className="code">{shown}</span>
                {more}
              </span>
            </p>
          );
        })}
        {more > 0 ? <p>{more} earlier changes of definitions</p> : null}
        <p>
          {changes.length === 0
            ? 'Nothing was defined since. Values that were set and systems that were loaded go too.'
            : 'Values that were set and systems that were loaded go too.'}
        </p>
      </dd>
      <dt>Not undone</dt>
      <dd>Files, sockets and other processes stay as they are now. So does your text.</dd>
      <dt>Way back</dt>
      <dd>
        {busy
          ? 'None: something is evaluated, which ends with this. What the image is now cannot be copied meanwhile.'
          : 'What the image is now is kept as a checkpoint, where it can be copied.'}
      </dd>
    </dl>
  );
}

/** A sentence begins with it; names of clients stay as they are. */
function sentenceCase(name: string): string {
  return name === 'you' ? 'You' : name;
}
