/**
 * The secret that identifies the user of Emacs: the first line of `~/.slime-secret`, which SLIME sends as soon as it connects. An
 * environment variable can replace it here, but Emacs always reads the file.
 */
import { randomBytes } from 'node:crypto';
import { chmod, open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, systemCode, WorkbenchError } from '#core/base/error.ts';

const FILE = '.slime-secret';
/** A packet with a longer secret is refused before it is read. */
export const LONGEST_SECRET = 4096;
const GROUP_AND_OTHERS = 0o077;

export function secretFile(home: string): string {
  return path.join(home, FILE);
}

/** The error for a missing or unusable secret, with an action that the person can start with a click. */
export class NoSecret extends WorkbenchError {
  readonly offer: 'create-secret' | 'protect-secret' | null;

  constructor(message: string, offer: NoSecret['offer']) {
    super('refused', message);
    this.offer = offer;
  }
}

/** Reads the secret. @throws NoSecret if there is no secret, or if other users can read it. */
export async function readSecret(file: string): Promise<string> {
  let text: string;
  let mode: number;
  try {
    text = await readFile(file, 'utf8');
    ({ mode } = await stat(file));
  } catch (error) {
    if (systemCode(error) === 'ENOENT')
      throw new NoSecret(
        `The secret file does not exist: Emacs needs the first line of ${file} to connect. Create it, here or manually, and start SWANK again.`,
        'create-secret',
      );
    throw new NoSecret(`The secret in ${file} cannot be read (${messageOf(error)}). Fix that, and start again.`, null);
  }
  const [secret = ''] = text.split(/\r?\n/, 1);
  if (secret.trim() === '')
    throw new NoSecret(
      `The first line of ${file}, which must contain the secret, is empty. Write the secret there, or delete the file and create it here.`,
      null,
    );
  if (Buffer.byteLength(secret) > LONGEST_SECRET)
    throw new NoSecret(
      `The first line of ${file} has more than ${LONGEST_SECRET} bytes. Write a shorter secret.`,
      null,
    );
  if (process.platform !== 'win32' && (mode & GROUP_AND_OTHERS) !== 0)
    throw new NoSecret(
      `Other users of this machine can read the secret in ${file}. Make it private (chmod 600), and start again.`,
      'protect-secret',
    );
  return secret;
}

/** Creates the file with a random secret, readable only by its owner. An existing file does not change. */
export async function createSecret(file: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return;
    throw new WorkbenchError('system', `${file} cannot be written (${messageOf(error)}).`, { cause: error });
  }
}

export async function protectSecret(file: string): Promise<void> {
  await chmod(file, 0o600);
}
