/** The output of the process that does not belong to an evaluation: from C code, from other threads, and during start-up. */
import { useLayoutEffect, useMemo, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useMirror } from '../../base/mirror.ts';
import { emptyOutput, outputText } from '../../base/text/output.ts';
import { PROCESS } from '../../base/text/outputs.ts';
import { Empty } from '../../ui/panels/empty.tsx';
import { Box } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { Region } from '../../ui/panels/panel.tsx';
import styles from './output.module.css';

const ROW = 18;

export function OutputPanel() {
  const buffer = useMirror((state) => state.outputs.get(PROCESS)) ?? emptyOutput;
  const lines = useMemo(() => outputText(buffer).replace(/\n$/, '').split('\n'), [buffer]);
  const list = useRef<VirtualizerHandle>(null);
  const following = useRef(true);
  useLayoutEffect(() => {
    if (following.current) list.current?.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [lines]);
  return (
    <Region name="Output">
      {buffer.length === 0 ? (
        <Empty title="Nothing printed yet.">
          <p>
            Output that does not come from an evaluation appears here: from foreign code, other threads and the start of
            the image.
          </p>
        </Empty>
      ) : (
        <Box
          padY={2}
          padX={4}
          grow
          scroll
          selectable
          className={classes(styles.lines, 'code')}
          tabIndex={0}
          role="log"
          aria-label="Process output"
          onScroll={({ currentTarget: element }) => {
            following.current = element.scrollHeight - element.scrollTop - element.clientHeight < ROW * 2;
          }}
        >
          {buffer.dropped > 0 ? (
            <Box font="small" tone={3}>
              {buffer.dropped.toLocaleString('en')} characters not shown
            </Box>
          ) : null}
          <Virtualizer ref={list} data={lines} itemSize={ROW}>
            {(line, index) => (
              <Box key={index} tone={2} className={styles.line}>
                {line === '' ? '\u00a0' : line}
              </Box>
            )}
          </Virtualizer>
        </Box>
      )}
    </Region>
  );
}
