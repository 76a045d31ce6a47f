/** Coverage as reported by the visible REPL's image: the files with their shares, and the counted forms in open files. */
import type { CountedForm, FileCoverage } from '#contract/image/observation/coverage.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { ended, evaluate, unanswered } from '../../base/image/evaluations.ts';
import { packageOf, shownRepl } from '../../base/image/active-repl.ts';
import { makeStore } from '../../base/store.ts';

interface FileForms {
  readonly text: string;
  readonly forms: readonly CountedForm[];
}

interface CoverageState {
  /** The files with coverage; null until the image has reported them. */
  readonly files: readonly FileCoverage[] | null;
  /** The counted forms of each file for which they have been requested. */
  readonly forms: ReadonlyMap<string, FileForms>;
  /** Files whose text in the editor differs from the compiled text. */
  readonly edited: ReadonlySet<string>;
  /** True while the editor shows the marks. */
  readonly marked: boolean;
  /** The running work: its description, its evaluation, and its start time; null if nothing is running. */
  readonly busy: { readonly words: string; readonly evaluation: string; readonly since: number } | null;
  readonly problem: string | null;
  /** The form to run with coverage. */
  readonly form: string;
  readonly system: string;
}

export const [coverage, useCoverage] = makeStore<CoverageState>({
  files: null,
  forms: new Map(),
  edited: new Set(),
  marked: true,
  busy: null,
  problem: null,
  form: '',
  system: '',
});

/** Requests the coverage again after each evaluation, while coverage is collected for at least one file. */
export function followCoverage(): void {
  const asked = (): void => {
    if ((coverage.getState().files ?? []).length > 0) void refreshCoverage();
  };
  ended.subscribe(asked);
  mirror.subscribe((state, before) => {
    const wasRunning = before.session.running?.evaluation ?? null;
    const hasDied = before.session.pid !== state.session.pid;
    if ((wasRunning !== null && state.session.running?.evaluation !== wasRunning) || hasDied) asked();
  });
}

let asking: Promise<void> | null = null;
let again = false;

/** Requests from the image what has run. Only one request runs at a time; calls in the meantime lead to a single further request. */
export async function refreshCoverage(): Promise<void> {
  if (asking) {
    again = true;
    return asking;
  }
  asking = askAll().finally(() => (asking = null));
  await asking;
  if (!again) return;
  again = false;
  await refreshCoverage();
}

async function askAll(): Promise<void> {
  const repl = shownRepl().id;
  try {
    const answer = await call('coverage.files', { repl });
    const files = answer?.files ?? [];
    const wanted = [...coverage.getState().forms.keys()].filter((file) => files.some((each) => each.file === file));
    const forms = new Map<string, FileForms>();
    for (const file of wanted) {
      const told = await call('coverage.forms', { repl, file });
      if (told?.found) forms.set(file, told);
    }
    coverage.setState({ files, forms, problem: null });
  } catch (error) {
    coverage.setState({ problem: messageOf(error) });
  }
}

/** Requests the counted forms of a file if coverage is collected for it. */
export async function wantForms(file: string): Promise<void> {
  const { files, forms } = coverage.getState();
  if (forms.has(file) || !files?.some((each) => each.file === file)) return;
  const told = await call('coverage.forms', { repl: shownRepl().id, file }).catch(() => null);
  if (told?.found) coverage.setState((state) => ({ forms: new Map(state.forms).set(file, told) }));
}

/** Records whether the text of a file differs from the compiled text. */
export function noteEdited(file: string, isEdited: boolean): void {
  const { edited } = coverage.getState();
  if (edited.has(file) === isEdited) return;
  const next = new Set(edited);
  if (isEdited) next.add(file);
  else next.delete(file);
  coverage.setState({ edited: next });
}

export async function resetCoverage(): Promise<void> {
  await call('coverage.reset', { repl: shownRepl().id });
  await refreshCoverage();
}

/** Resets the counters, runs a form in the visible REPL, and then updates the coverage. */
export async function runWithCoverage(code: string): Promise<void> {
  if (coverage.getState().busy) return;
  const repl = shownRepl();
  const evaluation = crypto.randomUUID();
  coverage.setState({ form: code, busy: { words: `Running ${code}`, evaluation, since: Date.now() }, problem: null });
  try {
    await call('coverage.reset', { repl: repl.id });
    const report = await evaluate(
      { code, origin: 'repl', package: packageOf(repl), source: null, repl: repl.id },
      evaluation,
    );
    await refreshCoverage();
    if (report.status !== 'ok')
      coverage.setState({ problem: `${code}: ${report.condition?.message ?? report.status}` });
  } catch (error) {
    coverage.setState({ problem: messageOf(error) });
  } finally {
    coverage.setState({ busy: null });
  }
}

/**
 * Compiles the files of a system again, with or without coverage. Resolves to the number of files. If that failed, resolves to null, and
 * the panel shows the reason.
 */
export async function coverSystem(system: string, counts: boolean): Promise<number | null> {
  if (coverage.getState().busy) return null;
  const repl = shownRepl();
  const evaluation = crypto.randomUUID();
  coverage.setState({ system, busy: { words: `Compiling ${system}`, evaluation, since: Date.now() }, problem: null });
  try {
    const answer = await call('coverage.system', { repl: repl.id, system, counts, evaluation });
    const problem = answer === null ? 'No image is running.' : (answer.condition?.message ?? null);
    await refreshCoverage();
    coverage.setState({ problem });
    return problem === null ? (answer?.files ?? null) : null;
  } catch (error) {
    coverage.setState({ problem: messageOf(error) });
    return null;
  } finally {
    coverage.setState({ busy: null });
  }
}

/** Compiles the files with coverage again without it. Resolves to the number of files. */
export async function stopCoverage(): Promise<number> {
  const repl = shownRepl().id;
  const files = coverage.getState().files ?? [];
  for (const { file } of files) {
    const told = await call('coverage.forms', { repl, file });
    if (!told?.found) continue;
    const evaluation = crypto.randomUUID();
    const title = `compile ${file} without coverage`;
    const source = { file, offset: 0, line: 1 };
    await call('compile.text', {
      evaluation,
      title,
      text: told.text,
      package: null,
      source,
      whole: true,
      counts: false,
    }).catch((error: unknown) => unanswered(evaluation, '', error));
  }
  await refreshCoverage();
  return files.length;
}
