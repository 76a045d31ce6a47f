/** Downloads a file over HTTPS, within a size, with its progress and its checksum. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { WorkbenchError } from '#core/base/error.ts';
import { fetchFailure, fetchOverHttps, hostOf } from '../programs/https-fetch.ts';

export interface DownloadRequest {
  /** Octets of the file. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly progress: (words: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  /** Milliseconds without a new octet after which it is given up. */
  readonly idleMs?: number;
}

const IDLE_MS = 60_000;

/** Resolves with the SHA-256 of the file, in hexadecimal digits. @throws WorkbenchError with what to do; the error of the system for a file that cannot be written. */
export async function downloadFile(
  address: string,
  file: string,
  { most, signal, progress, environment, idleMs = IDLE_MS }: DownloadRequest,
): Promise<string> {
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), idleMs);
  const hash = createHash('sha256');
  const handle = await open(file, 'wx', 0o600);
  /** Hands on what is read from the network, so that an error of the disk is not taken for one of the network. */
  async function* received(): AsyncGenerator<Uint8Array> {
    try {
      const response = await fetchOverHttps({
        address,
        what: 'The program',
        // Compressed once more it would not be the file that has the checksum.
        headers: { 'accept-encoding': 'identity' },
        signal: AbortSignal.any([signal, idle.signal]),
        environment,
      });
      const announced = Number(response.headers.get('content-length') ?? 0);
      let size = 0;
      for await (const chunk of response.body ?? []) {
        timer.refresh();
        size += chunk.byteLength;
        if (Math.max(size, announced) > most)
          throw new WorkbenchError(
            'too-large',
            `The download is larger than ${megabytes(most)} MB, so it was not taken.`,
          );
        progress(`Downloading it: ${inUnits(size)} ${announced > 0 ? `of ${inUnits(announced)}` : 'so far'}`);
        yield chunk;
      }
      if (size === 0) throw new WorkbenchError('refused', `${hostOf(address)} sent an empty file. Try again later.`);
    } catch (error) {
      signal.throwIfAborted();
      if (idle.signal.aborted)
        throw new WorkbenchError(
          'system',
          `${hostOf(address)} sent nothing for ${idleMs / 1_000} seconds. Check the network, and try again.`,
        );
      throw fetchFailure(address, error);
    }
  }
  try {
    for await (const chunk of received()) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
  } finally {
    clearTimeout(timer);
    await handle.close();
  }
  return hash.digest('hex');
}

/** A size in words, fine enough that a small file that is on its way does not look finished. */
function inUnits(octets: number): string {
  if (octets < 1_000_000) return `${Math.floor(octets / 1_000)} kB`;
  return octets < 10_000_000 ? `${(octets / 1_000_000).toFixed(1)} MB` : `${megabytes(octets)} MB`;
}

function megabytes(octets: number): number {
  return Math.ceil(octets / 1_000_000);
}
