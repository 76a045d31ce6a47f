/** Entry of the commands that need no window: `mcp`, `serve`. Runs from source on Node 24, or bundled on Node 20. */
import packageFile from '../package.json' with { type: 'json' };
import { mcp } from './cli/mcp.ts';
import { parseCommandLine, usage, UsageError } from './cli/arguments.ts';
import { serve } from './cli/serve.ts';
import { WorkbenchError } from './core/error.ts';

const { version } = packageFile;

async function main(): Promise<number> {
  const line = parseCommandLine(process.argv.slice(2), process.env);
  if (line.command === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  if (line.command === 'version') {
    process.stdout.write(`lisp-workbench ${version}\n`);
    return 0;
  }
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
main().then((code) => process.exit(code), fail);
