/** What the process prints outside any evaluation: C code, other threads, the start. */
import './output.css';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { PROCESS, useMirror } from '../../mirror.ts';
import { emptyOutput, outputText } from '../../output.ts';
import { Empty } from '../../ui/empty.tsx';

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
    <section className="region output-panel" aria-label="Output" data-region="Output">
      {buffer.length === 0 ? (
        <Empty title="Nothing printed yet.">
          <p>
            What the process prints outside an evaluation appears here: foreign code, other threads, the start of the
            image.
          </p>
        </Empty>
      ) : (
        <div
          className="output-lines code"
          tabIndex={0}
          role="log"
          aria-label="Process output"
          onScroll={({ currentTarget: element }) => {
            following.current = element.scrollHeight - element.scrollTop - element.clientHeight < ROW * 2;
          }}
        >
          {buffer.dropped > 0 ? (
            <div className="cut">{buffer.dropped.toLocaleString('en')} characters not shown</div>
          ) : null}
          <Virtualizer ref={list} data={lines} itemSize={ROW}>
            {(line, index) => (
              <div key={index} className="output-line">
                {line === '' ? '\u00a0' : line}
              </div>
            )}
          </Virtualizer>
        </div>
      )}
    </section>
  );
}
