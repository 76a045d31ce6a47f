/** What a client may do, in which image, and which tools it is told of. Each choice takes effect at once. */
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { ClientMode } from '#contract/client.ts';
import { call } from '../../bridge.ts';
import { orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { Choice } from '../../ui/choice.tsx';

const MODES: readonly { mode: ClientMode; title: string; about: string }[] = [
  { mode: 'observe', title: 'Observe', about: 'Looks up and reads. Changes nothing.' },
  { mode: 'propose', title: 'Propose', about: 'Asks before each evaluation and each change.' },
  { mode: 'collaborate', title: 'Collaborate', about: 'Evaluates at once. Files, processes, network ask.' },
];

export function ClientRights({ id }: { id: string }) {
  const client = useMirror((state) => state.clients).find((each) => each.id === id);
  if (!client) return <p role="alert">This client was revoked meanwhile.</p>;
  return (
    <>
      <RadioGroup
        className="connect-modes"
        value={client.mode}
        onChange={(mode) => void orNotice(call('clients.change', { id, mode: mode as ClientMode }))}
      >
        <Label>What it may do</Label>
        {MODES.map(({ mode, title, about }) => (
          <Radio key={mode} value={mode} className="connect-mode">
            <span className="connect-mode-title">{title}</span>
            <span className="connect-mode-about">{about}</span>
          </Radio>
        ))}
      </RadioGroup>
      <Choice
        label="Where it works"
        value={client.ownImage ? 'own' : 'shared'}
        options={[
          { value: 'shared', title: 'This image' },
          { value: 'own', title: 'Its own image' },
        ]}
        onChange={(where) => void orNotice(call('clients.change', { id, ownImage: where === 'own' }))}
      />
      <Choice
        label="Tools that it is told of"
        value={client.profile}
        options={[
          { value: 'standard', title: 'What most work needs' },
          { value: 'all', title: 'All' },
        ]}
        onChange={(profile) => void orNotice(call('clients.change', { id, profile }))}
      />
    </>
  );
}
