/** The REPL without an image: why, and the way to one. */
import { CircleX } from 'lucide-react';
import { runCommand } from '../../features/command-registry.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Box, Row, Text } from '../../ui/layout.tsx';
import styles from './input.module.css';

export function NoImage() {
  const problem = useMirror((state) => state.session.problem);
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
      <Button kind="primary" onPress={() => runCommand('image.start')}>
        Start one
      </Button>
    </Row>
  );
}
