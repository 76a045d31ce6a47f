/** The latest comparison of the shared image with a clean build of the project's files. */
import type { BuildComparison } from '#contract/image/builds.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { tellCompilation } from '../diagnostics/problems.ts';
import { showBrowser } from './browsing.ts';
import { makeStore } from '../../base/store.ts';

interface BuildCompared {
  /** The start time of the running build, in milliseconds of Unix time; null if there is none. */
  readonly since: number | null;
  readonly comparison: BuildComparison | null;
  /** The compared image and its definitions at the time of the comparison. If either has changed since, the comparison is out of date. */
  readonly of: { readonly pid: number | null; readonly definitions: unknown } | null;
  /** The reason why there is no comparison, as text. */
  readonly problem: string | null;
  /** The key of the chosen difference, see `differenceKey`; null if there is none. */
  readonly chosen: string | null;
  readonly folded: ReadonlySet<string>;
}

export const [buildCompared, useBuildCompared] = makeStore<BuildCompared>({
  since: null,
  comparison: null,
  of: null,
  problem: null,
  chosen: null,
  folded: new Set(),
});

/** Shows the page with the comparison, and starts a new comparison. */
export async function compareWithBuild(): Promise<void> {
  showBrowser('build');
  if (buildCompared.getState().since !== null) return;
  const { session, definitions } = mirror.getState();
  buildCompared.setState({ since: Date.now(), problem: null });
  try {
    const comparison = await call('build.compare', {});
    // A cancelled comparison leaves the previous one unchanged.
    if (comparison === null) return;
    buildCompared.setState({ comparison, of: { pid: session.pid, definitions } });
    tellCompilation('clean build', comparison.files);
  } catch (error) {
    buildCompared.setState({ comparison: null, problem: messageOf(error) });
  } finally {
    buildCompared.setState({ since: null });
  }
}

/** Cancels the running build. */
export async function cancelBuild(): Promise<void> {
  await call('build.cancel', {});
}
