/** The step that configures the chosen program to connect by a command or over HTTP, with texts to copy or write, and a test. */
import { useEffect, useState } from 'react';
import type { ClientKind, Configuration, ConnectionWay } from '#contract/clients/connection.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { Choice } from '../../ui/fields/choice.tsx';
import { ConfigurationBlock } from './connect-block.tsx';
import { ConnectionTest } from './connect-test.tsx';
import { Text } from '../../ui/layout.tsx';
import styles from './connect.module.css';

const WAYS = {
  stdio: { title: 'Command', about: 'The client starts a command that connects to this window. No port is needed.' },
  http: { title: 'HTTP', about: 'The client connects to the address of this window, which must be open first.' },
};

export function Configurations({ kind, token }: { kind: ClientKind; token: string }) {
  const [configurations, setConfigurations] = useState<readonly Configuration[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [chosen, setWay] = useState<ConnectionWay>('stdio');
  useEffect(() => {
    let shown = true;
    call('clients.configurations', { kind, token }).then(
      (found) => shown && setConfigurations(found),
      (error: unknown) => shown && setProblem(messageOf(error)),
    );
    return () => {
      shown = false;
    };
  }, [kind, token]);
  const ways = [...new Set(configurations.map(({ way }) => way))];
  const way = ways.includes(chosen) ? chosen : ways[0];
  return (
    <>
      <Block title="Token (shown only once)" text={token} />
      {problem ? <p role="alert">{problem}</p> : null}
      {way && ways.length > 1 ? (
        <Choice
          label="Connection"
          value={way}
          options={ways.map((value) => ({ value, title: WAYS[value].title }))}
          onChange={setWay}
        />
      ) : null}
      {way ? (
        <>
          <Text as="p" font="small" className={styles.note}>
            {WAYS[way].about}
          </Text>
          {configurations
            .filter((each) => each.way === way)
            .map((configuration) => (
              <ConfigurationBlock key={configuration.title} {...{ kind, token, configuration }} />
            ))}
          <ConnectionTest key={way} {...{ token, way }} />
        </>
      ) : null}
    </>
  );
}

function Block({ title, text }: { title: string; text: string }) {
  const configuration = { way: 'stdio', title, text, file: null, writable: false, note: null } as const;
  return <ConfigurationBlock kind="other" token={text} configuration={configuration} />;
}
