/** One server in the dialog: its state, its address, its port setting, and the actions on it. */
import { useState } from 'react';
import type { ServerRecord } from '#contract/clients/server.ts';
import { SERVER_TITLES } from '#contract/clients/server-list.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { Ring, StateDot } from '../../ui/mark.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Certificate } from './certificate.tsx';
import { portOf, PURPOSES, refusedWords, stateWords } from './descriptions.ts';
import styles from './servers.module.css';

export function ServerRow({ server, now }: { server: ServerRecord; now: number }) {
  const { kind, state, address, usualPort, certificate, problem, notice, refused, offers } = server;
  const title = SERVER_TITLES[kind];
  const [text, setText] = useState(String(usualPort));
  const port = portOf(text);
  const canStart = state === 'off' || state === 'failed';
  const start = (): void => {
    if (port !== null) void orNotice(call('servers.start', { kind, port }));
  };
  return (
    <Stack as="li" gap={1} aria-label={title}>
      <Row gap={2} align="start" className={styles.head}>
        <Stack grow>
          <Row gap={2}>
            {state === 'starting' ? <Ring /> : <StateDot live={state === 'on'} />}
            <Text font="base-strong" tone={1}>
              {title}
            </Text>
            <Text font="small" tone={2} role="status">
              {stateWords(server, now)}
            </Text>
          </Row>
          <Text font="small" tone={2}>
            {PURPOSES[kind]}
          </Text>
        </Stack>
        {canStart ? (
          <>
            <div className={styles.port}>
              <TextField
                label={`Port of ${title}`}
                value={text}
                onChange={setText}
                onSubmit={start}
                error={port === null ? 'Enter a number up to 65535, or 0 for any free port.' : null}
              />
            </div>
            <Button aria-label={`Start ${title}`} isDisabled={port === null} onPress={start}>
              Start
            </Button>
          </>
        ) : (
          <Button aria-label={`Stop ${title}`} onPress={() => void orNotice(call('servers.stop', { kind }))}>
            Stop
          </Button>
        )}
      </Row>
      {address === null ? null : (
        <Text selectable breaks className="code">
          {address}
        </Text>
      )}
      {certificate === null ? null : <Certificate certificate={certificate} />}
      {notice === null ? null : (
        <Text as="p" font="small" tone={2} lines="wrap" selectable breaks>
          {notice}
        </Text>
      )}
      {refused === null ? null : (
        <Text as="p" font="small" tone={2} breaks>
          {refusedWords(refused, now)}
        </Text>
      )}
      {problem === null ? null : (
        <Text as="p" font="small" tone="error" lines="wrap" selectable breaks role="alert">
          {problem}
        </Text>
      )}
      {offers.length === 0 ? null : (
        <Row gap={2}>
          {offers.map((offer) => (
            <Button
              key={offer.id}
              size="small"
              onPress={() => void orNotice(call('servers.act', { kind, offer: offer.id }))}
            >
              {offer.title}
            </Button>
          ))}
        </Row>
      )}
    </Stack>
  );
}
