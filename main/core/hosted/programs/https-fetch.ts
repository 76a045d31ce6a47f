/** Fetches over HTTPS, also after redirects, and by the proxy that the environment names; over HTTP from this machine only, for tests and mirrors. */
import { messageOf, systemCode, WorkbenchError } from '#core/base/error.ts';

export interface HttpsRequest {
  readonly address: string;
  /** The subject of a refusal, such as `The list`. */
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The variables that name a proxy and the hosts that need none: `HTTPS_PROXY` and `NO_PROXY`, in capitals or not. */
  readonly environment: NodeJS.ProcessEnv;
}

/** The answer, as far as it is read. */
export interface FetchedResponse {
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

const MOST_REDIRECTS = 5;

/** Resolves with an answer of status 200. Follows redirects by itself: `fetch` would follow them to any address. @throws WorkbenchError with what to do. */
export async function fetchOverHttps(request: HttpsRequest): Promise<FetchedResponse> {
  const { address, what, headers, signal, environment } = request;
  // Loaded with the first fetch: nothing is fetched before the person asks for it.
  const { fetch, EnvHttpProxyAgent } = await import('undici');
  const { HTTPS_PROXY = '', NO_PROXY = '', https_proxy = HTTPS_PROXY, no_proxy = NO_PROXY } = environment;
  // Empty texts, so that the variables of this process do not count.
  const dispatcher = new EnvHttpProxyAgent({ httpProxy: '', httpsProxy: https_proxy, noProxy: no_proxy });
  let next = address;
  for (let count = 0; count <= MOST_REDIRECTS; count += 1) {
    requireSafe(next, address, what);
    const response = await fetch(next, { redirect: 'manual', signal, headers, dispatcher });
    if (response.status === 200) return response;
    await response.body?.cancel();
    const { host } = new URL(next);
    const to = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || to === null)
      throw new WorkbenchError('system', `${host} answered with the status ${response.status}. Try again later.`);
    if (!URL.canParse(to, next)) throw new WorkbenchError('refused', `${host} leads to no address. Try again later.`);
    next = new URL(to, next).href;
  }
  throw new WorkbenchError(
    'refused',
    `${hostOf(address)} leads from one address to the next without end. Try again later.`,
  );
}

/** The error of a fetch in one sentence, with what to do. */
export function fetchFailure(address: string, error: unknown): WorkbenchError {
  if (error instanceof WorkbenchError) return error;
  const cause = (error as Error).cause ?? error;
  return new WorkbenchError(
    'system',
    `${hostOf(address)} could not be reached (${systemCode(cause) ?? messageOf(cause)}). Check the network, and try again.`,
  );
}

export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** True for an address over HTTPS, and for one over HTTP on this machine. */
export function isSafe(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere(url));
}

/** @throws WorkbenchError for an address that is not safe: the first one may be HTTP on this machine, and lead to others there. */
function requireSafe(address: string, first: string, what: string): void {
  const isOverHttps = URL.canParse(address) && new URL(address).protocol === 'https:';
  if (isOverHttps || (isSafe(address) && isHere(new URL(first)))) return;
  throw new WorkbenchError('refused', `${what} is fetched over HTTPS only, and not from ${address.slice(0, 200)}.`);
}

function isHere({ hostname }: URL): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}
