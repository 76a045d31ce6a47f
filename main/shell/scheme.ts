/** `app://` serves the two pages from the build folder, each to its own origin, under a strict content policy. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';

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
    const name = decodeURIComponent(pathname).replace(/^\/+/, '');
    const file = path.join(PAGES, name);
    if (!file.startsWith(PAGES + path.sep) || name.includes('\0') || !belongs(hostname, name)) return notFound();
    const body = await readFile(file).catch(() => null);
    if (!body) return notFound();
    const headers = {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'content-security-policy': POLICY[hostname],
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    };
    return new Response(new Uint8Array(body), { headers });
  });
}

/** The approval page is to be had at its own origin alone, and nothing else there but what it needs. */
function belongs(host: 'workbench' | 'approval', name: string): boolean {
  const isApproval = name.startsWith('approval/');
  return host === 'approval' ? isApproval || name.startsWith('assets/') : !isApproval;
}

function notFound(): Response {
  return new Response('Not found', { status: 404 });
}
