/** The dialog that connects a client: the program, the client's name and token, the configuration, a test, and the client's rights. */
import { useEffect, useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import type { MintedClient } from '#contract/clients/client.ts';
import { clientNameFault } from '#contract/clients/client-name.ts';
import type { ClientKind } from '#contract/clients/connection.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Configurations } from './connect-configurations.tsx';
import { KINDS, kindOf } from './connect-kinds.ts';
import { ClientRights } from './connect-rights.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { ConfigurationBlock } from './connect-block.tsx';
import styles from './connect.module.css';
import clientsStyles from './panel.module.css';

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
      <Text as="p" tone={2}>
        The client joins this image under its own name. You see everything that it does, and effects of its tools and
        its code outside the image need your approval.
      </Text>
      <div className={styles.connect}>
        <RadioGroup
          className={look({ flow: 'stack', padY: 1 }, styles.kinds)}
          aria-label="Client program"
          value={kind}
          onChange={(next) => setKind(next as ClientKind)}
        >
          {KINDS.map((each) => (
            <Radio key={each.kind} value={each.kind} className={look({ flow: 'row', padX: 3, tone: 2 }, styles.kind)}>
              {each.title}
            </Radio>
          ))}
        </RadioGroup>
        <Stack gap={3} padY={3} padX={3} shrink className={styles.body}>
          <PluginLines key={`${kind} plugin`} kind={kind} />
          {minted ? <Connection key={kind} kind={kind} minted={minted} /> : <Naming kind={kind} onMinted={setMinted} />}
        </Stack>
      </div>
    </Dialog>
  );
}

function Naming({ kind, onMinted }: { kind: ClientKind; onMinted: (minted: MintedClient) => void }) {
  // The name follows the chosen program until the person edits it.
  const [typed, setName] = useState<string | null>(null);
  const name = typed ?? kindOf(kind).name;
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const known = useMirror((state) => state.clients).find(
    (each) => each.name.toLowerCase() === name.trim().toLowerCase(),
  );
  const mint = async (): Promise<void> => {
    const fault = clientNameFault(name);
    if (fault !== null) return setError(fault);
    setBusy(true);
    try {
      onMinted(await call('clients.mint', { name }));
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
        description="All lists show the client by this name."
        value={name}
        error={error}
        onChange={(value) => {
          setName(value);
          setError(null);
        }}
        onSubmit={() => void mint()}
      />
      {known ? (
        <Text as="p" font="small" className={styles.note} role="status">
          {known.name} already exists. It gets a new token, and the old one stops working immediately.
        </Text>
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
      <Row as="p" gap="mark" tone={2} className={clientsStyles.shownAs}>
        shown as <ActorMark hue={client.hue} /> <strong>{client.name}</strong>
      </Row>
      <Configurations kind={kind} token={token} />
      <ClientRights id={client.id} />
    </>
  );
}

/** The commands that install the workbench's plugin in the chosen program. This is the shortest way to connect, and needs no token. */
function PluginLines({ kind }: { kind: ClientKind }) {
  const [lines, setLines] = useState<readonly string[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let shown = true;
    call('clients.plugin', { kind }).then(
      (found) => shown && setLines(found?.lines ?? null),
      (error: unknown) => shown && setProblem(messageOf(error)),
    );
    return () => {
      shown = false;
    };
  }, [kind]);
  if (problem) return <p role="alert">{problem}</p>;
  if (!lines) return null;
  const { title } = kindOf(kind);
  const configuration = {
    way: 'stdio',
    title: `Install the plugin: run ${lines.length === 1 ? 'this line' : 'these lines'} in a terminal`,
    text: lines.join('\n'),
    file: null,
    writable: false,
    note: `Each time ${title} starts, it asks to join, and you admit it in the Clients panel. No token is needed. The plugin includes a skill that explains how to work in the image.`,
  } as const;
  return (
    <>
      <ConfigurationBlock kind={kind} token="" configuration={configuration} />
      <Text as="p" font="small-strong" tone={2} className={styles.second}>
        Or use its configuration file
      </Text>
    </>
  );
}
