/**
 * The checks that every HTTP request must pass before it is processed (K1): Host, Origin, token, content type, size and depth. The checks
 * are pure functions; the server calls them. Each refusal contains advice but no internal information.
 */
import { parseStrict } from '../strict-json.ts';

export interface Refusal {
  readonly status: 400 | 401 | 403 | 408 | 413 | 415 | 429;
  readonly message: string;
}

export const BODY_LIMIT = 4 * 1024 * 1024;

/** Returns the hosts that a server accepts. If a request has any other host, a foreign name points to this machine. */
export function allowedHosts(
  { port, address, secure }: { readonly port: number; readonly address: string; readonly secure: boolean },
  more: readonly string[] = [],
): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', ...(address === '::' || address === '::1' ? ['[::1]'] : [])];
  // Clients omit the port in the Host header if it is the scheme's default port.
  const usual = port === (secure ? 443 : 80) ? names : [];
  return new Set([...names.map((name) => `${name}:${port}`), ...usual, ...more]);
}

/**
 * Refuses a Host header that is not exactly one of ours. This prevents DNS rebinding, because browsers send the name from which the page
 * was loaded.
 */
export function checkHost(host: string | undefined, allowed: ReadonlySet<string>): Refusal | null {
  return host !== undefined && allowed.has(host)
    ? null
    : {
        status: 403,
        message: `This server does not accept requests for the host ${quoted(host)}. Use 127.0.0.1 with its port.`,
      };
}

/**
 * Checks the other parts of a request that can name a host. These are a second Host header, which a proxy may have used, and a complete URI
 * in the first line, which has priority over Host (RFC 9112, 3.2.2).
 */
export function checkTarget(
  url: string | undefined,
  rawHeaders: readonly string[],
  allowed: ReadonlySet<string>,
): Refusal | null {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) return { status: 400, message: 'This request names two hosts. Send one Host header.' };
  if (url === undefined || url.startsWith('/') || url === '*') return null;
  const named = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  return checkHost(named ?? url, allowed);
}

/**
 * Refuses requests from web pages, because web pages are not clients. These are requests with an Origin that is not listed, and requests
 * without an Origin if `Sec-Fetch-Site` shows that a page sent them.
 */
export function checkOrigin(
  { origin, 'sec-fetch-site': site }: Readonly<Record<string, string | string[] | undefined>>,
  allowed: ReadonlySet<string>,
): Refusal | null {
  const fromPage = origin === undefined ? site !== undefined && site !== 'none' : !allowed.has(String(origin));
  return fromPage ? { status: 403, message: 'Requests from web pages are refused.' } : null;
}

/** Returns the token in the header `Authorization: Bearer TOKEN`; null if there is none. Tokens in other places are ignored. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

export const UNAUTHORIZED: Refusal = {
  status: 401,
  message:
    'A bearer token is needed: send the header "Authorization: Bearer TOKEN". Get one with "Connect an AI client…" in the window, or from the line that serve prints.',
};

export const UNKNOWN_TOKEN: Refusal = {
  status: 401,
  message:
    'This bearer token is not valid: it may have been replaced or revoked. Get a new one with "Connect an AI client…" in the window, or from the line that serve prints.',
};

/** Refuses a body that is not JSON. Any page can post a form or plain text without permission, but it cannot post JSON. */
export function checkJsonType(contentType: string | undefined): Refusal | null {
  return /^application\/json\s*(;|$)/i.test(contentType ?? '')
    ? null
    : { status: 415, message: 'The body must be JSON: send "Content-Type: application/json".' };
}

/** Parses JSON. Refuses a text that is too large or ambiguous. */
export function parseBody(body: Buffer): { value: unknown } | Refusal {
  if (body.length > BODY_LIMIT) return { status: 413, message: `The body has more than ${BODY_LIMIT} bytes.` };
  const parsed = parseStrict(body);
  return 'value' in parsed ? parsed : { status: 400, message: parsed.fault };
}

function quoted(host: string | undefined): string {
  return host === undefined ? '(none)' : JSON.stringify(host.slice(0, 100));
}
