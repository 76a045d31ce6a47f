/** Builds the bare program into out/bench/bare, with the same settings as the workbench's own bundle. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { ROOT } from '../harness/setup.ts';

const TARGET = path.join(ROOT, 'out', 'bench', 'bare');

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Bare</title>
    <link rel="stylesheet" href="/assets/page.css" />
    <style>body { margin: 0 } #text { height: 100vh }</style>
    <script type="module" src="/assets/page.js"></script>
  </head>
  <body><div id="text"></div></body>
</html>
`;

/** @returns the folder to pass to Electron. */
export async function buildBare(): Promise<string> {
  const common = { configFile: false, root: import.meta.dirname, publicDir: false, logLevel: 'warn' } as const;
  const names = { entryFileNames: 'assets/[name].js', assetFileNames: 'assets/[name][extname]' };
  await build({
    ...common,
    base: '/',
    build: {
      target: 'chrome130',
      outDir: path.join(TARGET, 'page'),
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 8000,
      rolldownOptions: { input: fileURLToPath(new URL('page.ts', import.meta.url)), output: names },
    },
    worker: { format: 'es' },
  });
  await build({
    ...common,
    ssr: { external: ['electron'], noExternal: true },
    build: {
      target: 'node20',
      ssr: fileURLToPath(new URL('main.ts', import.meta.url)),
      outDir: TARGET,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'main.js' } },
    },
  });
  await writeFile(path.join(TARGET, 'page', 'index.html'), HTML);
  const manifest = { name: 'bare', version: '1.0.0', type: 'module', main: 'main.js' };
  await writeFile(path.join(TARGET, 'package.json'), JSON.stringify(manifest));
  return TARGET;
}
