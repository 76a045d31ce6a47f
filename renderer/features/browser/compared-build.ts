/** The comparison of the shared image with a build of the project from its files, as it was made last. */
import type { BuildComparison } from '#contract/image/builds.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { tellCompilation } from '../diagnostics/problems.ts';
import { showBrowser } from './browsing.ts';
import { makeStore } from '../../base/store.ts';

interface BuildCompared {
  /** When the build that is under way began, in milliseconds since 1970; null while there is none. */
  readonly since: number | null;
  readonly comparison: BuildComparison | null;
  /** The image of which the comparison tells, and its definitions at that time: later ones make the comparison one about the past. */
  readonly of: { readonly pid: number | null; readonly definitions: unknown } | null;
  /** Why there is no comparison. */
  readonly problem: string | null;
  /** The key of the difference that is described, see `differenceKey`; null for none. */
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

/** Shows the comparison, and makes it anew. */
export async function compareWithBuild(): Promise<void> {
  showBrowser('build');
  if (buildCompared.getState().since !== null) return;
  const { session, definitions } = mirror.getState();
  buildCompared.setState({ since: Date.now(), problem: null });
  try {
    const comparison = await call('build.compare', {});
    // What was cancelled leaves the comparison before as it is.
    if (comparison === null) return;
    buildCompared.setState({ comparison, of: { pid: session.pid, definitions } });
    tellCompilation('clean build', comparison.files);
  } catch (error) {
    buildCompared.setState({ comparison: null, problem: messageOf(error) });
  } finally {
    buildCompared.setState({ since: null });
  }
}

/** Ends the build that is under way. */
export async function cancelBuild(): Promise<void> {
  await call('build.cancel', {});
}
