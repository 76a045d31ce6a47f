/** A row in the activity list, and the text for each kind of event. Pure. */
import type { ActivityEvent, ChangedDefinition } from '#contract/decisions/activity.ts';
import type { Actor } from '#contract/image/session.ts';
import type { SafetyLevel } from '#contract/clients/tool.ts';
import { kindInWords } from '#contract/image/operators.ts';
import { shownName } from '../definitions/definition-rows.ts';

export type Outcome = 'running' | 'good' | 'bad' | 'waiting' | 'none';

export const ROW_KINDS = [
  'call',
  'evaluation',
  'approval',
  'effect',
  'definition',
  'undo',
  'image',
  'client',
  'server',
] as const;

export type RowKind = (typeof ROW_KINDS)[number];

/** The evaluation and the number of definitions for which the row of a folded call also stands. */
export interface Brief {
  readonly evaluation: string;
  readonly definitions: number;
}

/** A row in the activity list. A row is immutable; when it grows, a new row replaces it. */
export interface ActivityRow {
  /** The id of the row, which stays the same when the row grows. */
  readonly id: string;
  /** The sequence number of the event that started the row. `endSeq` is the number of the event that ended it. */
  readonly seq: number;
  readonly endSeq: number | null;
  readonly at: number;
  readonly actor: Actor;
  readonly session: string | null;
  /** The number of enclosing rows: 0 at the top level, more inside a call. */
  readonly depth: number;
  /** The id of the row that contains this one. */
  readonly parent: string | null;
  readonly kind: RowKind;
  /** A tool name or similar, in a fixed-width font. */
  readonly subject: string;
  readonly detail: string;
  /** Lisp code, drawn in colour in place of a plain detail. */
  readonly code: string | null;
  readonly level: SafetyLevel | null;
  readonly outcome: Outcome;
  readonly outcomeText: string;
  /** True if the person made the decision; the outcome then has the person's mark. */
  readonly decidedByPerson: boolean;
  readonly tookMs: number | null;
  readonly children: number;
  /** The contents of a call that is folded until the person opens it; null for all other rows. */
  readonly brief: Brief | null;
  /** True for a call or an evaluation that added, changed or removed a definition. */
  readonly defines: boolean;
  /** True if the call's changes have been undone. */
  readonly undone: boolean;
  /** The reason why the call needed approval or was allowed, as text. */
  readonly rule: string | null;
  /** The id of the call or evaluation, used to find its code and its definitions. */
  readonly run: string | null;
  readonly approval: string | null;
  readonly definition: ChangedDefinition | null;
  /** True for a checkpoint: the row is a horizontal line with the checkpoint's label. */
  readonly checkpoint: boolean;
}

/** Returns the row that an event starts. */
export function rowOf(event: ActivityEvent): ActivityRow {
  const row = blank(event);
  switch (event.kind) {
    case 'call-started':
      return {
        ...row,
        subject: event.tool,
        ...(isLisp(event.summary) ? { code: event.summary } : { detail: event.summary }),
        level: event.level,
        outcome: 'running',
        outcomeText: 'running',
        run: event.call,
      };
    case 'call-finished':
      return ended({ ...row, subject: event.tool, run: event.call }, event);
    case 'evaluation-started':
      return {
        ...row,
        kind: 'evaluation',
        code: event.code,
        outcome: 'running',
        outcomeText: 'evaluating',
        run: event.evaluation,
      };
    case 'evaluation-finished':
      return ended({ ...row, kind: 'evaluation', run: event.evaluation }, event);
    case 'approval-requested':
      return {
        ...row,
        kind: 'approval',
        detail: event.summary,
        outcome: 'waiting',
        outcomeText: 'waits for you',
        approval: event.approval,
        rule: event.rule,
      };
    case 'approval-decided':
      return ended({ ...row, kind: 'approval', detail: event.summary, approval: event.approval }, event);
    case 'effect':
      return {
        ...row,
        kind: 'effect',
        subject: event.effect,
        detail: event.target,
        outcome: ['denied', 'aborted', 'lost'].includes(event.outcome) ? 'bad' : 'good',
        outcomeText: event.outcome.replace('-', ' '),
        rule: event.rule,
        run: event.evaluation,
      };
    case 'approval-undone':
      return {
        ...row,
        kind: 'undo',
        detail: event.summary,
        outcome: event.success ? 'good' : 'bad',
        outcomeText: event.success ? 'taken back' : 'not taken back',
      };
    case 'definitions-changed':
      return { ...row, kind: 'definition', detail: `${event.more} more definitions`, run: event.evaluation };
    case 'session-changed':
      return {
        ...row,
        kind: 'image',
        detail: event.summary,
        outcomeText: event.change,
        outcome: event.change === 'failed' ? 'bad' : 'none',
        checkpoint: event.change === 'checkpoint',
      };
    case 'client-changed':
      return {
        ...row,
        kind: 'client',
        detail: event.summary,
        outcomeText: event.change,
        outcome: event.change === 'refused' ? 'bad' : 'none',
      };
    case 'server-changed':
      return {
        ...row,
        kind: 'server',
        detail: event.summary,
        outcomeText: event.change,
        outcome: event.change === 'failed' || event.change === 'refused' ? 'bad' : 'none',
      };
  }
}

