/** A text for a client's configuration, to copy, or to write into the configuration file after the person has seen the change. */
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import type { DiffLine } from '#contract/decisions/approval.ts';
import type { ClientKind, Configuration, ConfigurationPlan } from '#contract/clients/connection.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Box, Row, Stack, Text } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import styles from './copy-block.module.css';
import connectStyles from './connect.module.css';

export interface ConfigurationBlockProps {
  kind: ClientKind;
  token: string;
  configuration: Configuration;
}

export function ConfigurationBlock({ kind, token, configuration }: ConfigurationBlockProps) {
  const { way, title, text, file, writable, note } = configuration;
  const [plan, setPlan] = useState<ConfigurationPlan | null>(null);
  const [told, setTold] = useState<{ text: string; failed: boolean } | null>(null);
  const [copied, setCopied] = useState(false);
  const name = file === null ? title : `${title} ${file}`;
  const orTold = async (action: Promise<void>): Promise<void> => {
    setTold(null);
    await action.catch((error: unknown) => {
      setPlan(null);
      setTold({ text: messageOf(error), failed: true });
    });
  };
  const read = async (): Promise<void> => {
    const found = await call('clients.planConfiguration', { kind, way, token });
    if (found.same) setTold({ text: 'The file already contains this configuration.', failed: false });
    else setPlan(found);
  };
  const write = async ({ digest }: ConfigurationPlan): Promise<void> => {
    const { backup } = await call('clients.writeConfiguration', { kind, way, token, digest });
    setPlan(null);
    const kept = backup === null ? 'The file was created.' : `The previous file is saved as ${backup}.`;
    setTold({ text: `Written. ${kept} Start the client again.`, failed: false });
  };
  const copy = async (): Promise<void> => {
    await call('app.copy', { text });
    setCopied(true);
  };
  return (
    <Stack gap={1}>
      <Box font="small" tone={2}>
        {title}{' '}
        {file === null ? null : (
          <Text breaks selectable className="code">
            {file}
          </Text>
        )}
      </Box>
      <Row align="start" gap={2} padY={2} padX={2} surface={1} round="control" className={styles.copyBox}>
        <Text
          as="pre"
          padY="half"
          padX={1}
          grow
          scroll
          selectable
          className={classes('code', styles.copyText)}
          tabIndex={0}
          role="group"
          aria-label={name}
        >
          {text}
        </Text>
        <Row align="stretch" gap={1}>
          <Button
            size="small"
            aria-label={`${copied ? 'Copied' : 'Copy'} ${title}`}
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
          {writable && !plan ? (
            <Button size="small" aria-label={`Write into ${file}…`} onPress={() => void orTold(read())}>
              Write…
            </Button>
          ) : null}
        </Row>
      </Row>
      {note ? (
        <Text as="p" font="small" className={connectStyles.note}>
          {note}
        </Text>
      ) : null}
      {plan ? (
        <Stack gap={1} role="group" aria-label={`What would change in ${plan.file}`}>
          <Text as="p" font="small" className={connectStyles.note}>
            {plan.change.bytesBefore === null ? 'A new file' : 'What would change'}: {plan.change.added} lines added,{' '}
            {plan.change.removed} removed
          </Text>
          {plan.closes ? (
            <Text as="p" font="small" tone="cautious" className={connectStyles.note}>
              Other users can read this file now. Because it will contain the token, it will be readable only by you.
            </Text>
          ) : null}
          <Diff plan={plan} />
          <Row align="stretch" justify="end" gap={1}>
            <Button size="small" onPress={() => setPlan(null)}>
              Cancel
            </Button>
            <Button size="small" kind="primary" onPress={() => void orTold(write(plan))}>
              Write
            </Button>
          </Row>
        </Stack>
      ) : null}
      {told ? (
        <p
          className={told.failed ? connectStyles.failed : look({ font: 'small' }, connectStyles.note)}
          role={told.failed ? 'alert' : 'status'}
        >
          {told.text}
        </p>
      ) : null}
    </Stack>
  );
}

const SIGNS: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−' };

function Diff({ plan: { file, change } }: { plan: ConfigurationPlan }) {
  if (change.withoutDiff)
    return (
      <Text as="p" font="small" className={connectStyles.note}>
        {change.withoutDiff}
      </Text>
    );
  return (
    <Text
      as="pre"
      padY={1}
      scroll
      selectable
      className={classes('code', connectStyles.diff)}
      tabIndex={0}
      role="group"
      aria-label={`Change of ${file}`}
    >
      {change.hunks.flatMap(({ lines }, hunk) =>
        lines.map((line, index) => (
          <span
            key={`${hunk}:${index}`}
            className={look({ padX: 2 }, connectStyles.line, connectStyles[`connect-${line.kind}`])}
          >
            {`${SIGNS[line.kind]} ${line.text}\n`}
          </span>
        )),
      )}
    </Text>
  );
}
