/**
 * `npm run -s cli -- mcp|serve|…`: the commands without a window, from the sources, without a build. Standard output
 * belongs to the command alone; what the setup says goes to standard error, and it says nothing when nothing is missing.
 */
import { pathToFileURL } from 'node:url';
import { nodeModulesAreCurrent } from './node-modules.mjs';
import { inRoot, node } from './places.mjs';
import { endWithParent } from './parent.mjs';

const entry = inRoot('main', 'cli.ts');
const given = process.argv.slice(2);
endWithParent();

if (nodeModulesAreCurrent() || (await isMadeReady())) {
  if (process.features.typescript) {
    // This Node runs the sources itself: one process, so streams, signals and exit code need no forwarding.
    process.argv = [process.execPath, entry, ...given];
    await import(pathToFileURL(entry).href);
  } else if (node() !== process.execPath) {
    const { foreground } = await import('./children.mjs');
    foreground(node(), [entry, ...given]);
  } else {
    process.stderr.write(
      `✗ Node ${process.versions.node} cannot run the TypeScript sources: Node 22.18 or newer is needed (24 is what we test with).\n` +
        `    Install it from https://nodejs.org/, then run the same command again.\n`,
    );
    process.exitCode = 1;
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
