/** Evaluation in a frame: the earlier evaluations, and the row in which the next form is entered. */
import { CircleStop } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { LongText } from '../../../editor/groups/long-text.tsx';
import { useMirror } from '../../../base/mirror.ts';
import { evaluateInFrame, interruptIn, returnFromFrame } from '../frame-actions.ts';
import { packageOfFrame } from '../frames.ts';
import { changeView, useView, type FrameEvaluation } from '../store.ts';
import { plainName } from '../names.ts';
import { inspectHandle } from '../../../base/image/inspect.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { recall, remember, type Recall } from '../../repl/input/history.ts';
import { shownPackage } from '../../../sexp/packages.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeArea } from '../../../ui/fields/code-area.tsx';
import { CodeText } from '../../../ui/code-text.tsx';
import { enterTakes } from '../../../ui/fields/enter-takes.ts';
import { Box, Row, Text } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';
import { Ring } from '../../../ui/mark.tsx';
import { backToFrames, focusField } from './focus.ts';
import { ShownValue } from './shown-value.tsx';
import styles from './debugger.module.css';

export function FrameEvaluations({ id, record }: { id: string; record: DebuggerRecord }) {
  const { evaluations } = useView(id);
  const end = useRef<HTMLDivElement>(null);
  const last = evaluations.at(-1);
  useEffect(() => {
    if (last) end.current?.scrollIntoView({ block: 'nearest' });
  }, [last]);
  return (
    <div role="log" aria-label="Evaluated in frames">
      {evaluations.map((each) => (
        <Box key={each.id} breaks lines="wrap" className="code">
          <Text tone={3}>{promptOf(record, each.frame)} </Text>
          <CodeText text={each.code} />
          <Outcome id={id} evaluation={each} />
        </Box>
      ))}
      <div ref={end} />
    </div>
  );
}

function Outcome({ id, evaluation: { outcome, frame } }: { id: string; evaluation: FrameEvaluation }) {
  const deeper = useMirror(({ debuggers }) => {
    const own = debuggers.debuggers.find((head) => head.id === id);
    return debuggers.debuggers.some((head) => head.evaluation === own?.evaluation && head.level > own.level);
  });
  if (outcome === null)
    return (
      <Row gap={2} font="small" tone={3}>
        <Ring />
        <span>{deeper ? 'stopped in the debugger, one level deeper' : 'evaluating'}</span>
        <Button
          size="small"
          icon={<CircleStop className="icon-small" aria-hidden />}
          onPress={() => void orNotice(interruptIn(id))}
        >
          Interrupt
        </Button>
      </Row>
    );
  if ('problem' in outcome) return <Problem text={outcome.problem} />;
  const { result } = outcome.value;
  if (!result) return null;
  if (result.status !== 'ok') {
    const { condition } = result;
    if (!condition) return <Problem text={result.status} />;
    return condition.type === 'ABORT' ? (
      <Box tone={3}>; aborted</Box>
    ) : (
      <Problem text={`${plainName(condition.type)}: ${condition.message}`} />
    );
  }
  return (
    <Box breaks>
      <Text tone={3}>=&gt; </Text>
      {result.values.length === 0 ? <Text tone={3}>no values</Text> : null}
      {result.values.map((value, index) => (
        // A value can only be identified by its position, so the index is its key.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index}>
          {index > 0 ? ', ' : null}
          <ShownValue value={value} from={`frame ${frame}`} />
        </span>
      ))}
    </Box>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <Box tone="error" breaks lines="wrap">
      <LongText text={text} title="Message of the error" />
    </Box>
  );
}

/** The purposes for which a form can be entered in the row, each with a label and a text. */
const ROWS = {
  evaluate: { label: 'Evaluate in frame', words: (frame: number) => `Evaluate in frame ${frame}` },
  inspect: { label: 'Inspect in frame', words: (frame: number) => `Inspect the value of a form in frame ${frame}` },
  return: { label: 'Return from frame', words: (frame: number) => `Return the values of a form from frame ${frame}` },
} as const;

/** The forms entered in all debuggers, oldest first; lost when the page is reloaded. */
let history: string[] = [];

export function EvaluateRow({ record, frame }: { record: DebuggerRecord; frame: number }) {
  const { field } = useView(record.id);
  const kind = field && field.kind !== 'restart' ? field.kind : 'evaluate';
  const [draft, setDraft] = useState('');
  const [recalled, setRecalled] = useState<Recall | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    return field && field.kind !== 'restart' ? focusField(area.current) : undefined;
  }, [field]);
  const back = (): void => {
    changeView(record.id, () => ({ field: null }));
    backToFrames();
  };
  const submit = (): void => {
    const code = draft.trim();
    if (code === '') return;
    history = remember(history, code);
    setDraft('');
    setRecalled(null);
    if (kind === 'return') {
      back();
      void returnFromFrame(record.id, frame, code);
    } else {
      if (kind === 'inspect') back();
      // The request that opened the row is done. Clear the request, because the row must not get the focus again when a deeper level of the
      // debugger returns to this level.
      else changeView(record.id, () => ({ field: null }));
      void evaluateInFrame(record.id, frame, code).then((outcome) => {
        const value = outcome?.result?.values[0];
        if (kind === 'inspect' && value?.handle != null)
          inspectHandle({ handle: value.handle, title: value.text, from: `frame ${frame}` });
      });
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (enterTakes(event, draft)) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      back();
    } else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && !draft.includes('\n')) {
      const next = recall(
        history,
        recalled ?? { typed: draft, index: history.length },
        event.key === 'ArrowUp' ? -1 : 1,
      );
      if (!next) return;
      event.preventDefault();
      setDraft(next.text);
      setRecalled(next.recall);
    }
  };
  const { label, words } = ROWS[kind];
  return (
    <Row align="start" gap={2} padY={2} padX={3} fixed edge="top" className={styles.evaluateRow}>
      <Text fixed tone={3} className="code">
        {promptOf(record, frame)}
      </Text>
      <CodeArea
        area={area}
        label={label}
        placeholder={words(frame)}
        value={draft}
        onChange={(text) => {
          setDraft(text);
          setRecalled(null);
        }}
        onKeyDown={onKeyDown}
      />
      <kbd className={look({ fixed: true })}>{kind === 'return' ? 'R' : kind === 'inspect' ? 'i' : 'e'}</kbd>
    </Row>
  );
}

function promptOf(record: DebuggerRecord, frame: number): string {
  return `${shownPackage(packageOfFrame(record, frame))} ${frame}>`;
}
