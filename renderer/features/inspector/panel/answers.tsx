/** Evaluation with the inspected object as `*`: the evaluated forms, and the input row. */
import { type KeyboardEvent, useRef, useState } from 'react';
import { LongText } from '../../../editor/groups/long-text.tsx';
import { useViewer } from '../inspector.ts';
import { evaluateWith } from '../evaluating.ts';
import type { Answer } from '../viewer-state.ts';
import type { Viewer } from '../viewer.ts';
import { ValueChip } from '../value-chip.tsx';
import { useMirror } from '../../../base/mirror.ts';
import { outputText } from '../../../base/text/output.ts';
import { CodeArea } from '../../../ui/fields/code-area.tsx';
import { CodeText } from '../../../ui/code-text.tsx';
import { enterTakes } from '../../../ui/fields/enter-takes.ts';
import { Box, Row, Stack, Text } from '../../../ui/layout.tsx';
import { Ring } from '../../../ui/mark.tsx';
import { shownPackage } from '../../../sexp/packages.ts';
import styles from './inspector.module.css';

/** The forms evaluated here, the newest last, for the Up and Down keys. */
const history: string[] = [];
const MOST = 200;

export function Answers({ viewer }: { viewer: Viewer }) {
  const answers = useViewer(viewer, (state) => state.answers);
  const name = useMirror((state) => state.session.package);
  const area = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState('');
  const [at, setAt] = useState<number | null>(null);
  const recall = (step: -1 | 1): void => {
    const next = (at ?? history.length) + step;
    if (next < 0 || next > history.length) return;
    setAt(next);
    setDraft(history[next] ?? '');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (enterTakes(event, draft) && draft.trim() !== '') {
      event.preventDefault();
      if (history.at(-1) !== draft) history.push(draft);
      history.splice(0, history.length - MOST);
      void evaluateWith(viewer, draft);
      setDraft('');
      setAt(null);
    } else if (event.key === 'ArrowUp' && !draft.includes('\n')) {
      event.preventDefault();
      recall(-1);
    } else if (event.key === 'ArrowDown' && !draft.includes('\n')) {
      event.preventDefault();
      recall(1);
    }
  };
  return (
    <Stack fixed edge="top" className={styles.foot}>
      {answers.length > 0 ? (
        <Box padX={4} padY={1} scroll selectable className={styles.answers} role="log" aria-label="Evaluated with *">
          {answers.map((answer) => (
            <AnswerView key={answer.id} answer={answer} />
          ))}
        </Box>
      ) : null}
      <Row align="start" gap={2} padX={4} padY={2}>
        <Text fixed tone={3} className="code">
          {shownPackage(name)} *&gt;
        </Text>
        <CodeArea
          area={area}
          label="Evaluate with * as the object"
          placeholder="* is the object"
          value={draft}
          onChange={setDraft}
          onKeyDown={onKeyDown}
        />
      </Row>
    </Stack>
  );
}

function AnswerView({ answer: { id, code, values, condition, problem, ended } }: { answer: Answer }) {
  const output = useMirror((state) => state.outputs.get(id));
  return (
    <Box breaks lines="wrap" className="code">
      <CodeText text={code} />
      {output ? <Text tone={2}>{`\n${outputText(output).trim()}`}</Text> : null}
      {ended ? null : <Ring />}
      {problem === null ? null : <Text tone="error">{`\n${problem}`}</Text>}
      {condition ? (
        <Text tone="error">
          {'\n'}
          <LongText text={`${condition.type}: ${condition.message}`} title={`Message of ${condition.type}`} />
        </Text>
      ) : null}
      {values.length > 0 ? (
        <>
          <Text tone={3}>{'\n=> '}</Text>
          {values.map((value, index) => (
            // Values are identified by their position.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index}>
              {index > 0 ? <Text tone={3}>, </Text> : null}
              <ValueChip value={value} from={code} />
            </span>
          ))}
        </>
      ) : null}
    </Box>
  );
}
