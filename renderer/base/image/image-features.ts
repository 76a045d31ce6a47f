/** The features of the shared image, which decide what its reader leaves out; asked for again after what may have changed them. */
import type { Features } from '#contract/sexp/conditionals.ts';
import { mirror } from '../mirror.ts';
import { askImage, LONG_PATIENCE_MS } from './names.ts';
import { makeStore } from '../store.ts';

/** Milliseconds in which many evaluations are followed by one question. */
const REST_MS = 500;

const [store] = makeStore<{ features: Features }>({ features: null });

/** Names in small letters; null before an image has told them. */
export function imageFeatures(): Features {
  return store.getState().features;
}

/** Tells when they are others than before. The result ends it. */
export function onImageFeatures(changed: () => void): () => void {
  return store.subscribe(changed);
}

/** Keeps the features: asks for them now, in each fresh image, and after each evaluation and load. The result ends it. */
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
