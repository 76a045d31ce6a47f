/** Clients without a token that wait: what each says it is, and the answers: not at all, into an image of its own, into this one. Nothing is chosen by itself. */
import './admissions.css';
import { useState } from 'react';
import { clientName, type Admission } from '#contract/client.ts';
import { call, messageOf, on } from '../../bridge.ts';
import { runCommand } from '../../commands/registry.ts';
import { notify, orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';

export function Admissions() {
  const admissions = useMirror((state) => state.admissions);
  if (admissions.length === 0) return null;
  return (
    <ul className="admissions" aria-label="Clients that want to join">
      {admissions.map((admission) => (
        <Waiting key={admission.id} admission={admission} />
      ))}
    </ul>
  );
}

/** Says once that somebody waits, wherever the person is. */
export function announceAdmissions(): void {
  const known = new Set<string>();
  on('admissions-changed', (admissions) => {
    for (const { id, label } of admissions) {
      if (known.has(id)) continue;
      known.add(id);
      const show = async (): Promise<void> => runCommand('view.clients');
      notify(`${label} wants to join this image and has no token.`, 'info', { title: 'Decide', run: show });
    }
  });
}

function Waiting({ admission: { id, label, process } }: { admission: Admission }) {
  const [name, setName] = useState(() => suggested(label));
  const [error, setError] = useState<string | null>(null);
  const admit = async (ownImage: boolean): Promise<void> => {
    const parsed = clientName.safeParse(name);
    if (!parsed.success) return setError(parsed.error.issues[0]?.message ?? 'This name cannot be used.');
    await call('clients.admit', { id, name: parsed.data, ownImage }).catch((problem: unknown) =>
      setError(messageOf(problem)),
    );
  };
  return (
    <li className="admission" aria-label={`${label} wants to join`}>
      <p className="admission-head">
        <strong>{label}</strong> wants to join. It has no token, so the name is only what it says.
      </p>
      {process ? (
        <p className="admission-process code">
          {process.pid} {process.command}
          {process.startedBy ? (
            <>
              <br />
              started by {process.startedBy}
            </>
          ) : null}
        </p>
      ) : null}
      <TextField
        label="Let it in as"
        value={name}
        error={error}
        onChange={(value) => {
          setName(value);
          setError(null);
        }}
      />
      <div className="admission-actions">
        <Button size="small" onPress={() => void orNotice(call('clients.refuse', { id }))}>
          Refuse
        </Button>
        <Button size="small" onPress={() => void admit(true)}>
          Own image
        </Button>
        <Button size="small" onPress={() => void admit(false)}>
          Let in
        </Button>
      </div>
    </li>
  );
}

/** What of the label can be a name. */
function suggested(label: string): string {
  const name = label
    .replaceAll(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 40)
    .trim();
  return name === '' ? 'client' : name;
}
