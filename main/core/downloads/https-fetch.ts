/**
 * Fetches over HTTPS, following redirects and using the proxy from the environment. HTTP is only allowed for servers on this machine, for
 * tests and mirrors.
 */
import { messageOf, systemCode, WorkbenchError } from '#core/base/error.ts';

export interface HttpsRequest {
  readonly address: string;
  /** The subject of the sentence in an error message, such as `The list`. */
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The variables that configure a proxy and the hosts that bypass it: `HTTPS_PROXY` and `NO_PROXY`, in upper or lower case. */
  readonly environment: NodeJS.ProcessEnv;
}

/** The fields of a response that are used. */
export interface FetchedResponse {
  /** 200, or 206 for the part of a file that a `range` header requested. */
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

const MOST_REDIRECTS = 5;
/**
 * The number of octets that may wait to be read, so that the library never pauses a response: if a server closes the connection while a
 * response is paused, the library throws where nobody can catch it (undici 7, issue 5360). The readers limit the size of what they accept.
 */
const UNLIMITED = 2 ** 40;

/**
 * Resolves with a response of status 200 or 206. Follows redirects itself, because the library would follow them to any address. @throws
 * WorkbenchError with advice for the person.
 */
export async function fetchOverHttps(request: HttpsRequest): Promise<FetchedResponse> {
  const { address, what, headers, signal, environment } = request;
  // Loaded only at the first fetch, because data is only fetched when the person requests it.
  const { request: send, EnvHttpProxyAgent } = await import('undici');
  const { HTTPS_PROXY = '', NO_PROXY = '', https_proxy = HTTPS_PROXY, no_proxy = NO_PROXY } = environment;
  // With an empty string, the library ignores the proxy variables of this process.
  const dispatcher = new EnvHttpProxyAgent({ httpProxy: '', httpsProxy: https_proxy, noProxy: no_proxy });
  let next = address;
  for (let count = 0; count <= MOST_REDIRECTS; count += 1) {
    requireSafe(next, address, what);
    const {
      statusCode,
      headers: received,
      body,
    } = await send(next, {
      signal,
      headers: { 'user-agent': 'lisp-workbench', ...headers },
      dispatcher,
      highWaterMark: UNLIMITED,
    });
    const header = (name: string): string | null => {
      const value = received[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    };
    if (statusCode === 200 || statusCode === 206) return { status: statusCode, headers: { get: header }, body };
    await body.dump();
    const { host } = new URL(next);
    const to = header('location');
    if (statusCode < 300 || statusCode > 399 || to === null)
      throw new WorkbenchError('system', `${host} answered with the status ${statusCode}. Try again later.`);
    if (!URL.canParse(to, next))
      throw new WorkbenchError('refused', `${host} redirects without an address. Try again later.`);
    next = new URL(to, next).href;
  }
  throw new WorkbenchError('refused', `${hostOf(address)} redirects too many times. Try again later.`);
}

/** Returns an error that describes why a fetch failed, in one sentence with advice. */
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

/** Returns true for an HTTPS address, and for an HTTP address on this machine. */
export function isSafe(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere(url));
}

/**
 * Checks an address. HTTP on this machine is allowed only if the first address is on this machine too. @throws WorkbenchError for an unsafe
 * address.
 */
function requireSafe(address: string, first: string, what: string): void {
  const isOverHttps = URL.canParse(address) && new URL(address).protocol === 'https:';
  if (isOverHttps || (isSafe(address) && isHere(new URL(first)))) return;
  throw new WorkbenchError('refused', `${what} is downloaded over HTTPS only, not from ${address.slice(0, 200)}.`);
}

function isHere({ hostname }: URL): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}
