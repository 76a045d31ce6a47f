/** The banner while a server other than HTTP is on: its kind, its purpose, and a button that stops it (decision 23). */
import { RadioTower } from 'lucide-react';
import { call } from '../../base/bridge.ts';
import { useMirror } from '../../base/mirror.ts';
import { SERVER_TITLES } from '#contract/clients/server-list.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { bannerWords, openServers, PURPOSES } from '../../features/servers/descriptions.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Text } from '../../ui/layout.tsx';
import styles from './trust-bar.module.css';

export function ServerBar() {
  const servers = useMirror((state) => state.servers);
  return openServers(servers).map((server) => (
    <Row
      key={server.kind}
      as="section"
      fixed
      tone={1}
      surface={1}
      edge="bottom"
      className={styles.trustBar}
      aria-label={`${SERVER_TITLES[server.kind]} is on`}
      role="status"
      data-bar
    >
      <RadioTower className="icon" aria-hidden />
      <Text as="p" grow>
        <strong>{bannerWords(server)}</strong> {PURPOSES[server.kind]}
      </Text>
      <Button size="small" onPress={() => runCommand('servers.show')}>
        Servers…
      </Button>
      <Button
        size="small"
        aria-label={`Stop ${SERVER_TITLES[server.kind]}`}
        onPress={() => void orNotice(call('servers.stop', { kind: server.kind }))}
      >
        Stop
      </Button>
    </Row>
  ));
}
