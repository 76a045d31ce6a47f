/** `app://` serves the two pages from the build folder, each to its own origin, under a strict content policy. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol, type Session, type WebContents } from 'electron';
import { pageName } from './scheme-names.ts';

const PAGES = path.join(import.meta.dirname, '..', 'renderer');

export const WORKBENCH_PAGE = 'app://workbench/index.html';
export const APPROVAL_PAGE = 'app://approval/approval/index.html';

const POLICY = {
  // Monaco writes style elements and draws some icons from data URLs.
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

/** Must run before Electron is ready. The code cache spares the next launch the compiling of the page's scripts. */
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

/** The content of a file as a stream: a response copies what it is given as octets, which takes main's thread for megabytes of scripts. */
function streamed(body: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(body);
      controller.close();
    },
  });
}

/** Files of the first page by their names, until it asks for them. */
const ahead = new Map<string, ReturnType<typeof readPageFile>>();

/** Reads the page of the window and what that begins with, while Electron gets ready. */
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

/** A page that has not got its scripts after this many milliseconds is not waited for. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Resolves when `page` has received the scripts and style sheets that it begins with. Main's thread hands them over, so work that
 * takes it for long at a start waits until then, and runs beside the page's own. A page that stops loading or takes too long
 * resolves it, too.
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
