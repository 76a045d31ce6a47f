/** The minimal secure program that shows Monaco in a window. It has its own URL scheme and a sandboxed page. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
// This is a separate program, not a part of the workbench.
// oxlint-disable-next-line no-restricted-imports
import { app, BrowserWindow, protocol } from 'electron';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ttf': 'font/ttf',
};

protocol.registerSchemesAsPrivileged([
  { scheme: 'bare', privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => app.quit());
app.on('window-all-closed', () => app.quit());

void app.whenReady().then(() => {
  protocol.handle('bare', async ({ url }) => {
    const file = path.join(import.meta.dirname, 'page', path.normalize(new URL(url).pathname));
    const body = await readFile(file).catch(() => null);
    if (!body) return new Response('Not found', { status: 404 });
    return new Response(new Uint8Array(body), {
      headers: { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' },
    });
  });
  const window = new BrowserWindow({ width: 1600, height: 1000, show: false, webPreferences: { sandbox: true } });
  window.once('ready-to-show', () => window.show());
  return window.loadURL('bare://window/index.html');
});
