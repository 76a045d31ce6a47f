/** A program that is asked for a write, has it approved and does it, to be killed at any moment: `node crash.fixture.ts FOLDER`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { INERT_MS } from './entry.ts';
import { ApprovalQueue } from './queue.ts';
import { ApprovalRecords } from './records.ts';

const folder = process.argv[2]!;
const records = new ApprovalRecords(path.join(folder, 'approvals.json'));
const queue = new ApprovalQueue<string>({ minutes: () => 5, records });
queue.setApprover('the test');
process.stdout.write('begun\n');
const { id } = await queue.request({
  actor: { id: 'client:codex', kind: 'client', name: 'codex' },
  call: 'call',
  tool: 'write_file',
  level: 'dangerous',
  arguments: { path: 'file', content: 'x' },
  rule: 'it is dangerous',
  draw: async () => ({
    headline: 'Write',
    arguments: [],
    editable: null,
    change: null,
    reversible: 'no',
    claim: null,
    targetState: '',
  }),
  check: () => null,
  perform: async () => {
    writeFileSync(path.join(folder, 'written'), 'x');
    return 'done';
  },
});
const now = performance.now.bind(performance);
performance.now = () => now() + INERT_MS; // what is tried here is not the time in which nothing counts
await queue.decide(id, queue.view().waiting[0]!.fingerprint, { decision: 'approved' });
process.stdout.write('ended\n');
setInterval(() => {}, 1000);
