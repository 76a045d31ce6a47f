/** The AI clients panel: known and connected clients, their states, the rules that answer for the person, and tool metrics. */
import { CircleStop, Plus } from 'lucide-react';
import { refusedOf, serverOf } from '#contract/clients/server-list.ts';
import { commandKeys, runCommand } from '../../base/keys/command-registry.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useNow } from '../../ui/now.ts';
import { ago } from '../../ui/time.ts';
import { Admissions } from './pairing.tsx';
import { ClientRow } from './client-row.tsx';
import { Granted } from './granted.tsx';
import { Metrics } from './metrics.tsx';
import { Box, Stack, Text } from '../../ui/layout.tsx';
import { Panel } from '../../ui/panels/panel.tsx';
import styles from './panel.module.css';

export function Clients() {
  const clients = useMirror((state) => state.clients);
  const servers = useMirror((state) => state.servers);
  const server = serverOf(servers, 'http');
  const forClients = servers.filter(({ kind }) => kind === 'http' || kind === 'https');
  const addresses = forClients.flatMap(({ address }) => address ?? []);
  const refused = refusedOf(forClients);
  const now = useNow();
  return (
    <Panel
      name="Clients"
      actions={
        <>
          {clients.length === 0 ? null : (
            <IconButton
              label="Stop all agents"
              keys={commandKeys('agents.stop')}
              onPress={() => runCommand('agents.stop')}
            >
              <CircleStop className="icon" aria-hidden />
            </IconButton>
          )}
          <IconButton label="Connect an AI client…" onPress={() => runCommand('client.connect')}>
            <Plus className="icon" aria-hidden />
          </IconButton>
        </>
      }
    >
      <Admissions />
      {clients.length === 0 ? (
        <Empty title="No clients yet.">
          <p>AI clients that you connect work on this image. Everything that they do is shown here.</p>
          <Button size="small" onPress={() => runCommand('client.connect')}>
            Connect an AI client…
          </Button>
        </Empty>
      ) : (
        <Box grow scroll className={styles.list}>
          <ul aria-label="Known clients" data-region-focus>
            {clients.map((client) => (
              <ClientRow key={client.id} client={client} now={now} />
            ))}
          </ul>
          <Granted now={now} />
          <Metrics />
        </Box>
      )}
      <Stack as="footer" gap={1} padY={2} padX={3} fixed font="small" tone={2} edge="top">
        {addresses.length > 0 ? (
          <>
            <Text font="small-strong" tone={2}>
              {addresses.length === 1 ? 'Address' : 'Addresses'}
            </Text>
            {addresses.map((address) => (
              <Text key={address} breaks selectable className="code">
                {address}
              </Text>
            ))}
          </>
        ) : (
          <span>{server?.problem ?? 'The server has not started yet.'}</span>
        )}
        {server?.notice ? <span>{server.notice}</span> : null}
        {refused ? (
          <span title={refused.why}>
            {refused.count === 1
              ? 'A request was refused'
              : `${refused.count.toLocaleString('en')} requests were refused`}
            , the last {ago(refused.at, now)}: {refused.why}
          </span>
        ) : null}
      </Stack>
    </Panel>
  );
}
