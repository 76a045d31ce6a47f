/**
 * What every HTTP request must pass before anything else looks at it (K1): Host, Origin, token, content type, size,
 * depth. Pure checks; the server stands around them. Each refusal says what to do and gives nothing away.
 */
import { parseStrict } from './json.ts';

export interface Refusal {
  readonly status: 400 | 401 | 403 | 413 | 415 | 429;
  readonly message: string;
}

export const BODY_LIMIT = 4 * 1024 * 1024;

/** Hosts that a server on `port` answers to; everything else is a name that somebody pointed at this machine. */
export function allowedHosts(port: number, more: readonly string[] = []): ReadonlySet<string> {
  return new Set([`127.0.0.1:${port}`, `localhost:${port}`, ...more]);
}

/** Host must be exactly one of ours: browsers send the name that the page was loaded from (DNS rebinding). */
export function checkHost(host: string | undefined, allowed: ReadonlySet<string>): Refusal | null {
  return host !== undefined && allowed.has(host)
    ? null
    : { status: 403, message: `This server does not answer to the host ${quoted(host)}. Use 127.0.0.1 with its port.` };
}

/** No web page is a client: a request that bears an Origin is refused unless listed. */
export function checkOrigin(origin: string | undefined, allowed: ReadonlySet<string>): Refusal | null {
  return origin === undefined || allowed.has(origin)
    ? null
    : { status: 403, message: 'Requests from web pages are refused.' };
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
