/** The newest loads, including those by agents, with their progress and output. */
import { Check, CircleDashed, CircleX } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { SystemLoad } from '#contract/image/system.ts';
import { LongText } from '../../editor/groups/long-text.tsx';
import { hueFor, nameOf } from '../../base/actors.ts';
import { useMirror } from '../../base/mirror.ts';
import { outputText } from '../../base/text/output.ts';
import { ActorMark, Ring } from '../../ui/mark.tsx';
import { MissingSystem } from './missing.tsx';
import { CancelRun, RunProgress } from './progress.tsx';
import { missingIn } from './descriptions.ts';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import styles from './loads.module.css';

const SHOWN = 4;

export function Loads() {
  const loads = useMirror((state) => state.loads);
  const newest = loads.slice(0, SHOWN);
  if (newest.length === 0) return null;
  return (
    <Stack gap={2} padY={2} padX={3} edge="top">
      <Text as="h3" font="small-strong" tone={2}>
        Loads
      </Text>
      {newest.map((load, index) => (
        <Load key={load.evaluation} load={load} open={index === 0} />
      ))}
    </Stack>
  );
}

function Load({ load, open }: { load: SystemLoad; open: boolean }) {
  const clients = useMirror((state) => state.clients);
  const runs = load.state === 'loading' || load.state === 'waiting';
  const missing = load.state === 'failed' ? missingIn(load.message ?? '') : null;
  return (
    <Stack gap={1}>
      <Row gap="mark" className={styles.head}>
        {runs ? (
          <Ring />
        ) : load.state === 'loaded' ? (
          <Check className={look({ tone: 'success' }, 'icon-small')} aria-hidden />
        ) : load.state === 'gone' ? (
          <CircleDashed className={look({ tone: 3 }, 'icon-small')} aria-hidden />
        ) : (
          <CircleX className="icon-small error-mark" aria-hidden />
        )}
        <Text shrink className={classes('code', styles.name)}>
          {load.system}
        </Text>
        <Text font="small" tone={3} className={styles.state}>
          {load.state === 'gone' ? 'lost, because the image ended' : load.state}
        </Text>
        {load.actor === 'person' ? null : (
          <ActorMark hue={hueFor({ id: load.actor }, clients)} label={`by ${nameOf(load.actor, clients)}`} />
        )}
        {runs ? <CancelRun evaluation={load.evaluation} label={`Cancel loading ${load.system}`} /> : null}
      </Row>
      {runs ? <RunProgress evaluation={load.evaluation} label={`Progress of loading ${load.system}`} /> : null}
      {load.message ? (
        <Text as="p" font="small" tone={load.state === 'loaded' ? 2 : 1} breaks selectable>
          <LongText text={load.message} title={`Loading ${load.system}`} />
        </Text>
      ) : null}
      {missing === null ? null : <MissingSystem name={missing} asked={load.system} />}
      {open ? <RunOutput evaluation={load.evaluation} label={`Output of loading ${load.system}`} /> : null}
    </Stack>
  );
}

/** The output of a run, scrolled to its end. */
export function RunOutput({ evaluation, label }: { evaluation: string; label: string }) {
  const buffer = useMirror((state) => state.outputs.get(evaluation));
  const output = useMemo(() => (buffer ? outputText(buffer) : ''), [buffer]);
  const tail = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (tail.current) tail.current.scrollTop = tail.current.scrollHeight;
  }, [output]);
  if (output === '') return null;
  return (
    <Text
      ref={tail}
      as="pre"
      padY={2}
      padX={2}
      tone={2}
      surface={2}
      round="control"
      scroll
      breaks
      selectable
      lines="wrap"
      className={classes('code', styles.output)}
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      {output}
    </Text>
  );
}
