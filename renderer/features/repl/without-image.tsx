/** The bottom row of a REPL without a running image: the problem, and the actions that fix it. */
import { CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ReplRecord } from '#contract/image/repl.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { isShared, useShownImage } from '../../base/image/active-repl.ts';
import { closeRepl } from './repls.ts';
import { Button } from '../../ui/button.tsx';
import { Box, Row, Text } from '../../ui/layout.tsx';
import styles from './input/input.module.css';

/** The row for an image that did not start, or that has ended and can be started again. */
export function NoImage() {
  const image = useShownImage();
  const start = (): void =>
    image === null || isShared(image)
      ? runCommand('image.start')
      : void orNotice(call('image.restart', { image: image.id }));
  return (
    <Foot title="No image is running." why={image?.problem ?? null}>
      {image === null || image.target === null ? null : (
        <Button onPress={() => runCommand('image.targets')}>Targets…</Button>
      )}
      <Button kind="primary" onPress={start}>
        Start image
      </Button>
    </Foot>
  );
}

/** The row for an image that has ended for good. */
export function EndedImage({ repl }: { repl: ReplRecord }) {
  return (
    <Foot
      title="The image has ended."
      why="Its client uses the shared image again, or has ended. You can still copy and save this text."
    >
      <Button kind="primary" onPress={() => void orNotice(closeRepl(repl.id))}>
        Close the REPL
      </Button>
    </Foot>
  );
}

function Foot({ title, why, children }: { title: string; why: string | null; children: ReactNode }) {
  return (
    <Row
      align="start"
      gap={3}
      padY={2}
      padX={4}
      fixed
      font="small"
      edge="top"
      selectable
      className={styles.noImage}
      data-region-focus
    >
      <CircleX className="icon error-mark" aria-hidden />
      <Box grow scroll breaks className={styles.noImageText}>
        <Text as="p" font="small-strong">
          {title}
        </Text>
        {why === null ? null : (
          <Text as="p" tone={2} lines="wrap">
            {why}
          </Text>
        )}
      </Box>
      {children}
    </Row>
  );
}
