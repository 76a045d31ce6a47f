/**
 * Clients without a token that are waiting to be accepted. Shows the name that each client states, and the possible decisions: refuse it,
 * accept it into a separate image, or accept it into this image. No decision is preselected.
 */
import { useState } from 'react';
import type { PairingRequest } from '#contract/clients/client.ts';
import { clientNameFault } from '#contract/clients/client-name.ts';
import { call, messageOf, on } from '../../base/bridge.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Box, Row, Stack, Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import styles from './pairing.module.css';

export function Admissions() {
  const admissions = useMirror((state) => state.admissions);
  if (admissions.length === 0) return null;
  return (
    <Box as="ul" fixed edge="bottom" scroll className={styles.admissions} aria-label="Clients that want to join">
      {admissions.map((admission) => (
        <Waiting key={admission.id} admission={admission} />
      ))}
    </Box>
  );
}

/** Shows a notice, once per client and on any page, when a client is waiting to be accepted. */
export function announceAdmissions(): void {
  const known = new Set<string>();
  on('admissions-changed', (admissions) => {
    for (const { id, label } of admissions) {
      if (known.has(id)) continue;
      known.add(id);
      const show = async (): Promise<void> => runCommand('view.clients');
      notify(`${label} wants to join this image and has no token.`, 'info', { title: 'Decide', run: show });
    }
  });
}

function Waiting({ admission: { id, label, name: suggested, process } }: { admission: PairingRequest }) {
  const [name, setName] = useState(suggested);
  const [error, setError] = useState<string | null>(null);
  const admit = async (ownImage: boolean): Promise<void> => {
    const fault = clientNameFault(name);
    if (fault !== null) return setError(fault);
    await call('clients.admit', { id, name, ownImage }).catch((problem: unknown) => setError(messageOf(problem)));
  };
  return (
    <Stack
      as="li"
      gap={2}
      padY={3}
      padX={3}
      surface="idle"
      className={styles.admission}
      aria-label={`${label} wants to join`}
    >
      <Text as="p" font="small" breaks>
        <strong>{label}</strong> wants to join. It has no token, so its name is not verified.
      </Text>
      {process ? (
        <Text as="p" tone={2} scroll breaks selectable className={classes(styles.admissionProcess, 'code')}>
          It reports the process {process.pid}: {process.command}
          {process.startedBy ? (
            <>
              <br />
              started by {process.startedBy}
            </>
          ) : null}
        </Text>
      ) : null}
      <TextField
        label="Admit as"
        value={name}
        error={error}
        onChange={(value) => {
          setName(value);
          setError(null);
        }}
      />
      <Row align="stretch" justify="end" gap={2}>
        <Button size="small" onPress={() => void orNotice(call('clients.refuse', { id }))}>
          Refuse
        </Button>
        <Button size="small" onPress={() => void admit(true)}>
          Own image
        </Button>
        <Button size="small" onPress={() => void admit(false)}>
          Admit
        </Button>
      </Row>
    </Stack>
  );
}
