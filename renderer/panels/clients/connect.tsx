/** Connecting a client: which program, its name and token, the lines that connect it, a test, and what it may do. */
import './connect.css';
import { useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import { clientName, type MintedClient } from '#contract/client.ts';
import type { ClientKind } from '#contract/connection.ts';
import { call, messageOf } from '../../bridge.ts';
import { closeOverlay } from '../../layout/overlays.ts';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Configurations } from './connect-configurations.tsx';
import { kindOf, KINDS } from './connect-kinds.ts';
import { ClientRights } from './connect-rights.tsx';

export function ConnectClient() {
  const [kind, setKind] = useState<ClientKind>('claude-code');
  const [minted, setMinted] = useState<MintedClient | null>(null);
  return (
    <Dialog
      title="Connect an AI client"
      size="wide"
      onClose={closeOverlay}
      actions={
        <Button size="large" kind={minted ? 'primary' : 'plain'} onPress={closeOverlay}>
          {minted ? 'Done' : 'Cancel'}
        </Button>
      }
    >
      <p className="dialog-text">
        It joins this image as itself: you see what it does, and what would leave the image waits for you, whether a
        tool does it or code that it evaluates.
      </p>
      <div className="connect">
        <RadioGroup
          className="connect-kinds"
          aria-label="Client program"
          value={kind}
          onChange={(next) => setKind(next as ClientKind)}
        >
          {KINDS.map((each) => (
            <Radio key={each.kind} value={each.kind} className="connect-kind">
              {each.title}
            </Radio>
          ))}
        </RadioGroup>
        <div className="connect-body">
          {minted ? <Connection key={kind} kind={kind} minted={minted} /> : <Naming kind={kind} onMinted={setMinted} />}
        </div>
      </div>
    </Dialog>
  );
}

function Naming({ kind, onMinted }: { kind: ClientKind; onMinted: (minted: MintedClient) => void }) {
  // Until the person types one, the name follows the program that they choose.
  const [typed, setName] = useState<string | null>(null);
  const name = typed ?? kindOf(kind).name;
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const known = useMirror((state) => state.clients).find(
    (each) => each.name.toLowerCase() === name.trim().toLowerCase(),
  );
  const mint = async (): Promise<void> => {
    const parsed = clientName.safeParse(name);
    if (!parsed.success) {
      setError(parsed.error.issues[0]?.message ?? 'This name cannot be used.');
      return;
    }
    setBusy(true);
    try {
      onMinted(await call('clients.mint', { name: parsed.data }));
    } catch (problem) {
      setError(messageOf(problem));
      setBusy(false);
    }
  };
  return (
    <>
      <TextField
        autoFocus
        label="Client name"
        description="Every list shows it by this name."
        value={name}
        error={error}
        onChange={(value) => {
          setName(value);
          setError(null);
        }}
        onSubmit={() => void mint()}
      />
      {known ? (
        <p className="connect-note" role="status">
          {known.name} is known already. It gets a new token, and the old one stops working at once.
        </p>
      ) : null}
      <div>
        <Button kind="primary" isDisabled={busy} onPress={() => void mint()}>
          Continue
        </Button>
      </div>
    </>
  );
}

function Connection({ kind, minted: { client, token } }: { kind: ClientKind; minted: MintedClient }) {
  return (
    <>
      <p className="dialog-text shown-as">
        shown as <ActorMark hue={client.hue} /> <strong>{client.name}</strong>
      </p>
      <Configurations kind={kind} token={token} />
      <ClientRights id={client.id} />
    </>
  );
}
