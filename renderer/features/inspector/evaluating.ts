/** Evaluation of code in which `*` is the object that a viewer shows. */
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { whyNoValue } from './no-value.ts';
import type { Answer } from './viewer-state.ts';
import type { Viewer } from './viewer.ts';

/** The maximum number of answers that are shown. */
const MOST = 50;

/** Evaluates code, and shows its values below the object. */
export async function evaluateWith({ store, step, panes }: Viewer, code: string): Promise<void> {
  if (!step) return;
  const id = crypto.randomUUID();
  const pane = panes.add(step.id, `answer-${id}`);
  const answer: Answer = { id, code, values: [], condition: null, problem: null, ended: false };
  store.setState(({ answers }) => ({ answers: [...answers, answer].slice(-MOST) }));
  const change = (part: Partial<Answer>): void =>
    store.setState(({ answers }) => ({
      answers: answers.map((each) => (each.id === id ? { ...each, ...part } : each)),
    }));
  try {
    const input = { handle: step.handle, code, pane, evaluation: id, package: mirror.getState().session.package };
    const { status, values, condition, expired } = await call('inspector.evaluate', input);
    change({ ended: true, values, condition, problem: condition ? null : whyNoValue({ status, condition, expired }) });
  } catch (error) {
    const condition = {
      type: 'NO ANSWER',
      message: messageOf(error),
      frames: [],
      phase: 'limit' as const,
      offset: null,
    };
    change({ ended: true, condition });
  }
}

/** Shows the value of code as an object of its own. */
export async function drillInto(viewer: Viewer, code: string, label: string): Promise<void> {
  const { step } = viewer;
  if (!step) return;
  const find = async (pane: string): Promise<number | null> => {
    const input = { handle: step.handle, code, pane, evaluation: crypto.randomUUID(), package: null };
    return (await call('inspector.evaluate', input)).values[0]?.handle ?? null;
  };
  await viewer.openFound(label, find);
}
