/** The selected row in full: who, when, within what, why, with its arguments or its text, and what can be done about it. */
import { Fragment, useEffect, useState } from 'react';
import type { ActivityDetail } from '#contract/activity.ts';
import { milliseconds } from '../../editor/result-text.ts';
import { hueFor } from '../../layout/actors.ts';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { clockTime } from '../../ui/time.ts';
import { Difference } from '../definitions/difference.tsx';
import { actionsFor, detailOf } from './actions.ts';
import { AuditFoot } from './audit-foot.tsx';
import type { ActivityRow } from './row-model.ts';

export interface DetailsProps {
  row: ActivityRow | null;
  within: ActivityRow | null;
  onSelect: (row: ActivityRow) => void;
}

export function Details({ row, within, onSelect }: DetailsProps) {
  return (
    <aside className="activity-details" aria-label="Selected row">
      <div className="details-body">
        {row === null ? (
          <p className="details-none">Select a row to see all of it.</p>
        ) : (
          <Selected key={row.id} row={row} within={within} onSelect={onSelect} />
        )}
      </div>
      <AuditFoot />
    </aside>
  );
}

function Selected({ row, within, onSelect }: DetailsProps & { row: ActivityRow }) {
  const clients = useMirror((state) => state.clients);
  const shared = useMirror((state) => state.session);
  const detail = useDetail(row);
  const { subject, code, actor, definition } = row;
  const facts: [string, React.ReactNode][] = [
    [
      'By',
      <span key="by" className="details-actor">
        <ActorMark hue={hueFor(actor, clients)} />
        {actor.name}
      </span>,
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
    ...(row.session ? [['Image', row.session === shared.id ? shared.name : row.session] as [string, string]] : []),
    ...(row.outcomeText === '' ? [] : [['Outcome', row.outcomeText] as [string, string]]),
    ...(row.tookMs === null ? [] : [['Took', milliseconds(row.tookMs)] as [string, string]]),
    ...(row.rule ? [['Rule', row.rule] as [string, string]] : []),
  ];
  return (
    <>
      <header className="details-head">
        <span className="details-kind">{kindOf(row)}</span>
        {subject === '' ? null : <h3 className="code details-title">{subject}</h3>}
        {row.detail === '' || definition ? null : <p className="details-text">{row.detail}</p>}
        <dl className="details-facts">
          {facts.map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
        <Actions row={row} />
      </header>
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
  // Which there are depends on the checkpoints that are left.
  useMirror((state) => state.session.checkpoints);
  const actions = actionsFor(row);
  if (actions.length === 0) return null;
  return (
    <div className="details-actions">
      {actions.map(({ id, title, run }) => (
        <Button key={id} size="small" onPress={run}>
          {title}
        </Button>
      ))}
    </div>
  );
}

function Texts({ detail, code }: { detail: ActivityDetail | null; code: string | null }) {
  const whole = detail?.code ?? code;
  const others = detail?.arguments.filter(({ name }) => name !== 'code' && name !== 'form') ?? [];
  const values = detail?.values?.map(({ text }) => text).join('\n') ?? '';
  return (
    <>
      {whole === null ? null : <Text title="Code" text={whole} lisp />}
      {others.map(({ name, value }) => (
        <Text key={name} title={name} text={value} />
      ))}
      {values === '' ? null : <Text title="Values" text={values} lisp />}
      {detail?.result ? <Text title="Answer" text={detail.result} /> : null}
    </>
  );
}

function Text({ title, text, lisp = false }: { title: string; text: string; lisp?: boolean }) {
  return (
    <Section title={title}>
      <pre className="code difference-text" tabIndex={0} aria-label={title}>
        {lisp ? <CodeText text={text} /> : text}
      </pre>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="details-section">
      <h4 className="section-head">{title}</h4>
      {children}
    </section>
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
    // Again once it has ended: then there is an answer.
  }, [row]);
  return detail;
}
