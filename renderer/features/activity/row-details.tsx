/** The details of an activity row: actor, time, enclosing call, reason, arguments or text, and actions. */
import { Fragment, useEffect, useState } from 'react';
import type { ActivityDetail } from '#contract/decisions/activity.ts';
import { visible } from '#contract/text/visible.ts';
import { hueFor } from '../../base/actors.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Facts } from '../../ui/panels/facts.tsx';
import { Box, Row, Stack, Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { ActorMark } from '../../ui/mark.tsx';
import { clockTime } from '../../ui/time.ts';
import { Difference } from '../definitions/difference.tsx';
import { milliseconds } from '../../base/image/result-text.ts';
import { actionsFor, detailOf } from './row-actions.ts';
import type { ActivityRow } from './row-model.ts';
import differenceStyles from '../definitions/difference.module.css';
import styles from './row-details.module.css';

interface RowDetailsProps {
  row: ActivityRow;
  /** The call or evaluation that contains the row; null if there is none. */
  within: ActivityRow | null;
  onSelect: (row: ActivityRow) => void;
}

export function RowDetails({ row, within, onSelect }: RowDetailsProps) {
  const clients = useMirror((state) => state.clients);
  const shared = useMirror((state) => state.session);
  const images = useMirror((state) => state.images);
  const image = [shared, ...images].find(({ id }) => id === row.session);
  const detail = useDetail(row);
  const { subject, code, actor, definition } = row;
  const facts: [string, React.ReactNode][] = [
    [
      'By',
      <Row key="by" as="span" inline gap="mark">
        <ActorMark hue={hueFor(actor, clients)} />
        {visible(actor.name)}
      </Row>,
    ],
    ['At', `${clockTime(row.at)} · row ${row.seq.toLocaleString('en')}`],
    ...(within
      ? [
          [
            'Within',
            <Button key="within" kind="link" size="small" onPress={() => onSelect(within)}>
              {within.subject || within.kind}
            </Button>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(row.level ? [['Level', row.level] as [string, string]] : []),
    ...(row.session ? [['Image', image?.name ?? 'an ended one'] as [string, string]] : []),
    ...(row.outcomeText === '' ? [] : [['Outcome', row.outcomeText] as [string, string]]),
    ...(row.tookMs === null ? [] : [['Took', milliseconds(row.tookMs)] as [string, string]]),
    ...(row.rule ? [['Rule', row.rule] as [string, string]] : []),
  ];
  return (
    <>
      <Stack as="header" gap={1} padY={4} padX={4} font="small" data-row-details>
        <Text tone={3}>{kindOf(row)}</Text>
        {subject === '' ? null : (
          <Text as="h3" breaks selectable className="code">
            {visible(subject)}
          </Text>
        )}
        {row.detail === '' || definition ? null : (
          <Text as="p" breaks selectable>
            {visible(row.detail)}
          </Text>
        )}
        <Facts className={styles.facts}>
          {facts.map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </Facts>
        <Actions row={row} />
      </Stack>
      {definition ? (
        <Section title="Before and after">
          <Difference event={definition.event} />
        </Section>
      ) : null}
      {row.kind === 'call' || row.kind === 'evaluation' ? <Texts detail={detail} code={code} /> : null}
    </>
  );
}

function Actions({ row }: { row: ActivityRow }) {
  // Draw again when checkpoints change, because the possible actions depend on them.
  useMirror((state) => state.session.checkpoints);
  const actions = actionsFor(row);
  if (actions.length === 0) return null;
  return (
    <Row align="stretch" wrap gap={2} className={styles.actions}>
      {actions.map(({ id, title, run }) => (
        <Button key={id} size="small" onPress={run}>
          {title}
        </Button>
      ))}
    </Row>
  );
}

function Texts({ detail, code }: { detail: ActivityDetail | null; code: string | null }) {
  const whole = detail?.code ?? code;
  const others = detail?.arguments.filter(({ name }) => name !== 'code' && name !== 'form') ?? [];
  const values = detail?.values?.map(({ text }) => text).join('\n') ?? '';
  return (
    <>
      {whole === null ? null : <Whole title="Code" text={whole} lisp />}
      {others.map(({ name, value }) => (
        <Whole key={name} title={name} text={value} />
      ))}
      {values === '' ? null : <Whole title="Values" text={values} lisp />}
      {detail?.result ? <Whole title="Answer" text={detail.result} /> : null}
    </>
  );
}

function Whole({ title, text, lisp = false }: { title: string; text: string; lisp?: boolean }) {
  return (
    <Section title={title}>
      <Text
        as="pre"
        padY={2}
        padX={2}
        font="code"
        surface={2}
        round="control"
        scroll
        breaks
        selectable
        lines="wrap"
        className={classes('code', differenceStyles.text)}
        tabIndex={0}
        role="group"
        aria-label={title}
      >
        {lisp ? <CodeText text={text} /> : text}
      </Text>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Box as="section" padY={3} padX={4} edge="top" className={styles.section}>
      <Text as="h4" font="small-strong" tone={2}>
        {title}
      </Text>
      {children}
    </Box>
  );
}

function kindOf({ kind, definition, detail, checkpoint }: ActivityRow): string {
  if (checkpoint) return 'checkpoint';
  if (!definition) return kind;
  return `${detail}${definition.package === null ? '' : ` in ${definition.package}`}`;
}

function useDetail(row: ActivityRow): ActivityDetail | null {
  const [detail, setDetail] = useState<ActivityDetail | null>(null);
  useEffect(() => {
    let current = true;
    void detailOf(row).then((found) => (current ? setDetail(found) : undefined));
    return () => {
      current = false;
    };
    // Request the details again when the row changes, for example because the run has ended and has an answer.
  }, [row]);
  return detail;
}
