/** The source of the selected frame in the panel, if its file is not open in the editor, and a remark if the file has changed. */
import type { DebuggerFrame } from '#contract/image/debugger.ts';
import { runCommand } from '../../../base/keys/command-registry.ts';
import { fileName } from '../../../base/text/paths.ts';
import { useBuffers } from '../../../editor/text/buffers.ts';
import { Button } from '../../../ui/button.tsx';
import { Box, Row, Text } from '../../../ui/layout.tsx';
import { changedWords, frameFile, previewOf } from '../frames.ts';
import styles from './debugger.module.css';

export function SourcePreview({ frame }: { frame: DebuggerFrame }) {
  const { source } = frame;
  const file = source?.file ?? null;
  const isOpen = useBuffers(({ buffers }) =>
    buffers.some(({ path, title }) => path === file || (path === null && title === file)),
  );
  if (source === null || file === null) return null;
  const words = changedWords(source, fileName(file));
  const preview = isOpen && source.changed !== 'compiled' ? null : previewOf(source);
  if (words === null && preview === null) return null;
  return (
    <Box className={styles.preview} role="group" aria-label="Source">
      {words === null ? null : (
        <Text as="p" font="small" tone={2}>
          {words}
        </Text>
      )}
      {preview === null ? null : (
        <>
          <Row justify="between" gap={2}>
            <Text font="small" tone={3} className="code">
              {frameFile(frame)}
            </Text>
            <Button kind="link" size="small" onPress={() => runCommand('debugger.source')}>
              Show in editor
            </Button>
          </Row>
          <Text as="pre" tone={2} breaks className="code">
            {preview.before}
            <mark className={styles.running}>{preview.form}</mark>
            {preview.after}
          </Text>
        </>
      )}
    </Box>
  );
}
