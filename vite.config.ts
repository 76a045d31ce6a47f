/**
 * One build for everything: the pages, Electron's main process, the two preloads and the commands without a window.
 * All libraries are bundled, so a package holds no node_modules. Output goes to `out/`, one folder an environment.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type BuildEnvironmentOptions, type EnvironmentOptions, type Plugin } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The oldest runtime that the program runs on: Electron 33. */
const CHROME = 'chrome130';
const NODE = 'node20';

/** Builds this environment alone. */
const only = process.env['LISP_WORKBENCH_BUILD'];

/**
 * Letters beyond ASCII are written as escapes. V8 holds a script in two octets a letter as soon as it has one that Latin-1 lacks, and then
 * decodes, digests and reads twice as much at each start.
 */
const ASCII = { removeWhitespace: true, asciiOnly: true };

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
function esModule(name: string, input: string, codeSplitting: boolean): EnvironmentOptions {
  const side = nodeSide({
    outDir: path(`out/${name}`),
    rolldownOptions: {
      input,
      // In one folder: the program finds its files from that of its modules.
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting,
        // Names stay as they are, for the traces of errors.
        minify: { compress: false, mangle: false, codegen: ASCII },
      },
    },
  });
  return { ...side, define: { __filename: 'import.meta.filename' } };
}

/** A sandboxed preload must be one CommonJS file that requires nothing but `electron`. */
function preload(name: string): EnvironmentOptions {
  return nodeSide({
    outDir: path('out/preload'),
    emptyOutDir: false,
    rolldownOptions: {
      input: { [name]: path(`main/shell/window/${name}.ts`) },
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  });
}

/**
 * Refuses pages that hold schemas of the contract: making all of them delays each start by tens of milliseconds. What a page needs of a file
 * with schemas but their types belongs into one without them; a page checks its own shapes with `zod/mini`.
 */
const pagesWithoutSchemas: Plugin = {
  name: 'pages-without-schemas',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
    if (modules.some((id) => id.includes('/zod/v4/classic/'))) {
      const schemas = modules.filter((id) =>
        this.getModuleInfo(id)?.importedIds.some((one) => one.endsWith('/zod/index.js')),
      );
      this.error(`A page imports values of ${schemas.join(', ')}, and with them schemas.`);
    }
  },
};

export default defineConfig({
  plugins: [pagesWithoutSchemas],
  root: path('renderer'),
  base: '/',
  publicDir: false,
  cacheDir: path('node_modules/.cache/vite'),
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) {
        if (environment.name !== 'ssr' && (!only || environment.name === only)) await builder.build(environment);
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
          output: { minify: { compress: true, mangle: true, codegen: ASCII } },
          // Libraries say "use client" to a kind of server that does not exist here.
          onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
        },
      },
    },
    // The window opens with the entry; the rest of the program is loaded while the page is.
    main: esModule('main', path('main/shell/app.ts'), true),
    preload: preload('preload'),
    approvalPreload: preload('approval-preload'),
    cli: esModule('cli', path('main/cli.ts'), true),
  },
  worker: { format: 'es' },
});
