/**
 * Stories about markup in an agent's text. The markup is shown as plain text: nothing is fetched, nothing runs, and hidden characters are
 * made visible.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask, launchBesideAgent, log, startAgent } from '../../agents/agent-panel.ts';
import { browserAside } from '../../desktop/browser-aside.ts';
import { expect, test } from '../../desktop/fixture.ts';

const RUNS = 'window.ran=1';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUNS}"><script>${RUNS}</script></svg>`;

/** Returns markup that other programs would render, fetch or run. The address in it records each visit. */
function markup(at: string): string[] {
  return [
    `![a picture](${at}/image.png)`,
    `![by a reference][pic]\n\n[pic]: ${at}/reference.png "title"`,
    `[![a picture as a link](${at}/inner.png)](javascript:${RUNS})`,
    `![as data](data:image/svg+xml,${encodeURIComponent(SVG)})`,
    `![as data, too](data:text/html;base64,${Buffer.from(`<script>${RUNS}</script>`).toString('base64')})`,
    `![of this machine](file:///etc/passwd) ![of the program](app://workbench/index.html)`,
    SVG,
    `<img src="${at}/html.png" onerror="${RUNS}"> <IMG SRC=x OnError="${RUNS}">`,
    `<script>${RUNS}</script><script src="${at}/script.js"></script>`,
    `<iframe src="${at}/frame"></iframe><object data="${at}/object"></object><embed src="${at}/embed">`,
    `<link rel="stylesheet" href="${at}/style.css"><style>@import "${at}/import.css"; * { display: none }</style>`,
    `<meta http-equiv="refresh" content="0;url=${at}/refresh"><base href="${at}/">`,
    `<form action="${at}/form"><input autofocus onfocus="${RUNS}"><button>Approve</button></form>`,
    `<video src="${at}/video" autoplay></video><audio src="${at}/audio" autoplay></audio>`,
    `<details open ontoggle="${RUNS}"><summary>more</summary>`,
    `<math><mtext><table><mglyph><style><img src=x onerror="${RUNS}">`,
    `[run](javascript:${RUNS}) [run](JaVaScRiPt:${RUNS}) [run](vbscript:x) [run](data:text/html,<script>${RUNS}</script>)`,
    `[run](&#106;avascript:${RUNS}) [run](java\u200Bscript:${RUNS}) [run](blob:app://workbench/x) [run](app://approval/index.html)`,
    `[file](file:///etc/passwd) [share](file://server/share) [share](\\\\server\\share) [smb](smb://server/x) [vscode](vscode://x)`,
    `<javascript:${RUNS}> <file:///etc/passwd> <${at}/angle>`,
    `${at}/bare and http://127.0.0.1\u2044@evil.example/ and https://bank.example\u202Egnp.moc.live/`,
    `[bidi \u202Etxet\u202C](https://example.org/\u202Egnp.exe) and [xn--](https://ex\u0430mple.org/)`,
    `| ![cell](${at}/cell.png) | <img src="${at}/cell-html.png"> |\n| --- | --- |\n${`| [x](javascript:${RUNS}) | **y** |\n`.repeat(400)}`,
    `| ${'wide | '.repeat(300)}\n| ${'--- | '.repeat(300)}\n| ${'cell | '.repeat(300)}`,
    `\`\`\`mermaid\nflowchart TD\n  A["<img src='${at}/mermaid.png' onerror='${RUNS}'>"] --> B\n  click A "javascript:${RUNS}"\n\`\`\``,
    `\`\`\`html\n<script>${RUNS}</script>\n\`\`\`\n\n\`\`\`svg\n${SVG}\n\`\`\``,
    `$$\\href{javascript:${RUNS}}{x} \\includegraphics{${at}/tex.png} \\def\\x{\\x\\x}\\x$$ and $\\url{${at}/tex}$`,
    `\`\`\`" onmouseover="${RUNS}" style="x\nan info string\n\`\`\``,
    `# <img src="${at}/head.png" onerror="${RUNS}">\n\n> <img src="${at}/quote.png">\n\n- <img src="${at}/item.png">`,
  ];
}

const LIVE =
  'img, picture, iframe, object, embed, script, style, link, meta, base, form, input, video, audio, a[href], area, math, details, canvas, svg [onload], [onerror], [onmouseover]';

test('Markup of an agent fetches nothing, runs nothing and leads nowhere, wherever the agent puts it [issue 34.5]', async ({
  launch,
}, info) => {
  const visits: string[] = [];
  const server = createServer(({ url }, response) => {
    visits.push(url!);
    response.end('window.ran = 1');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pieces = markup(address);
  const all = `${pieces.join('\n\n')}\n\nThe end of all this.`;
  const inline = pieces.join(' ').replaceAll('\n', ' ').slice(0, 4000);
  const desktop = await launchBesideAgent(launch, info, {
    turns: [
      {
        steps: [
          { think: all },
          { plan: [{ content: inline, status: 'pending' }] },
          { lie: `<img src=x onerror="${RUNS}">`, arguments: { code: all, [inline.slice(0, 100)]: inline } },
          // Sends the text in small pieces, as models write, so that each partial text is drawn too.
          { say: all, pieces: 60 },
        ],
      },
    ],
  });
  const { page } = desktop;
  const opened = await browserAside(desktop);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await desktop.review(); // waits until the page of Review exists
  const before = desktop.app.windows().length;
  const here = page.url();
  await page.evaluate(() => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      refused.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  await startAgent(desktop);
  await ask(desktop, 'Show me.');
  const said = log(desktop).getByRole('article', { name: /said$/ }).last();
  await expect(said).toContainText('The end of all this.', { timeout: 30_000 });
  await page.screenshot({ path: info.outputPath('markup.png') });

  // Unfolds everything, and presses every link.
  for (const folded of await log(desktop).locator('button[aria-expanded=false]').all()) await folded.click();
  expect(await log(desktop).locator(LIVE).count()).toBe(0);
  const links = said.getByRole('button', { name: /^(run|file|share|smb|vscode)$/ });
  const told = page.getByRole('alertdialog');
  expect(await links.count()).toBeGreaterThan(10);
  for (const link of (await links.all()).slice(0, 20)) {
    await link.click();
    await expect(told).toBeVisible();
    await expect(told.getByRole('button', { name: 'Open', exact: true })).toHaveCount(0);
    await told.getByRole('button', { name: 'Close' }).click();
    await expect(told).toBeHidden();
  }

  const found = await page.evaluate(() => {
    const { ran = 0, refused } = window as unknown as { ran?: number; refused: string[] };
    return { ran, refused, address: location.href };
  });
  expect(found).toEqual({ ran: 0, refused: [], address: here });
  expect(requested.filter((url) => !/^(app:\/\/workbench\/|data:|blob:app:)/.test(url))).toEqual([]);
  expect(visits).toEqual([]);
  expect(await opened()).toEqual([]);
  expect(desktop.app.windows().length).toBe(before);
  // A page that is opened without asking the person first is refused.
  const refused = page.evaluate(() =>
    Promise.allSettled(
      ['file:///etc/passwd', 'https://bank.example@evil.example/'].map((wanted) =>
        window.workbench.call('app.openAddress', { address: wanted }),
      ),
    ),
  );
  for (const result of await refused)
    expect(result).toMatchObject({
      reason: { message: expect.stringMatching(/Lisp Workbench does not open addresses of this kind/) },
    });
  expect(await opened()).toEqual([]);
  // The page still works.
  await desktop.repl('(+ 20 22)');
  await expect(desktop.region('REPL')).toContainText('42');
  server.close();
});
