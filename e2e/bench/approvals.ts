/**
 * The cost of an approval without the time that the person takes: the policy's decision, a request that waits until it is answered, and a
 * line of the audit on disk.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { ActivityEvent } from '#contract/decisions/activity.ts';
import { Audit } from '#core/activity/audit/audit.ts';
import { auditLine, GENESIS } from '#core/activity/audit/line.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { decide, type ClientPolicy, type PolicyRequest, type Rule } from '#core/approvals/policy/policy.ts';
import { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import { ApprovalRecords } from '#core/approvals/results/records.ts';
import { Backups } from '#core/project/files/backups.ts';
import { compare, interleave, timed, type Comparison } from './harness/measure.ts';
import { temporaryFolder, type Bench } from './harness/setup.ts';

const DECISIONS = 1000;
const client: ClientPolicy = { id: 'client:bench', name: 'bench', mode: 'collaborate', paused: null, effects: 'ask' };

export async function approvals(bench: Bench): Promise<Comparison[]> {
  return [await policy(), await held(bench), await audit(bench)];
}

/** Measures the time of the policy's decision, compared with the minimum work on a request: converting it to JSON and parsing it. */
async function policy(): Promise<Comparison> {
  const rules = Array.from({ length: 50 }, (_, index): Rule => ({
    id: `r${index}`,
    decision: 'allow',
    client: index % 2 === 0 ? 'client:other' : null,
    subject: { effect: 'write', folder: `/project/folder-${index}` },
    granted: false,
  }));
  const request: PolicyRequest = {
    kind: 'effect',
    effect: 'write',
    target: '/project/src/shop.lisp',
    paths: ['/project/src/shop.lisp'],
    evaluation: 'e1',
    system: null,
  };
  const many = async (act: () => unknown): Promise<void> => {
    for (let round = 0; round < DECISIONS; round += 1) act();
  };
  const taken = await interleave(
    {
      ours: () => timed(() => many(() => decide(request, client, rules))),
      json: () => timed(() => many(() => JSON.parse(JSON.stringify([request, rules.slice(0, 5)])))),
    },
    { warmUp: 5, rounds: 40, inARow: 1 },
  );
  return compare(
    `${DECISIONS} decisions of policy by 50 rules / JSON of the request and 5 rules`,
    taken.ours,
    taken.json,
    null,
  );
}

/**
 * Measures the time from the click on Approve to the answer, including writing the file and storing its backup. Compares this with the
 * write only.
 */
async function held({ scope }: Bench): Promise<Comparison> {
  const folder = await temporaryFolder(scope, 'approvals');
  const records = new ApprovalRecords(path.join(folder, 'approvals.json'));
  const queue = new ApprovalQueue<string>({ minutes: () => 5, records });
  scope.defer(() => queue.dispose());
  queue.setApprover('the benchmark');
  const backups = new Backups(path.join(folder, 'kept'));
  const file = path.join(folder, 'file.lisp');
  const bytes = Buffer.from('(defun total (cart) cart)\n'.repeat(100));
  let round = 0;
  const asked = async (): Promise<number> => {
    round += 1;
    const now = performance.now.bind(performance);
    const ticket = await queue.request({
      actor: { id: client.id, kind: 'client', name: client.name },
      call: `call ${round}`,
      tool: 'write-file',
      level: 'dangerous',
      arguments: { round },
      rule: 'it is measured',
      requester: {
        draw: async () => ({
          headline: 'Write',
          arguments: [],
          editable: null,
          change: null,
          reversible: '',
          claim: null,
          targetState: '',
        }),
        check: () => null,
        perform: async (_args, { id }) => {
          await backups.write({ id, actor: null }, file, bytes);
          return 'done';
        },
      },
    });
    const { fingerprint } = queue.view().waiting[0]!;
    performance.now = () => now() + INERT_MS * round; // skips the delay before a card's buttons work, which is not measured
    const started = now();
    await queue.decide(ticket.id, fingerprint, { decision: 'approved' });
    await ticket.settled;
    const took = now() - started;
    performance.now = now;
    return took;
  };
  const taken = await interleave(
    { asked, written: () => timed(() => backups.write({ id: 'plain', actor: null }, file, bytes)) },
    { warmUp: 3, rounds: 60, inARow: 1 },
  );
  return compare('an approved write, from the click to the answer / the same write', taken.asked, taken.written, null);
}

/**
 * Measures the time to record an event and sync it to disk before the announced run starts. Compares this time with a plain append and sync
 * of the same line.
 */
async function audit({ scope }: Bench): Promise<Comparison> {
  const folder = await temporaryFolder(scope, 'audit');
  const log = new Audit(path.join(folder, 'audit'), 90);
  scope.defer(() => log.close());
  const event: ActivityEvent = {
    kind: 'approval-decided',
    at: Date.now(),
    seq: 1,
    actor: { id: client.id, kind: 'client', name: client.name },
    session: null,
    parent: null,
    approval: 'an approval',
    tool: 'write-file',
    decision: 'approved',
    by: 'you',
    reason: null,
    summary: 'Write 4,312 bytes to src/shop.lisp',
  };
  const { line } = auditLine(event, GENESIS);
  const octets = Buffer.from(line);
  const descriptor = openSync(path.join(folder, 'plain'), 'a');
  scope.defer(() => closeSync(descriptor));
  const taken = await interleave(
    {
      ours: () => timed(async () => log.append([event])),
      plain: () =>
        timed(async () => {
          writeSync(descriptor, octets);
          fsyncSync(descriptor);
        }),
    },
    { warmUp: 10, rounds: 200, inARow: 1 },
  );
  return compare('a synced line of the audit / append and fsync of the same', taken.ours, taken.plain, null);
}
