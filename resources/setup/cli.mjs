/**
 * `npm run -s cli -- mcp|serve|…`: runs the commands without a window from the sources. If this Node cannot run the sources, builds the
 * commands first. Only the command itself writes to standard output; the setup writes to standard error, and prints nothing if no parts are
 * missing.
 */
import { pathToFileURL } from 'node:url';
import { nodeModulesAreCurrent } from './node-modules.mjs';
import { inRoot } from './places.mjs';
import { endWithParent } from './parent.mjs';

const entry = inRoot('main', 'cli.ts');
const given = process.argv.slice(2);
endWithParent();

if (nodeModulesAreCurrent() || (await isMadeReady())) {
  if (process.features.typescript) {
    // The sources run in this Node process, so streams, signals and the exit code do not have to be forwarded.
    process.argv = [process.execPath, entry, ...given];
    await import(pathToFileURL(entry).href);
  } else {
    // An older Node runs the built commands instead.
    const { buildCommand } = await import('./build-command.mjs');
    await buildCommand();
    const built = inRoot('out', 'cli', 'cli.js');
    process.argv = [process.execPath, built, ...given];
    await import(pathToFileURL(built).href);
  }
}

async function isMadeReady() {
  const { createReport } = await import('./report.mjs');
  const { setUp } = await import('./steps.mjs');
  const report = createReport(process.stderr);
  try {
    await setUp('commands', report);
    return true;
  } catch (error) {
    report.problem(error);
    process.exitCode = 1;
    return false;
  }
}
