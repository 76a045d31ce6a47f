/** A real ssh server on loopback, for tests. It has its own configuration, keys and port, and runs as the user of the tests. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { target as targetSchema, type Target } from '#contract/target.ts';
import { CACHE_THERE } from './targets.fixture.ts';

export interface SshServer {
  readonly pid: number;
  readonly port: number;
  readonly folder: string;
  /** The ssh options that connect to the server with an accepted key. */
  readonly options: string;
  /** Returns a target that is reached through this server. */
  target(more?: Partial<Target>): Target;
  close(): Promise<void>;
}

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find((each) => existsSync(each)) ?? 'sshd';

export async function startSshServer(): Promise<SshServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ssh-server-'));
  const file = (name: string): string => path.join(folder, name);
  for (const name of ['host', 'user', 'stranger'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  await writeFile(file('authorized_keys'), await readFile(file('user.pub')));
  await chmod(file('authorized_keys'), 0o600);
  const port = await freePort();
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  await writeFile(
    file('sshd_config'),
    [
      `ListenAddress 127.0.0.1:${port}`,
      `HostKey ${file('host')}`,
      `AuthorizedKeysFile ${file('authorized_keys')}`,
      `PidFile ${file('sshd.pid')}`,
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin prohibit-password',
      'StrictModes no',
      'UsePAM no',
      `SetEnv XDG_CACHE_HOME=${CACHE_THERE}`,
      '',
    ].join('\n'),
  );
  await writeFile(file('known_hosts'), `[127.0.0.1]:${port} ${await readFile(file('host.pub'), 'utf8')}`);
  const server = spawn(SSHD, ['-D', '-e', '-f', file('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: server.stderr }).on('line', (line) => {
      said.push(line);
      if (line.includes('Server listening')) resolve();
    });
    server.on('exit', (code) => reject(new Error(`sshd ended with ${code}: ${said.join('\n')}`)));
  });
  const optionsWith = (key: string): string =>
    `-F none -p ${port} -i ${file(key)} -o IdentitiesOnly=yes -o IdentityAgent=none -o UserKnownHostsFile=${file('known_hosts')}`;
  return {
    pid: server.pid!,
    port,
    folder,
    options: optionsWith('user'),
    target: (more = {}) =>
      targetSchema.parse({
        name: 'farbox',
        kind: 'ssh',
        place: `${userInfo().username}@127.0.0.1`,
        options: optionsWith('user'),
        ...more,
      }),
    async close() {
      server.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
