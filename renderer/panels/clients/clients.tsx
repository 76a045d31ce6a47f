/** AI clients: who is known, who is connected, and how to add or revoke one. */
import './clients.css';
import { Plus } from 'lucide-react';
import type { ClientRecord } from '#contract/client.ts';
import { runCommand } from '../../commands/registry.ts';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { ago } from '../../ui/time.ts';
import { Admissions } from './admissions.tsx';
import { revokeClient } from './revoke.ts';

export function Clients() {
  const clients = useMirror((state) => state.clients);
  const server = useMirror((state) => state.server);
  return (
    <section className="region panel" aria-label="Clients" data-region="Clients">
      <header className="panel-head">
        <h2>Clients</h2>
        <IconButton label="Connect an AI client…" onPress={() => runCommand('client.connect')}>
          <Plus className="icon" aria-hidden />
        </IconButton>
      </header>
      <Admissions />
      {clients.length === 0 ? (
        <Empty title="No client is known yet.">
          <p>An AI client that you connect works on this image, and everything it does shows here.</p>
          <Button size="small" onPress={() => runCommand('client.connect')}>
            Connect an AI client…
          </Button>
        </Empty>
      ) : (
        <ul className="client-list">
          {clients.map((client) => (
            <Client key={client.id} client={client} />
          ))}
        </ul>
      )}
      <footer className="client-foot">
        {server.url ? (
          <>
            <span className="section-head">Address</span>
            <span className="code client-address">{server.url}</span>
          </>
        ) : (
          <span>{server.problem ?? 'The server has not started yet.'}</span>
        )}
        {server.notice ? <span>{server.notice}</span> : null}
      </footer>
    </section>
  );
}

function Client({ client }: { client: ClientRecord }) {
  return (
    <li className="client">
      <ActorMark hue={client.hue} />
      <span className="client-name">{client.name}</span>
      <Button size="small" kind="quiet" aria-label={`Revoke ${client.name}`} onPress={() => void revokeClient(client)}>
        Revoke
      </Button>
      <span className="client-state">{stateOf(client)}</span>
    </li>
  );
}

export function stateOf(client: ClientRecord): string {
  if (client.connections > 0) return client.connections === 1 ? 'connected' : `${client.connections} connections`;
  return client.lastSeenAt === null ? 'never connected' : `seen ${ago(client.lastSeenAt)}`;
}
