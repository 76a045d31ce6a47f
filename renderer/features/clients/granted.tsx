/** The grants that the person gave on cards: rules that answer for the person until they end or are revoked. */
import { call } from '../../base/bridge.ts';
import { hueFor, nameOf } from '../../base/actors.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { endOf, inForce } from './client-words.ts';
import { Box, Row, Stack, Text } from '../../ui/layout.tsx';
import styles from './panel.module.css';

export function Granted({ now }: { now: number }) {
  const granted = useMirror((state) => state.granted);
  const clients = useMirror((state) => state.clients);
  const holding = inForce(granted, now);
  if (holding.length === 0) return null;
  const revoke = (id: string | null): void => void orNotice(call('rules.revoke', { id }));
  return (
    <Box as="section" padY={3} padX={3} edge="top" aria-label="Automatic approvals">
      <Row as="header" justify="between" className={styles.sectionHead}>
        <Text as="h3" font="small-strong" tone={2}>
          Automatic approvals
        </Text>
        {holding.length > 1 ? (
          <Button size="small" kind="quiet" onPress={() => revoke(null)}>
            Revoke all
          </Button>
        ) : null}
      </Row>
      <ul>
        {holding.map((rule) => (
          <Box key={rule.id} as="li" padY={1} font="small" className={styles.granted}>
            <ActorMark hue={hueFor({ id: rule.client }, clients)} />
            <Stack as="span">
              <Text breaks selectable>
                Allows {rule.words}
              </Text>
              <Text tone={3}>
                {nameOf(rule.client, clients)} · {endOf(rule, now)}
              </Text>
            </Stack>
            <Button size="small" kind="quiet" aria-label={`Revoke ${rule.words}`} onPress={() => revoke(rule.id)}>
              Revoke
            </Button>
          </Box>
        ))}
      </ul>
    </Box>
  );
}
