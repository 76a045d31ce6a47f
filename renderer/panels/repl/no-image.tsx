/** The REPL without an image: why, and the way to one. */
import { CircleX } from 'lucide-react';
import { runCommand } from '../../features/command-registry.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../features/notices.tsx';
import { isShared, useShownImage } from '../../features/repl/active-repl.ts';
import { Button } from '../../ui/button.tsx';
import { Box, Row, Text } from '../../ui/layout.tsx';
import styles from './input.module.css';

export function NoImage() {
  const image = useShownImage();
  const problem = image?.problem ?? null;
  const start = (): void =>
    image === null || isShared(image)
      ? runCommand('image.start')
      : void orNotice(call('image.restart', { image: image.id }));
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
          No image.
        </Text>
        {problem ? (
          <Text as="p" tone={2} lines="wrap">
            {problem}
          </Text>
        ) : null}
      </Box>
      <Button kind="primary" onPress={start}>
        Start one
      </Button>
    </Row>
  );
}
