/** Entry of the commands that need no window: `mcp`, `serve`, `repl`. Runs from source on Node 24, or bundled on Node 20. */
import './core/polyfills.ts';
import packageFile from '../package.json' with { type: 'json' };
import { optimizeEarly } from './cli/early-optimization.ts';
import { doctor } from './cli/doctor.ts';
import { mcp } from './cli/mcp.ts';
import { runRebuilt } from './cli/rebuilt.ts';
import { prepare } from './cli/prepare.ts';
import { repl } from './cli/repl.ts';
import { parseCommandLine, usage } from './cli/arguments.ts';
import { undo } from './cli/undo.ts';
import { UsageError } from './cli/usage-error.ts';
import { serve } from './cli/serve.ts';
import { WorkbenchError } from './core/error.ts';
import { withSecretFiles } from './core/settings/secret-files.ts';

const { version } = packageFile;

/** Runs the command line. Resolves with the exit code; null where the command goes on in another file. */
async function main(): Promise<number | null> {
  if (await runRebuilt(import.meta.filename)) return null;
  const line = parseCommandLine(process.argv.slice(2), withSecretFiles(process.env));
  if (line.command === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  if (line.command === 'version') {
    process.stdout.write(`lisp-workbench ${version}\n`);
    return 0;
  }
  if (line.command === 'undo') return undo(line, version);
  if (line.command === 'prepare') return prepare(line);
  if (line.command === 'doctor') return doctor(line, version);
  optimizeEarly();
  if (line.command === 'repl') return repl(line, version);
  return line.command === 'mcp' ? mcp(line, version) : serve(line, version);
}

/** Bad values and taken ports are the caller's to mend: one line, exit code 2. Anything else is ours: exit code 1. */
function fail(error: unknown): never {
  const expected = error instanceof UsageError || error instanceof WorkbenchError;
  process.stderr.write(
    `lisp-workbench: ${expected ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(expected ? 2 : 1);
}

process.on('uncaughtException', fail);
main().then((code) => code === null || process.exit(code), fail);
