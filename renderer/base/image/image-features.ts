/** The features of the shared image, which decide what its reader skips. They are requested again after events that may change them. */
import type { Features } from '#contract/sexp/conditionals.ts';
import { mirror } from '../mirror.ts';
import { askImage, LONG_PATIENCE_MS } from './names.ts';
import { makeStore } from '../store.ts';

/** Milliseconds within which several evaluations cause only one request. */
const REST_MS = 500;

const [store] = makeStore<{ features: Features }>({ features: null });

/** Returns the feature names in lower case; null before an image has reported them. */
export function imageFeatures(): Features {
  return store.getState().features;
}

/** Calls `changed` when the features change. Returns a function that stops this. */
export function onImageFeatures(changed: () => void): () => void {
  return store.subscribe(changed);
}

/**
 * Keeps the features up to date: requests them now, in each fresh image, and after each evaluation and load. Returns a function that stops
 * this.
 */
export function startImageFeatures(): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      void ask();
    }, REST_MS);
  };
  void ask();
  const stop = mirror.subscribe(({ session }, { session: before }) => {
    const isOther = session.pid !== null && session.pid !== before.pid;
    const hasRun = before.running !== null && before.running.evaluation !== session.running?.evaluation;
    if (isOther || hasRun) soon();
  });
  return () => {
    stop();
    if (timer !== null) clearTimeout(timer);
  };
}

async function ask(): Promise<void> {
  const answer = await askImage('names.features', {}, LONG_PATIENCE_MS);
  if (!answer) return;
  const features = new Set(answer.features.map((name) => name.toLowerCase()));
  const known = imageFeatures();
  if (known?.size !== features.size || ![...features].every((name) => known.has(name))) store.setState({ features });
}
