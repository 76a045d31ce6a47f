/** Entry point of the commands that need no window, such as `mcp`, `serve` and `repl`. Runs from source on Node 24, or bundled on Node 20. */
import './core/base/polyfills.ts';
import * as modules from 'node:module';
import path from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import type { CommandLine } from './cli/options/arguments.ts';
import { runRebuilt } from './cli/rebuilt.ts';
import { UsageError } from './cli/options/usage-error.ts';
import { WorkbenchError } from './core/base/error.ts';
import { findPaths } from './core/settings/paths.ts';

const { version } = packageFile;

/**
 * Runs the command line. Resolves with the exit code, or null if a newly built file runs the command instead. Loads only the modules that
 * the command needs.
 */
async function main(): Promise<number | null> {
  if (await runRebuilt(import.meta.filename)) return null;
  const given = process.argv.slice(2);
  if (given[0] === '--version') {
    process.stdout.write(versionLine());
    return 0;
  }
  keepCompiled();
  const { parseCommandLine, usage } = await import('./cli/options/arguments.ts');
  const { withSecretFiles } = await import('./core/settings/secret-files.ts');
  const line = parseCommandLine(given, withSecretFiles(process.env));
  if (line.command === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  if (line.command === 'version') {
    process.stdout.write(versionLine());
    return 0;
  }
  return await run(line);
}

async function run(line: CommandLine): Promise<number> {
  const { command } = line;
  if (command === 'undo') return (await import('./cli/undo.ts')).undo(line, version);
  if (command === 'install') return (await import('./cli/libraries.ts')).install(line);
  if (command === 'search') return (await import('./cli/libraries.ts')).search(line);
  if (command === 'update') return (await import('./cli/libraries.ts')).update(line);
  if (command === 'prepare') return (await import('./cli/prepare.ts')).prepare(line);
  if (command === 'doctor') return (await import('./cli/doctor.ts')).doctor(line, version);
  (await import('./cli/early-optimization.ts')).optimizeEarly();
  if (command === 'repl') return (await import('./cli/repl/repl.ts')).repl(line, version);
  if (command === 'mcp') return (await import('./cli/mcp.ts')).mcp(line, version);
  return (await import('./cli/serve/serve.ts')).serve(line, version);
}

function versionLine(): string {
  return `lisp-workbench ${version}\n`;
}

/** Turns on Node's compile cache for the next start, if Node supports it (from version 22) and no cache folder is configured. */
function keepCompiled(): void {
  if ('enableCompileCache' in modules && !process.env['NODE_COMPILE_CACHE'])
    modules.enableCompileCache(path.join(findPaths().cache, 'compiled'));
}

/**
 * Prints an error and exits. Problems that the user can fix, such as invalid values and taken ports, are printed on one line and exit with
 * code 2. Any other error is a bug: its stack is printed, and the exit code is 1.
 */
function fail(error: unknown): never {
  const expected = error instanceof UsageError || error instanceof WorkbenchError;
  process.stderr.write(
    `lisp-workbench: ${expected ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(expected ? 2 : 1);
}

process.on('uncaughtException', fail);
main().then((code) => code === null || process.exit(code), fail);
