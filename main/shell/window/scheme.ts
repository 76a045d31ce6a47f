/** `app://` serves the two pages from the build folder. Each page has its own origin and a strict content policy. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol, type Session, type WebContents } from 'electron';
import { pageName } from './scheme-names.ts';

const PAGES = path.join(import.meta.dirname, '..', 'renderer');

export const WORKBENCH_PAGE = 'app://workbench/index.html';
export const APPROVAL_PAGE = 'app://approval/approval/index.html';

const POLICY = {
  // Styles and data URLs are allowed, because Monaco creates style elements and draws some icons from data URLs.
  workbench:
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  approval:
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
} as const;

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/**
 * Registers the scheme. This must happen before Electron is ready. Code caching is turned on, so that the next launch does not compile the
 * page's scripts again.
 */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

export function serveScheme(): void {
  protocol.handle('app', async (request) => {
    const { hostname, pathname } = new URL(request.url);
    if (hostname !== 'workbench' && hostname !== 'approval') return notFound();
    const name = pageName(hostname, pathname);
    if (name === null) return notFound();
    const file = path.join(PAGES, name);
    const body = await (takeReadAhead(name) ?? readPageFile(name));
    if (!body) return notFound();
    const headers = {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'content-security-policy': POLICY[hostname],
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    };
    return new Response(streamed(body), { headers });
  });
}

function readPageFile(name: string): Promise<Uint8Array | null> {
  return readFile(path.join(PAGES, name)).catch(() => null);
}

/**
 * Returns the content of a file as a stream. A response copies octets that are passed to it directly, and for megabytes of scripts the
 * copying would block the main thread.
 */
function streamed(body: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(body);
      controller.close();
    },
  });
}

/** Files that the page needs first, by name. Each is stored until the page requests it. */
const ahead = new Map<string, ReturnType<typeof readPageFile>>();

/** Reads the window's page and the files that it needs first, while Electron is starting. */
export async function readAhead(): Promise<void> {
  const page = readPageFile('index.html');
  ahead.set('index.html', page);
  const text = new TextDecoder().decode((await page) ?? undefined);
  for (const [, name = ''] of text.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)) ahead.set(name, readPageFile(name));
}

function takeReadAhead(name: string): ReturnType<typeof readPageFile> | undefined {
  const body = ahead.get(name);
  ahead.delete(name);
  return body;
}

/** The time, in milliseconds, after which the program no longer waits for a page that has not received its scripts. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Resolves when `page` has received its first scripts and style sheets. The main thread delivers them, so long work at start-up should not
 * begin earlier; it then runs in parallel with the page's own work. Also resolves if the page stops loading or takes too long.
 */
export function pageReceived(page: WebContents, session: Session): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const underWay = new Set<number>();
  const filter = { urls: ['app://workbench/assets/*'] };
  session.webRequest.onSendHeaders(filter, ({ id }) => void underWay.add(id));
  session.webRequest.onCompleted(filter, ({ id }) => {
    underWay.delete(id);
    if (underWay.size === 0) resolve();
  });
  page.once('did-stop-loading', resolve);
  const timer = setTimeout(resolve, LONGEST_WAIT_MS);
  return promise.finally(() => {
    clearTimeout(timer);
    page.off('did-stop-loading', resolve);
    session.webRequest.onSendHeaders(null);
    session.webRequest.onCompleted(null);
  });
}

function notFound(): Response {
  return new Response('Not found', { status: 404 });
}
