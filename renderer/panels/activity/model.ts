/** The activity stream as rows: a call and its end are one row, what happened inside it stands below. */
import type { ActivityEvent } from '#contract/activity.ts';
import type { Actor } from '#contract/session.ts';
import type { SafetyLevel } from '#contract/tool.ts';

type Outcome = 'running' | 'good' | 'bad' | 'waiting' | 'none';

export interface ActivityRow {
  /** Stable while the row grows. */
  id: string;
  seq: number;
  at: number;
  actor: Actor;
  /** 0 for a row of its own, more inside a call. */
  depth: number;
  kind: 'call' | 'evaluation' | 'approval' | 'effect' | 'undo' | 'definition' | 'image' | 'client' | 'server';
  /** Tool name or the like, in the fixed-width face. */
  subject: string;
  detail: string;
  /** Lisp, to be coloured, instead of a plain detail. */
  code: string | null;
  level: SafetyLevel | null;
  outcome: Outcome;
  outcomeText: string;
  /** The person decided: their mark stands at the outcome. */
  decidedByPerson: boolean;
  tookMs: number | null;
  children: number;
}

interface Node {
  row: ActivityRow;
  inside: Node[];
}

/** Rows in the order in which they began; children follow their parent. Events must be ordered by `seq`. */
export function activityRows(events: readonly ActivityEvent[]): ActivityRow[] {
  const top: Node[] = [];
  const calls = new Map<string, Node>();
  const evaluations = new Map<string, Node>();
  const approvals = new Map<string, Node>();

  const open = (event: ActivityEvent, row: Partial<ActivityRow> & Pick<ActivityRow, 'kind'>): Node => {
    const node: Node = { row: { ...blank(event), ...row }, inside: [] };
    const parent = event.parent === null ? undefined : (calls.get(event.parent) ?? evaluations.get(event.parent));
    (parent?.inside ?? top).push(node);
    return node;
  };

  for (const event of events) {
    switch (event.kind) {
      case 'call-started':
        calls.set(
          event.call,
          open(event, {
            kind: 'call',
            subject: event.tool,
            ...(isLisp(event.summary) ? { code: event.summary } : { detail: event.summary }),
            level: event.level,
            outcome: 'running',
            outcomeText: 'running',
          }),
        );
        break;
      case 'call-finished': {
        const { row } = calls.get(event.call) ?? open(event, { kind: 'call', subject: event.tool });
        row.outcome = event.pending ? 'waiting' : event.success ? 'good' : 'bad';
        row.outcomeText =
          event.summary === ''
            ? event.pending
              ? 'waits for you'
              : event.success
                ? 'answered'
                : 'failed'
            : event.summary;
        row.tookMs = event.tookMs;
        break;
      }
      case 'evaluation-started':
        evaluations.set(
          event.evaluation,
          open(event, { kind: 'evaluation', code: event.code, outcome: 'running', outcomeText: 'evaluating' }),
        );
        break;
      case 'evaluation-finished': {
        const { row } = evaluations.get(event.evaluation) ?? open(event, { kind: 'evaluation' });
        row.outcome = event.status === 'ok' ? 'good' : 'bad';
        row.outcomeText = event.summary === '' ? event.status : event.summary;
        row.tookMs = event.tookMs;
        break;
      }
      case 'approval-requested':
        approvals.set(
          event.approval,
          open(event, {
            kind: 'approval',
            subject: '',
            detail: event.summary,
            outcome: 'waiting',
            outcomeText: 'waits for you',
          }),
        );
        break;
      case 'approval-decided': {
        const { row } = approvals.get(event.approval) ?? open(event, { kind: 'approval', detail: event.summary });
        row.outcome = event.decision === 'denied' ? 'bad' : 'good';
        row.decidedByPerson = event.by === 'you' || event.by === 'person';
        row.outcomeText = `${event.decision} by ${row.decidedByPerson ? 'you' : event.by}${reasonWords(event)}`;
        row.tookMs = event.at - row.at;
        break;
      }
      case 'effect':
        open(event, {
          kind: 'effect',
          subject: event.effect,
          detail: event.target,
          outcome:
            event.outcome === 'denied' || event.outcome === 'aborted' || event.outcome === 'lost' ? 'bad' : 'good',
          outcomeText: `${event.outcome.replace('-', ' ')}: ${event.rule}`,
        });
        break;
      case 'approval-undone':
        open(event, {
          kind: 'undo',
          detail: event.summary,
          outcome: event.success ? 'good' : 'bad',
          outcomeText: event.success ? 'taken back' : 'not taken back',
        });
        break;
      case 'definitions-changed':
        if (event.packages.length > 0) {
          const parent = event.evaluation === null ? undefined : evaluations.get(event.evaluation);
          const node: Node = {
            row: { ...blank(event), kind: 'definition', detail: `changed in ${event.packages.join(', ')}` },
            inside: [],
          };
          (parent?.inside ?? top).push(node);
        }
        break;
      case 'session-changed':
        open(event, {
          kind: 'image',
          detail: event.summary,
          outcomeText: event.change,
          outcome: event.change === 'failed' ? 'bad' : 'none',
        });
        break;
      case 'client-changed':
        open(event, {
          kind: 'client',
          detail: event.summary,
          outcomeText: event.change,
          outcome: event.change === 'refused' ? 'bad' : 'none',
        });
        break;
      case 'server-changed':
        open(event, {
          kind: 'server',
          detail: event.summary,
          outcomeText: event.change,
          outcome: event.change === 'failed' ? 'bad' : 'none',
        });
        break;
    }
  }
  return flatten(top);
}

