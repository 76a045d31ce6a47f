/**
 * The MCP bundle, for clients such as Claude Desktop that install a bundle with a click. It contains the command `mcp` with SBCL and a
 * core, for this system.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb';
import { inRoot } from '../setup/places.mjs';
import { SetupProblem } from '../setup/report.mjs';

const PROGRAM = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/** Returns the bundle's manifest for `platform`. Every setting that the person is asked for has a usable default. */
export function manifest(platform = process.platform) {
  return {
    manifest_version: '0.3',
    name: PROGRAM.name,
    display_name: 'Lisp Workbench',
    version: PROGRAM.version,
    description: PROGRAM.description,
    author: PROGRAM.author,
    homepage: PROGRAM.homepage,
    license: PROGRAM.license,
    icon: 'icon.png',
    keywords: ['lisp', 'common-lisp', 'sbcl', 'repl'],
    server: {
      type: 'node',
      entry_point: 'server/cli.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/server/cli.js', 'mcp'],
        env: { LISP_WORKBENCH_PROJECT: '${user_config.project}', LISP_WORKBENCH_TOKEN: '${user_config.token}' },
      },
    },
    tools_generated: true,
    compatibility: { platforms: [platform], runtimes: { node: PROGRAM.engines.node } },
    user_config: {
      project: {
        type: 'directory',
        title: 'Project folder',
        description: 'The folder that the assistant works in.',
        required: false,
        default: '${HOME}',
      },
      token: {
        type: 'string',
        title: 'Token',
        description:
          'From Connect an AI Client… in the window; without one, the window asks whether the client may join.',
        sensitive: true,
        required: false,
        default: '',
      },
    },
  };
}

/** Returns the bundle's description for registries of MCP servers. `digest` is the file's SHA-256 in hexadecimal. */
export function registryEntry(file, digest) {
  const { host } = new URL(PROGRAM.homepage);
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json',
    name: `${host.split('.').toReversed().join('.')}/${PROGRAM.name}`,
    description: 'A live Common Lisp image that a person and AI clients share, with every action approvable.',
    version: PROGRAM.version,
    packages: [
      {
        registryType: 'mcpb',
        identifier: `${PROGRAM.homepage}/download/${basename(file)}`,
        version: PROGRAM.version,
        fileSha256: digest,
        transport: { type: 'stdio' },
      },
    ],
  };
}

/**
 * Makes the bundle from the content of `made` (SBCL, core, licences). Writes the bundle, and its entry for registries, into `folder`.
 * @returns the files.
 */
export async function makeBundle(made, folder) {
  const stage = join(made, 'mcpb');
  rmSync(stage, { recursive: true, force: true });
  for (const each of [join(stage, 'server'), folder]) mkdirSync(each, { recursive: true });
  const put = (from, to) => cpSync(from, join(stage, to), { recursive: true });
  cpSync(inRoot('out', 'cli'), join(stage, 'server'), { recursive: true, filter: (file) => !file.endsWith('.map') });
  writeFileSync(join(stage, 'server', 'package.json'), '{ "type": "module" }\n');
  cpSync(inRoot('lisp'), join(stage, 'lisp'), { recursive: true, filter: (file) => basename(file) !== 'tests' });
  put(join(made, 'sbcl'), 'sbcl');
  put(join(made, 'engine.core'), 'engine.core');
  put(join(made, 'THIRD-PARTY-LICENSES.txt'), 'THIRD-PARTY-LICENSES.txt');
  copyFileSync(inRoot('LICENSE'), join(stage, 'LICENSE'));
  copyFileSync(inRoot('resources', 'package', 'icons', '512x512.png'), join(stage, 'icon.png'));
  writeFileSync(join(stage, 'manifest.json'), JSON.stringify(manifest(), null, 2));
  const file = join(folder, `${PROGRAM.name}-${PROGRAM.version}-${process.platform}-${process.arch}.mcpb`);
  if (!(await packExtension({ extensionPath: stage, outputPath: file, silent: true })))
    throw new SetupProblem('The bundle could not be packed: its manifest is not valid.');
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  const entry = join(folder, 'server.json');
  writeFileSync(entry, `${JSON.stringify(registryEntry(file, digest), null, 2)}\n`);
  return [file, entry];
}
