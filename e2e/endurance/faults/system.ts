/** Faults of the system around the program: disks, folders, the program's files, and signals to the program itself. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { kill } from '../served.ts';
import type { Fault, Trial } from './fault.ts';

/** Ends the image and all its checkpoints, so that the next image starts from the core. */
async function endImage({ copies, imagePid }: Trial): Promise<void> {
  const live = await imagePid();
  for (const pid of [...(await copies()), live]) kill(pid, 'SIGKILL');
}

const EFFECT =
  '(with-open-file (it "effect.txt" :direction :output :if-exists :supersede) (write-line "x" it) :written)';

const disks: Fault[] = [
  {
    family: 'disk',
    name: 'a full disk',
    told: /recorded|disk|space|=> /i,
    gap: true,
    inject: async ({ place, agent }) => {
      place.disk.fill();
      try {
        return `${await agent.evaluate('(list 1 2)')}\n${await agent.evaluate(EFFECT)}`;
      } finally {
        place.disk.free();
      }
    },
  },
  {
    family: 'disk',
    name: 'a full disk when the image ends',
    told: /SIGKILL|IMAGE-LOST|checkpoint|fresh image/,
    gap: true,
    inject: async (trial) => {
      trial.place.disk.fill();
      try {
        await endImage(trial);
        return await trial.agent.evaluate('(list 1 2)');
      } finally {
        trial.place.disk.free();
      }
    },
  },
];

const files: Fault[] = [
  {
    family: 'files',
    name: 'a core that was cut off',
    told: /SIGKILL|IMAGE-LOST|fresh image/,
    inject: async (trial) => {
      await replaceCores(trial, (whole) => whole.subarray(0, 1_000_000));
      await endImage(trial);
      return trial.agent.evaluate(':after');
    },
  },
  {
    family: 'files',
    name: 'a core that is no core',
    told: /SIGKILL|IMAGE-LOST|fresh image/,
    inject: async (trial) => {
      await replaceCores(trial, () => Buffer.from('no core\n'.repeat(1000)));
      await endImage(trial);
      return trial.agent.evaluate(':after');
    },
  },
  {
    family: 'files',
    name: 'no cores',
    told: /SIGKILL|IMAGE-LOST|fresh image/,
    inject: async (trial) => {
      for (const name of await coresOf(trial)) await rm(path.join(trial.place.cores, name));
      await endImage(trial);
      return trial.agent.evaluate(':after');
    },
  },
  {
    family: 'files',
    name: 'a working directory that was deleted',
    told: /=>|ERROR/,
    inject: async ({ agent, place }) => {
      const folder = path.join(place.project, 'short-lived');
      await mkdir(folder);
      const changed = await agent.evaluate(
        `(progn (require :sb-posix) (funcall (intern "CHDIR" :sb-posix) ${JSON.stringify(folder)}))`,
      );
      await rm(folder, { recursive: true });
      return `${changed}\n${await agent.evaluate('(list (probe-file "x") (directory "*"))')}`;
    },
  },
  {
    family: 'files',
    name: 'a project that is not there when the image ends',
    told: /SIGKILL|IMAGE-LOST|fresh image|not there|no such/i,
    inject: async (trial) => {
      const { project, root } = trial.place;
      await rename(project, path.join(root, 'moved'));
      try {
        await endImage(trial);
        return await trial.agent.evaluate(':after');
      } finally {
        await rename(path.join(root, 'moved'), project);
      }
    },
  },
  {
    family: 'files',
    name: 'a folder for temporary files that was emptied',
    told: /=> /,
    inject: async ({ agent, place }) => {
      for (const name of await readdir(place.temporary))
        await rm(path.join(place.temporary, name), { recursive: true, force: true });
      return agent.evaluate('(progn (print 1) 2)');
    },
  },
];

/** Returns a fault that ends the program and starts it again. */
const ended = (signal: NodeJS.Signals, code: string | null): Fault => ({
  family: 'signals to the program',
  name: `${signal} of serve ${code === null ? 'at rest' : 'at work'}`,
  told: null,
  inject: async ({ served, begin, restart }) => {
    // A client whose server no longer runs waits until its own time limit, so its call is not awaited.
    if (code !== null) await begin(code);
    served().signal(signal);
    await restart();
    return '';
  },
});

const program: Fault[] = [
  ...(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const).flatMap((signal) => [
    ended(signal, null),
    ended(signal, '(loop while t do (print 1))'),
  ]),
  {
    family: 'signals to the program',
    name: 'SIGSTOP and SIGCONT of serve',
    told: /=> 7/,
    inject: async ({ served, agent }) => {
      served().signal('SIGSTOP');
      const answer = agent.evaluate('(+ 3 4)');
      setTimeout(() => served().signal('SIGCONT'), 3_000);
      return answer;
    },
  },
  {
    family: 'signals to the program',
    name: 'settings and clients that are garbage at the start',
    told: null,
    inject: async ({ place, served, restart }) => {
      served().signal('SIGKILL');
      for (const name of ['settings.json', 'clients.json', 'trust.json', 'approvals.json'])
        await writeFile(path.join(place.home, 'config', name), '{"version": 99, "x": [');
      await restart();
      for (const name of await readdir(path.join(place.home, 'config')))
        if (/damaged/.test(name) || /^(settings|clients|trust|approvals)\.json$/.test(name))
          await rm(path.join(place.home, 'config', name));
      return '';
    },
  },
  {
    family: 'signals to the program',
    name: 'an audit whose last line was torn at the start',
    told: null,
    inject: async ({ place, served, restart }) => {
      served().signal('SIGKILL');
      await served().ended;
      const folder = path.join(place.home, 'state', 'audit');
      const newest = (await readdir(folder))
        .filter((name) => name.endsWith('.jsonl'))
        .toSorted()
        .at(-1)!;
      await writeFile(path.join(folder, newest), '{"previous":"torn', { flag: 'a' });
      await restart();
      return '';
    },
  },
];

/** Replaces the cores with other files. Images that are running from the old files continue to use the old files. */
async function replaceCores(trial: Trial, change: (whole: Buffer) => Buffer): Promise<void> {
  for (const name of await coresOf(trial)) {
    const file = path.join(trial.place.cores, name);
    await writeFile(`${file}.other`, change(await readFile(file)));
    await rename(`${file}.other`, file);
  }
}

async function coresOf({ place }: Trial): Promise<string[]> {
  return (await readdir(place.cores)).filter((name) => name.endsWith('.core'));
}

export const systemFaults: readonly Fault[] = [...disks, ...files, ...program];
