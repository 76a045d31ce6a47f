/**
 * A program that requests a write, gets the write approved and performs it: `node crash.fixture.ts FOLDER AFTER …`. For each pair of
 * arguments, it does this in FOLDER, AFTER milliseconds after its start. A test may kill the program at any time.
 */
import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { ApprovalQueue } from './queue.ts';
import { ApprovalRecords } from '../results/records.ts';

flushCompileCache(); // saves Node's compile cache now, because most runs are killed before Node does
const now = performance.now.bind(performance);
let looks = 0;
performance.now = () => now() + (looks += 1) * INERT_MS; // skips the first moments of a card, in which decisions do not count

async function writeIn(folder: string): Promise<void> {
  const records = new ApprovalRecords(path.join(folder, 'approvals.json'));
  const queue = new ApprovalQueue<string>({ minutes: () => 5, records });
  queue.setApprover('the test');
  const { id } = await queue.request({
    actor: { id: 'client:codex', kind: 'client', name: 'codex' },
    call: 'call',
    tool: 'write-file',
    level: 'dangerous',
    arguments: { path: 'file', content: 'x' },
    rule: 'it is dangerous',
    requester: {
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
    },
  });
  await queue.decide(id, queue.view().waiting[0]!.fingerprint, { decision: 'approved' });
  process.stdout.write('ended\n');
}

process.stdout.write('begun\n');
const words = process.argv.slice(2);
for (let index = 0; index < words.length; index += 2)
  setTimeout(() => void writeIn(words[index]!), Number(words[index + 1]));
setInterval(() => {}, 1000);
