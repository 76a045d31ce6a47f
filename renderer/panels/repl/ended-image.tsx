/** The foot of a REPL whose image has ended for good. */
import { CircleX } from 'lucide-react';
import type { ReplRecord } from '#contract/repl-calls.ts';
import { orNotice } from '../../features/notices.tsx';
import { closeRepl } from '../../features/repl/repls.ts';
import { Button } from '../../ui/button.tsx';
import { Box, Row, Text } from '../../ui/layout.tsx';
import styles from './input.module.css';

export function EndedImage({ repl }: { repl: ReplRecord }) {
  return (
    <Row
      align="start"
      gap={3}
      padY={2}
      padX={4}
      fixed
      font="small"
      edge="top"
      className={styles.noImage}
      data-region-focus
    >
      <CircleX className="icon error-mark" aria-hidden />
      <Box grow breaks className={styles.noImageText}>
        <Text as="p" font="small-strong">
          Its image has ended.
        </Text>
        <Text as="p" tone={2}>
          The client works in the shared image again, or is gone. What stands here can still be copied and saved.
        </Text>
      </Box>
      <Button kind="primary" onPress={() => void orNotice(closeRepl(repl.id))}>
        Close the REPL
      </Button>
    </Row>
  );
}
