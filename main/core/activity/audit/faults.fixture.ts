/** A program whose audit encounters a full disk. The test kills the program at that point: `node faults.fixture.ts FOLDER`. */
import path from 'node:path';
import { PERSON } from '#contract/clients/known-actors.ts';
import { fillDisk } from '#core/settings/small-disk.fixture.ts';
import { Audit } from './audit.ts';
import { ActivityStream } from '../stream.ts';

const folder = process.argv[2]!;
const audit = new Audit(path.join(folder, 'audit'), 90);
const stream = new ActivityStream();
stream.events.on('batch', (events) => audit.append(events));
const tell = (summary: string): unknown =>
  stream.publish({ kind: 'session-changed', actor: PERSON, change: 'started', summary });
for (let index = 0; index < 5; index += 1) tell(`before ${index}`);
fillDisk(folder);
for (let index = 0; index < 300; index += 1) tell(`lost ${index} ${'x'.repeat(5000)}`);
process.stdout.write(`${audit.failure}\n`);
setInterval(() => {}, 1000);