export interface ActivityNarrowing {
  text: string;
  /** Actor ids that are switched off. */
  hidden: ReadonlySet<string>;
  folded: ReadonlySet<string>;
}

/** What is left of the rows: a row that matches keeps its parents in sight, a folded one hides its children. */
export function narrowRows(rows: readonly ActivityRow[], { text, hidden, folded }: ActivityNarrowing): ActivityRow[] {
  const wanted = text.trim().toLowerCase();
  const kept: ActivityRow[] = [];
  /** Parents of the coming row, outermost first, and whether each was kept. */
  const parents: { row: ActivityRow; kept: boolean; matches: boolean }[] = [];
  let foldedAt = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    parents.length = Math.min(parents.length, row.depth);
    if (row.depth <= foldedAt) foldedAt = Number.POSITIVE_INFINITY;
    const under = parents[parents.length - 1];
    const matches =
      !hidden.has(row.actor.id) && (wanted === '' || under?.matches === true || textOf(row).includes(wanted));
    const shown = matches && row.depth < foldedAt + 1 && foldedAt === Number.POSITIVE_INFINITY;
    if (shown) {
      for (const parent of parents) {
        if (parent.kept) continue;
        parent.kept = true;
        kept.push(parent.row);
      }
      kept.push(row);
    }
    parents.push({ row, kept: shown, matches: matches && wanted !== '' });
    if (folded.has(row.id) && foldedAt === Number.POSITIVE_INFINITY) foldedAt = row.depth;
  }
  return kept;
}

/** What an evaluating tool is called with is shown as code. */
function isLisp(summary: string): boolean {
  return /^[('`#]/.test(summary);
}

function textOf(row: ActivityRow): string {
  return `${row.actor.name} ${row.kind} ${row.subject} ${row.detail} ${row.code ?? ''} ${row.outcomeText}`.toLowerCase();
}

/** A denial's reason is quoted; what was chosen with an approval is in our words. */
function reasonWords({ decision, reason }: Extract<ActivityEvent, { kind: 'approval-decided' }>): string {
  if (!reason) return '';
  return decision === 'denied' ? `: “${reason}”` : `: ${reason}`;
}

function blank(event: ActivityEvent): ActivityRow {
  return {
    id: String(event.seq),
    seq: event.seq,
    at: event.at,
    actor: event.actor,
    depth: 0,
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
  };
}

function flatten(nodes: readonly Node[], depth = 0, rows: ActivityRow[] = []): ActivityRow[] {
  for (const { row, inside } of nodes) {
    rows.push({ ...row, depth, children: inside.length });
    flatten(inside, depth + 1, rows);
  }
  return rows;
}
