/** Downloads a file over HTTPS with a size limit, progress reports and a checksum. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { WorkbenchError } from '#core/base/error.ts';
import { fetchFailure, fetchOverHttps, hostOf } from './https-fetch.ts';

export interface DownloadRequest {
  /** The subject of the sentence in an error message, such as `The program`. */
  readonly what: string;
  /** The maximum size of the file in octets. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly progress: (words: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  /** The number of milliseconds without new data after which the download fails. */
  readonly idleMs?: number;
  /** The kind of the returned checksum; SHA-256 if omitted. */
  readonly checksum?: 'sha256' | 'md5';
  /** True to go on after a connection is lost in the middle, from where it was, some times. */
  readonly resume?: boolean;
}

const IDLE_MS = 60_000;
/** The maximum number of times that a download goes on after a lost connection. */
const MOST_RESUMES = 3;

/**
 * Downloads a file. Resolves with its checksum in hexadecimal digits. @throws WorkbenchError with advice for the person, or the system's
 * error if the file is not writable.
 */
export async function downloadFile(
  address: string,
  file: string,
  { what, most, signal, progress, environment, idleMs = IDLE_MS, checksum = 'sha256', resume = false }: DownloadRequest,
): Promise<string> {
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), idleMs);
  let hash = createHash(checksum);
  const handle = await open(file, 'ax', 0o600);
  let size = 0;
  let resumes = 0;
  /** Yields the data from the network. Network errors are converted here, so that a disk error is not mistaken for one. */
  async function* received(): AsyncGenerator<Uint8Array> {
    const before = size;
    try {
      const response = await fetchOverHttps({
        address,
        what,
        // The checksum is that of the uncompressed file.
        headers: { 'accept-encoding': 'identity', ...(size > 0 ? { range: `bytes=${size}-` } : {}) },
        signal: AbortSignal.any([signal, idle.signal]),
        environment,
      });
      // A server that ignores the range sends the whole file again.
      if (response.status === 200 && size > 0) await startAgain();
      const length = Number(response.headers.get('content-length') ?? 0);
      const announced = length > 0 ? size + length : 0;
      for await (const chunk of response.body ?? []) {
        timer.refresh();
        size += chunk.byteLength;
        if (Math.max(size, announced) > most)
          throw new WorkbenchError(
            'too-large',
            `The download is larger than ${megabytes(most)} MB, so it was rejected.`,
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
      const canResume = resume && size > before && resumes < MOST_RESUMES && !(error instanceof WorkbenchError);
      if (!canResume) throw fetchFailure(address, error);
      resumes += 1;
      yield* received();
    }
  }
  async function startAgain(): Promise<void> {
    await handle.truncate(0);
    hash = createHash(checksum);
    size = 0;
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

/** Returns a size in words, precise enough that an incomplete download does not appear complete. */
function inUnits(octets: number): string {
  if (octets < 1_000_000) return `${Math.floor(octets / 1_000)} kB`;
  return octets < 10_000_000 ? `${(octets / 1_000_000).toFixed(1)} MB` : `${megabytes(octets)} MB`;
}

function megabytes(octets: number): number {
  return Math.ceil(octets / 1_000_000);
}
