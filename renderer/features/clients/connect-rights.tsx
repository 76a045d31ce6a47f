/** The rights of a client: its mode, its image, and its tool set. Each choice takes effect immediately. */
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { ClientMode } from '#contract/clients/client.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { useMirror } from '../../base/mirror.ts';
import { Choice } from '../../ui/fields/choice.tsx';
import { Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './connect.module.css';

const MODES: readonly { mode: ClientMode; title: string; about: string }[] = [
  { mode: 'observe', title: 'Observe', about: 'Looks up and reads. Changes nothing.' },
  { mode: 'propose', title: 'Propose', about: 'Asks before each evaluation and each change.' },
  {
    mode: 'collaborate',
    title: 'Collaborate',
    about: 'Evaluates immediately. Asks for files, processes and the network.',
  },
];

export function ClientRights({ id }: { id: string }) {
  const client = useMirror((state) => state.clients).find((each) => each.id === id);
  if (!client) return <p role="alert">This client has been revoked.</p>;
  return (
    <>
      <RadioGroup
        className={look({ flow: 'stack', edge: 'top' }, styles.modes)}
        value={client.mode}
        onChange={(mode) => void orNotice(call('clients.change', { id, mode: mode as ClientMode }))}
      >
        <Label>Permissions</Label>
        {MODES.map(({ mode, title, about }) => (
          <Radio key={mode} value={mode} className={look({ padX: 2, round: 'control' }, styles.mode)}>
            <span>{title}</span>
            <Text tone={2}>{about}</Text>
          </Radio>
        ))}
      </RadioGroup>
      <Choice
        label="Image"
        value={client.ownImage ? 'own' : 'shared'}
        options={[
          { value: 'shared', title: 'This image' },
          { value: 'own', title: 'Its own image' },
        ]}
        onChange={(where) => void orNotice(call('clients.change', { id, ownImage: where === 'own' }))}
      />
      <Choice
        label="Listed tools"
        value={client.profile}
        options={[
          { value: 'standard', title: 'Standard' },
          { value: 'all', title: 'All' },
          { value: 'repl', title: 'No file tools' },
        ]}
        onChange={(profile) => void orNotice(call('clients.change', { id, profile }))}
      />
    </>
  );
}
