/** AI clients: who is known and connected, how each stands, what answers for the person, and what their tools came to. */
import './clients.css';
import { CircleStop, Plus } from 'lucide-react';
import { commandKeys, runCommand } from '../../commands/registry.ts';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useNow } from '../../ui/now.ts';
import { ago } from '../../ui/time.ts';
import { Admissions } from './admissions.tsx';
import { ClientRow } from './client-row.tsx';
import { Granted } from './granted.tsx';
import { Metrics } from './metrics.tsx';

export function Clients() {
  const clients = useMirror((state) => state.clients);
  const server = useMirror((state) => state.server);
  const now = useNow();
  return (
    <section className="region panel" aria-label="Clients" data-region="Clients">
      <header className="panel-head">
        <h2>Clients</h2>
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
        <div className="client-list">
          <ul aria-label="Known clients" data-region-focus>
            {clients.map((client) => (
              <ClientRow key={client.id} client={client} now={now} />
            ))}
          </ul>
          <Granted now={now} />
          <Metrics />
        </div>
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
        {server.refused ? (
          <span className="client-refused" title={server.refused.why}>
            {server.refused.count === 1
              ? 'A request was refused'
              : `${server.refused.count.toLocaleString('en')} requests were refused`}
            , the last {ago(server.refused.at, now)}: {server.refused.why}
          </span>
        ) : null}
      </footer>
    </section>
  );
}
