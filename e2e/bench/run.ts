/**
 * `npm run bench [-- NAME …] [--json]`: measures the speed of the workbench, as ratios to a lower bound or to a comparable program measured
 * in the same run. It only reports the results, and fails only if a measurement was not possible.
 */
import { parseArgs } from 'node:util';
import { activity } from './activity.ts';
import { approvals } from './approvals.ts';
import { beside } from './beside.ts';
import { captured } from './harness/captured.ts';
import { checkpoint } from './checkpoint.ts';
import { completion } from './completion.ts';
import { evaluate } from './evaluate.ts';
import { flood } from './flood.ts';
import { guard } from './guard.ts';
import { images } from './images.ts';
import { launch } from './harness/launch.ts';
import { hour } from './hour.ts';
import { loadSystem } from './load-system.ts';
import { browsing } from './browsing.ts';
import { lookingUp } from './looking-up.ts';
import { mcp } from './mcp.ts';
import { mcpPrograms } from './mcp-programs.ts';
import { mcpTasks } from './mcp-tasks.ts';
import { isMet, table, type Comparison } from './harness/measure.ts';
import { programs } from './harness/programs.ts';
import { script, type Bench } from './harness/setup.ts';
import { shared } from './harness/shared.ts';
import { start } from './start.ts';
import { trace } from './trace.ts';
import { typing } from './typing.ts';

const rows: Readonly<Record<string, (bench: Bench) => Promise<Comparison[]>>> = {
  evaluate,
  programs,
  'mcp-programs': mcpPrograms,
  'mcp-tasks': mcpTasks,
  captured,
  shared,
  flood,
  completion,
  'load-system': loadSystem,
  guard,
  approvals,
  checkpoint,
  images,
  mcp,
  start,
  launch,
  activity,
  typing,
  beside,
  'looking-up': lookingUp,
  browsing,
  trace,
  hour,
};
const usage = `Usage: npm run bench -- [NAME …] [--json]\nNames: ${Object.keys(rows).join(', ')} (all without one)\n`;

/** The cleanup to run if the process is asked to end. */
let open: AsyncDisposableStack | null = null;
/** Set once the process has been asked to end. */
let ending: Promise<never> | null = null;

async function main(): Promise<number> {
  const { names, json } = commandLine();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void (ending ??= end()));
  (await script('parent.mjs')).endWithParent();
  const { createReport } = await script('report.mjs');
  const report = createReport(process.stderr, { quiet: true });
  await (
    await script('steps.mjs')
  ).setUp(
    ['launch', 'activity', 'typing', 'looking-up', 'browsing', 'trace', 'hour'].some((name) => names.includes(name))
      ? 'tests'
      : 'commands',
    report,
  );
  const measured: Comparison[] = [];
  let problems = 0;
  for (const name of names) {
    say(`… ${name}`);
    try {
      measured.push(...(await measure(rows[name]!)));
    } catch (error) {
      if (ending) await ending; // the row failed because its processes are being ended
      problems += 1;
      say(`✗ ${name} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (json) process.stdout.write(`${JSON.stringify(measured.map(withVerdict), null, 2)}\n`);
  else if (measured.length > 0) process.stdout.write(`${table(measured)}\n`);
  return problems === 0 ? 0 : 1;
}

async function measure(row: (bench: Bench) => Promise<Comparison[]>): Promise<Comparison[]> {
  await using scope = new AsyncDisposableStack();
  open = scope;
  return await row({ scope, say });
}

async function end(): Promise<never> {
  await open?.disposeAsync().catch(() => {}); // remaining resources end with this process
  process.exit(130);
}

function withVerdict(comparison: Comparison): Comparison & { met: boolean | null } {
  return { ...comparison, met: isMet(comparison) };
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function commandLine(): { names: string[]; json: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
    });
    if (values.help) {
      process.stdout.write(usage);
      process.exit(0);
    }
    const unknown = positionals.find((name) => !Object.hasOwn(rows, name));
    if (unknown !== undefined) throw new Error(`There is no benchmark ${JSON.stringify(unknown)}.`);
    return { names: positionals.length > 0 ? positionals : Object.keys(rows), json: values.json };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const { message, mend } = error as { message?: string; mend?: string[] };
    say([`✗ ${message ?? String(error)}`, ...(mend ?? [])].join('\n    '));
    process.exit(1);
  },
);
