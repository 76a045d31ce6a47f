/**
 * One build for everything: the pages, Electron's main process, the two preloads and the commands without a window.
 * All libraries are bundled, so a package holds no node_modules. Output goes to `out/`, one folder an environment.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type BuildEnvironmentOptions, type EnvironmentOptions } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The oldest runtime that the program runs on: Electron 33. */
const CHROME = 'chrome130';
const NODE = 'node20';

/** An environment that Node or Electron loads: everything bundled except Electron itself and Node's own modules. */
function nodeSide(build: BuildEnvironmentOptions): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: { external: ['electron'], noExternal: true, conditions: ['node', 'import', 'module', 'default'] },
    build: {
      target: NODE,
      ssr: true,
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      ...build,
    },
  };
}

/** An ES module, in which libraries that were written as CommonJS still find the name of their file. */
function esModule(name: string, input: string): EnvironmentOptions {
  const side = nodeSide({
    outDir: path(`out/${name}`),
    rolldownOptions: { input, output: { entryFileNames: '[name].js' } },
  });
  return { ...side, define: { __filename: 'import.meta.filename' } };
}

/** A sandboxed preload must be one CommonJS file that requires nothing but `electron`. */
function preload(name: string): EnvironmentOptions {
  return nodeSide({
    outDir: path('out/preload'),
    emptyOutDir: false,
    rolldownOptions: {
      input: { [name]: path(`main/shell/${name}.ts`) },
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  });
}

export default defineConfig({
  root: path('renderer'),
  base: '/',
  publicDir: false,
  cacheDir: path('node_modules/.cache/vite'),
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) {
        if (environment.name !== 'ssr') await builder.build(environment);
      }
    },
  },
  environments: {
    client: {
      build: {
        target: CHROME,
        outDir: path('out/renderer'),
        emptyOutDir: true,
        // The pages' policy allows no inline script, which the polyfill and inlined assets would need.
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 8000,
        rolldownOptions: {
          input: { index: path('renderer/index.html'), approval: path('renderer/approval/index.html') },
          // Libraries say "use client" to a kind of server that does not exist here.
          onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
        },
      },
    },
    main: esModule('main', path('main/shell/app.ts')),
    preload: preload('preload'),
    approvalPreload: preload('approval-preload'),
    cli: esModule('cli', path('main/cli.ts')),
  },
  worker: { format: 'es' },
});
