/** A program whose person manages clients while the disk is full. The test kills it afterwards: `node full-disk.fixture.ts FOLDER`. */
import { fillDisk } from '#core/settings/small-disk.fixture.ts';
import { Clients } from './clients.ts';

const folder = process.argv[2]!;
const clients = new Clients(folder);
const revoked = await clients.mint('codex');
const paused = await clients.mint('claude');
const renewed = await clients.mint('cursor');
const going = await clients.mint('qwen');
fillDisk(folder);
const ended: string[] = [];
clients.events.on('revoked', ({ id }) => ended.push(id));
await clients.revoke(revoked.client.id);
await clients.change({ id: paused.client.id, paused: true });
const again = await clients.mint('cursor');
process.stdout.write(
  `${JSON.stringify({
    ended,
    failure: clients.kept.failure,
    tokens: { revoked: revoked.token, paused: paused.token, old: renewed.token, new: again.token, going: going.token },
  })}\n`,
);
setInterval(() => {}, 1000);
