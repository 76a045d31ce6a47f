/** The lines that install the plugin of the workbench in the chosen program: the shortest way to connect it, without a token. */
import { useEffect, useState } from 'react';
import type { ClientKind } from '#contract/clients/connection.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { Text } from '../../ui/layout.tsx';
import { ConfigurationBlock } from './connect-block.tsx';
import { kindOf } from './connect-kinds.ts';
import styles from './connect.module.css';

export function PluginLines({ kind }: { kind: ClientKind }) {
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
    note: `Each time ${title} starts, it asks to join, and you let it in from the Clients panel: no token is needed. The plugin includes a skill that explains how to work in the image.`,
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
