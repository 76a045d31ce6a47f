/** Finds the program that listens on a loopback port, if the system reports it. */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns text such as "node (pid 4711)", or null if the program is unknown. */
export async function portOwner(port: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') return await fromProc(port);
    if (process.platform === 'darwin') return await fromLsof(port);
  } catch {
    // Ignored, because the port is taken even if its program is unknown.
  }
  return null;
}

async function fromProc(port: number): Promise<string | null> {
  const inodes = new Set(
    [...(await listeners('/proc/net/tcp', port)), ...(await listeners('/proc/net/tcp6', port))].map(
      (inode) => `socket:[${inode}]`,
    ),
  );
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    for (const descriptor of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
      if (inodes.has(target)) return `${(await readFile(`/proc/${pid}/comm`, 'utf8')).trim()} (pid ${pid})`;
    }
  }
  return null;
}

const LISTENING = '0A';

/** Returns the inodes of the sockets that listen on `port`. */
async function listeners(table: string, port: number): Promise<string[]> {
  const rows = (await readFile(table, 'utf8').catch(() => '')).trim().split('\n').slice(1);
  const fields = rows.map((row) => row.trim().split(/\s+/));
  return fields
    .filter(([, local, , state]) => state === LISTENING && Number.parseInt(local!.split(':')[1]!, 16) === port)
    .map((row) => row[9]!);
}

async function fromLsof(port: number): Promise<string | null> {
  const { stdout } = await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], { timeout: 2000 });
  const pid = /^p(\d+)/m.exec(stdout)?.[1];
  const command = /^c(.+)/m.exec(stdout)?.[1];
  return pid ? `${command ?? 'a program'} (pid ${pid})` : null;
}
