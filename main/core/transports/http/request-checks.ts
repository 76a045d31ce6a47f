/**
 * The checks that every HTTP request must pass before anything else looks at it (K1): Host, Origin, token, content type, size,
 * depth. Pure checks; the server stands around them. Each refusal says what to do and gives nothing away.
 */
import { parseStrict } from '../strict-json.ts';

export interface Refusal {
  readonly status: 400 | 401 | 403 | 408 | 413 | 415 | 429;
  readonly message: string;
}

export const BODY_LIMIT = 4 * 1024 * 1024;

/** Hosts that a server answers to; everything else is a name that somebody pointed at this machine. */
export function allowedHosts(
  { port, address, secure }: { readonly port: number; readonly address: string; readonly secure: boolean },
  more: readonly string[] = [],
): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', ...(address === '::' || address === '::1' ? ['[::1]'] : [])];
  // A client leaves out the port that its scheme has by itself.
  const usual = port === (secure ? 443 : 80) ? names : [];
  return new Set([...names.map((name) => `${name}:${port}`), ...usual, ...more]);
}

/** Host must be exactly one of ours: browsers send the name that the page was loaded from (DNS rebinding). */
export function checkHost(host: string | undefined, allowed: ReadonlySet<string>): Refusal | null {
  return host !== undefined && allowed.has(host)
    ? null
    : { status: 403, message: `This server does not accept requests for the host ${quoted(host)}. Use 127.0.0.1 with its port.` };
}

/**
 * Checks the other parts of a request that could name a host: a second Host header, which some other program on the way may have
 * gone by, and a whole URI in the first line, which counts more than Host does (RFC 9112, 3.2.2).
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
 * Refuses web pages, which are no clients: a request that bears an Origin is refused unless listed, and so is one of which the
 * browser says (`Sec-Fetch-Site`) that a page made it, as it does also where it sends no Origin.
 */
export function checkOrigin(
  { origin, 'sec-fetch-site': site }: Readonly<Record<string, string | string[] | undefined>>,
  allowed: ReadonlySet<string>,
): Refusal | null {
  const fromPage = origin === undefined ? site !== undefined && site !== 'none' : !allowed.has(String(origin));
  return fromPage ? { status: 403, message: 'Requests from web pages are refused.' } : null;
}

/** The token of `Authorization: Bearer TOKEN`; null when there is none. Never looked for anywhere else. */
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

/** A form or plain text can be posted by any page without asking; JSON cannot. */
export function checkJsonType(contentType: string | undefined): Refusal | null {
  return /^application\/json\s*(;|$)/i.test(contentType ?? '')
    ? null
    : { status: 415, message: 'The body must be JSON: send "Content-Type: application/json".' };
}

/** Parses JSON that is neither too large nor misleading. */
export function parseBody(body: Buffer): { value: unknown } | Refusal {
  if (body.length > BODY_LIMIT) return { status: 413, message: `The body has more than ${BODY_LIMIT} bytes.` };
  const parsed = parseStrict(body);
  return 'value' in parsed ? parsed : { status: 400, message: parsed.fault };
}

function quoted(host: string | undefined): string {
  return host === undefined ? '(none)' : JSON.stringify(host.slice(0, 100));
}
