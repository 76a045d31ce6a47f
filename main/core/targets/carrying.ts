/** Carries installed libraries to a target: an archive is sent over a connection and unpacked there. */
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';
import type { Target } from '#contract/target.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { connect, nonce } from './connection.ts';
import { quoted } from './shell-quoting.ts';

/** How long, in milliseconds, the target may take to unpack the archive. */
const LIMIT_MS = 300_000;

export interface CarryRequest {
  readonly target: Target;
  readonly environment: NodeJS.ProcessEnv;
  /** The folder on this machine that contains the files. */
  readonly from: string;
  /** The files and folders to carry, relative to `from`. */
  readonly names: readonly string[];
  /** The folder on the target. */
  readonly to: string;
  readonly signal: AbortSignal;
}

/** Carries files to a folder of a target. @throws WorkbenchError with what the target said. */
export async function carry({ target, environment, from, names, to, signal }: CarryRequest): Promise<void> {
  const mark = nonce();
  const connection = connect(target, mark, unpackScript(mark, to), environment);
  const abort = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const end = (): void => connection.end();
  abort.addEventListener('abort', end, { once: true });
  try {
    await connection.first;
    let said = '';
    connection.output.setEncoding('utf8').on('data', (text: string) => (said += text));
    const over = new Promise((resolve) => void connection.output.once('end', resolve));
    await pipeline(create({ gzip: true, cwd: from, portable: true }, [...names]), connection.input);
    await over;
    signal.throwIfAborted();
    if (said.trim() !== `${mark} done`) throw new Error(connection.said().trim() || 'The connection was lost.');
  } catch (error) {
    signal.throwIfAborted();
    throw new WorkbenchError(
      'system',
      `The libraries were installed here, but could not be carried to the target ${target.name}. ${(error as Error).message}`,
      { cause: error },
    );
  } finally {
    abort.removeEventListener('abort', end);
    connection.end();
  }
}

function unpackScript(mark: string, folder: string): string {
  return [
    `say() { printf '\\n%s %s\\n' ${mark} "$*"; }`,
    `mkdir -p ${quoted(folder)} && cd ${quoted(folder)} || exit 1`,
    'say ready',
    'tar -xzf - >&2 && say done',
  ].join('; ');
}
