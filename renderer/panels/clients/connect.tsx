/** Connecting a client: a name, then its token and the lines that connect it, shown once. */
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { clientName, type MintedClient } from '#contract/client.ts';
import { call, messageOf } from '../../bridge.ts';
import { orNotice } from '../../layout/notices.tsx';
import { closeOverlay } from '../../layout/overlays.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { TextField } from '../../ui/text-field.tsx';

export function ConnectClient() {
  const [minted, setMinted] = useState<MintedClient | null>(null);
  return minted ? <Connection minted={minted} /> : <Naming onMinted={setMinted} />;
}

function Naming({ onMinted }: { onMinted: (minted: MintedClient) => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
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
    <Dialog
      title="Connect an AI client"
      onClose={closeOverlay}
      actions={
        <>
          <Button size="large" onPress={closeOverlay}>
            Cancel
          </Button>
          <Button size="large" kind="primary" isDisabled={busy} onPress={() => void mint()}>
            Continue
          </Button>
        </>
      }
    >
      <p className="dialog-text">
        It joins this image as itself: you see what it does, and what would leave the image waits for you, whether a
        tool does it or code that it evaluates.
      </p>
      <TextField
        autoFocus
        label="Client name"
        placeholder="claude-code"
        description="Every list shows it by this name."
        value={name}
        error={error}
        onChange={(value) => {
          setName(value);
          setError(null);
        }}
        onSubmit={() => void mint()}
      />
    </Dialog>
  );
}

function Connection({ minted: { client, token, configurations } }: { minted: MintedClient }) {
  return (
    <Dialog
      title={`Connect ${client.name}`}
      onClose={closeOverlay}
      actions={
        <Button size="large" kind="primary" onPress={closeOverlay}>
          Done
        </Button>
      }
    >
      <p className="dialog-text shown-as">
        shown as <ActorMark hue={client.hue} /> <strong>{client.name}</strong>
      </p>
      <CopyBlock title="Token, shown only now" file={null} text={token} />
      {configurations.map((configuration) => (
        <CopyBlock key={configuration.title} {...configuration} />
      ))}
    </Dialog>
  );
}

function CopyBlock({ title, file, text }: MintedClient['configurations'][number]) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await call('app.copy', { text });
    setCopied(true);
  };
  return (
    <div className="copy-block">
      <div className="copy-title">
        {title}
        {file ? (
          <>
            {' '}
            <span className="code">{file}</span>
          </>
        ) : null}
      </div>
      <div className="copy-box">
        <pre className="code copy-text" tabIndex={0} aria-label={title}>
          {text}
        </pre>
        <Button
          size="small"
          aria-label={`Copy ${title}`}
          icon={
            copied ? (
              <Check className="icon-small good-mark" aria-hidden />
            ) : (
              <Copy className="icon-small" aria-hidden />
            )
          }
          onPress={() => void orNotice(copy())}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
