/**
 * `npm run mutation [-- PART …]`: measures how many mutations of the pure parts, or of the named ones, are noticed by their tests. Prints
 * each mutant that survived, and then a table. The exit code is 1 if a score is below 90 %. This takes long, so it is not part of `npm
 * test`. The reports, which show each mutant in its source, go to `out/mutation/`.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { PARTS } from '../mutation/parts.mjs';
import { run } from '../setup/children.mjs';
import { installNodeModules, nodeModulesAreCurrent } from '../setup/node-modules.mjs';
import { endWithParent } from '../setup/parent.mjs';
import { inRoot, node, tool } from '../setup/places.mjs';
import { createReport, SetupProblem } from '../setup/report.mjs';

/** The minimum percentage of killed mutants for a part. */
const LEAST = 90;
const FOLDER = inRoot('out', 'mutation');

const report = createReport();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PARTS));
endWithParent();

if (unknown.length > 0) {
  report.line(`There is no part ${unknown.join(', ')}. The parts: ${Object.keys(PARTS).join(' ')}`);
  process.exitCode = 2;
} else {
  process.exitCode = (await runAll(wanted.length === 0 ? Object.keys(PARTS) : wanted)) ? 0 : 1;
}

async function runAll(names) {
  const scores = [];
  try {
    if (!nodeModulesAreCurrent()) await installNodeModules(report);
    // Removes the copy of the sources that a killed run leaves behind.
    rmSync(inRoot('out', 'mutation', 'sandbox'), { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    for (const name of names) scores.push({ name, ...(await measure(name)) });
  } catch (error) {
    report.problem(error);
    return false;
  }
  for (const line of table(scores)) report.line(line);
  return scores.every(({ score }) => score >= LEAST);
}

async function measure(name) {
  const file = inRoot('out', 'mutation', `${name}.json`);
  rmSync(file, { force: true });
  const stop = report.working(`mutants of ${name}`);
  const { code, all } = await run(
    node(),
    [
      tool('@stryker-mutator', 'core', 'bin', 'stryker.js'),
      'run',
      inRoot('resources', 'mutation', 'stryker.config.mjs'),
    ],
    { env: { ...process.env, MUTATION_PART: name } },
  );
  stop();
  if (code !== 0) throw new SetupProblem(`Stryker ended with exit code ${code} at ${name}:\n${all.trim()}`);
  const mutants = Object.entries(JSON.parse(readFileSync(file, 'utf8')).files).flatMap(([source, { mutants: made }]) =>
    made.map((mutant) => ({ source, ...mutant })),
  );
  for (const mutant of mutants.filter(isMissed)) report.line(described(mutant));
  return scoreOf(mutants);
}

/**
 * Returns the score of a part's mutants. A mutant that never ends counts as killed. Mutants that a comment excludes are left out of the
 * score.
 */
function scoreOf(mutants) {
  const killed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const survived = mutants.filter(isMissed).length;
  const excluded = mutants.filter(({ status }) => status === 'Ignored').length;
  return { killed, survived, excluded, score: (100 * killed) / (killed + survived) };
}

function isMissed({ status }) {
  return status !== 'Killed' && status !== 'Timeout' && status !== 'Ignored';
}

function described({ source, location, mutatorName, replacement, status }) {
  const { line, column } = location.start;
  const text = (replacement ?? '').replaceAll(/\s+/g, ' ');
  return `  ${source}:${line}:${column} ${status}: ${mutatorName} → ${text.length > 80 ? `${text.slice(0, 79)}…` : text}`;
}

function table(scores) {
  const rows = [
    ['part', 'killed', 'survived', 'excluded', 'score'],
    ...scores.map(({ name, killed, survived, excluded, score }) => [
      name,
      `${killed}`,
      `${survived}`,
      `${excluded}`,
      `${score.toFixed(1)} %${score >= LEAST ? '' : ' ✗'}`,
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return [
    '',
    ...rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    ),
  ];
}
