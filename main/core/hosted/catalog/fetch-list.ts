/** Fetches the list of the registry, within a deadline and a size. */
import { WorkbenchError } from '#core/base/error.ts';
import { fetchFailure, fetchOverHttps, hostOf, type FetchedResponse } from '../programs/https-fetch.ts';

export interface FetchLimits {
  /** Milliseconds for all of it. */
  readonly deadlineMs: number;
  /** Octets of the list. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
}

/** @throws WorkbenchError in one sentence, with what to do. */
export async function fetchList(
  address: string,
  { deadlineMs, most, signal, environment }: FetchLimits,
): Promise<string> {
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetchOverHttps({
      address,
      what: 'The list',
      headers: { accept: 'application/json' },
      signal: AbortSignal.any([deadline, signal]),
      environment,
    });
    return await textOf(response, most);
  } catch (error) {
    if (!(error instanceof WorkbenchError) && deadline.aborted)
      throw new WorkbenchError(
        'system',
        `${hostOf(address)} did not send the list within ${deadlineMs / 1_000} seconds. Check the network, and try again.`,
      );
    if (signal.aborted) throw new WorkbenchError('cancelled', 'It was cancelled.');
    throw fetchFailure(address, error);
  }
}

async function textOf(response: FetchedResponse, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (size > most)
      throw new WorkbenchError(
        'too-large',
        `The list is larger than ${Math.floor(most / 1_000)} kB, so it was not taken.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
