/** Fetches the registry's list, with a deadline and a size limit. */
import { WorkbenchError } from '#core/base/error.ts';
import { fetchFailure, fetchOverHttps, hostOf, type FetchedResponse } from '#core/downloads/https-fetch.ts';

export interface FetchLimits {
  /** How long the whole fetch may take, in milliseconds. */
  readonly deadlineMs: number;
  /** The maximum size of the list in octets. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
}

/** Fetches the list. @throws WorkbenchError with a one-sentence message that includes advice. */
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
    if (signal.aborted) throw new WorkbenchError('cancelled', 'The refresh was cancelled.');
    throw fetchFailure(address, error);
  }
}

async function textOf(response: FetchedResponse, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest of the download.
    if (size > most)
      throw new WorkbenchError(
        'too-large',
        `The list is larger than ${Math.floor(most / 1_000)} kB, so it was rejected.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