type EndingEvent = Extract<ActivityEvent, { kind: 'call-finished' | 'evaluation-finished' | 'approval-decided' }>;

/** Returns the row after its end event. */
export function ended(row: ActivityRow, event: EndingEvent): ActivityRow {
  switch (event.kind) {
    case 'call-finished': {
      const word = event.pending ? 'waits for you' : event.success ? 'answered' : 'failed';
      return {
        ...row,
        endSeq: event.seq,
        outcome: event.pending ? 'waiting' : event.success ? 'good' : 'bad',
        outcomeText: event.summary === '' ? word : event.summary,
        tookMs: event.tookMs,
      };
    }
    case 'evaluation-finished':
      return {
        ...row,
        endSeq: event.seq,
        outcome: event.status === 'ok' ? 'good' : 'bad',
        outcomeText: event.summary === '' ? event.status : event.summary,
        tookMs: event.tookMs,
      };
    case 'approval-decided': {
      const decidedByPerson = event.by === 'you' || event.by === 'person';
      const by = decidedByPerson ? 'you' : event.by;
      return {
        ...row,
        endSeq: event.seq,
        outcome: event.decision === 'denied' ? 'bad' : 'good',
        decidedByPerson,
        outcomeText: `${event.decision} by ${by}${reasonWords(event)}`,
        tookMs: event.at - row.at,
      };
    }
  }
}

/** Returns the row of a definition in the event; `index` counts the definitions from 0. */
export function definitionRow(
  event: Extract<ActivityEvent, { kind: 'definitions-changed' }>,
  definition: ChangedDefinition,
  index: number,
): ActivityRow {
  const { kind, name, operation } = definition;
  return {
    ...blank(event),
    id: `${event.seq}.${index}`,
    kind: 'definition',
    detail: kindInWords(kind),
    subject: shownName(name),
    run: event.evaluation,
    definition,
    outcomeText:
      definition.undoes !== null ? 'undid an earlier definition' : operation === 'defined' ? 'new' : operation,
  };
}

/** Returns the searchable text of a row, computed once per row. */
export function searchText(row: ActivityRow): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const { actor, kind, subject, detail, code, outcomeText } = row;
  const text = `${actor.name} ${kind} ${subject} ${detail} ${code ?? ''} ${outcomeText}`.toLowerCase();
  texts.set(row, text);
  return text;
}

const texts = new WeakMap<ActivityRow, string>();

/** True if the summary is code, because it is the argument of a tool that evaluates. */
function isLisp(summary: string): boolean {
  return /^[('`#]/.test(summary);
}

function blank({ seq, at, actor, session }: ActivityEvent): ActivityRow {
  return {
    id: String(seq),
    seq,
    endSeq: null,
    at,
    actor,
    session,
    depth: 0,
    parent: null,
    kind: 'call',
    subject: '',
    detail: '',
    code: null,
    level: null,
    outcome: 'none',
    outcomeText: '',
    decidedByPerson: false,
    tookMs: null,
    children: 0,
    brief: null,
    defines: false,
    undone: false,
    rule: null,
    run: null,
    approval: null,
    definition: null,
    checkpoint: false,
  };
}

/** Returns the reason for a decision. The reason for a denial is quoted; a choice made with an approval is in the program's words. */
function reasonWords({ decision, reason }: Extract<ActivityEvent, { kind: 'approval-decided' }>): string {
  if (!reason) return '';
  return decision === 'denied' ? `: “${reason}”` : `: ${reason}`;
}
