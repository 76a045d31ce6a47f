/** Fetches the list of the registry: within a deadline and a size, and over HTTPS only; over HTTP from this machine, for tests and mirrors. */
import { messageOf, systemCode, WorkbenchError } from '#core/error.ts';

export interface FetchLimits {
  /** Milliseconds for all of it. */
  readonly deadlineMs: number;
  /** Octets of the list. */
  readonly most: number;
  readonly signal: AbortSignal;
}

const MOST_REDIRECTS = 5;

/** @throws WorkbenchError in one sentence, with what to do. */
export async function fetchList(address: string, { deadlineMs, most, signal }: FetchLimits): Promise<string> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const host = URL.canParse(address) ? new URL(address).host : address;
  try {
    const response = await follow(address, AbortSignal.any([deadline, signal]));
    if (!response.ok) {
      await response.body?.cancel();
      throw new WorkbenchError('system', `${host} answered with the status ${response.status}. Try again later.`);
    }
    return await textOf(response, most);
  } catch (error) {
    if (error instanceof WorkbenchError) throw error;
    if (deadline.aborted)
      throw new WorkbenchError(
        'system',
        `${host} did not send the list within ${deadlineMs / 1_000} seconds. Check the network, and try again.`,
      );
    if (signal.aborted) throw new WorkbenchError('cancelled', 'It was cancelled.');
    const cause = (error as Error).cause ?? error;
    throw new WorkbenchError(
      'system',
      `${host} could not be reached (${systemCode(cause) ?? messageOf(cause)}). Check the network, and try again.`,
    );
  }
}

/** Follows redirects by itself: `fetch` would follow them to any address. */
async function follow(address: string, signal: AbortSignal): Promise<Response> {
  let next = address;
  for (let count = 0; count <= MOST_REDIRECTS; count += 1) {
    requireSafe(next, address);
    const response = await fetch(next, { redirect: 'manual', signal, headers: { accept: 'application/json' } });
    const to = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || to === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(to, next))
      throw new WorkbenchError('refused', `${new URL(next).host} leads to no address. Try again later.`);
    next = new URL(to, next).href;
  }
  throw new WorkbenchError(
    'refused',
    `${new URL(address).host} leads from one address to the next without end. Try again later.`,
  );
}

/** @throws WorkbenchError for an address that is not HTTPS; the first one may be HTTP on this machine, and lead to others there. */
function requireSafe(text: string, first: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:') return;
  if (url?.protocol === 'http:' && isHere(url) && isHere(new URL(first))) return;
  throw new WorkbenchError('refused', `The list is fetched over HTTPS only, and not from ${text.slice(0, 200)}.`);
}

function isHere({ hostname }: URL): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}

async function textOf(response: Response, most: number): Promise<string> {
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
