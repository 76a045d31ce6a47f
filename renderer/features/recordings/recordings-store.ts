/** The marked forms, the image's recordings of them, and the recording that the person is looking at. */
import type { RecordedEvaluation } from '#contract/image/observation/recording.ts';
import { call, on } from '../../base/bridge.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { mirror } from '../../base/mirror.ts';
import { inspectHandle } from '../../base/image/inspect.ts';
import { freshPane, releasePanes } from '../inspector/held-panes.ts';
import { notify } from '../../base/notices/notices.tsx';
import { calledForm, type Ending, endedWords, type MarkedForm, stepFrom, withForms } from './recordings.ts';
import { makeStore } from '../../base/store.ts';

interface RecordingsState {
  readonly forms: readonly MarkedForm[];
  /** The known evaluations, in the order in which they arrived. */
  readonly evaluations: readonly RecordedEvaluation[];
  /** The number of evaluations that the image stores. `count` is the number of all evaluations. */
  readonly kept: number;
  readonly count: number;
  /** The number (`order`) of the evaluation that the person is looking at; null if there is none. */
  readonly chosen: number | null;
  /** True while the Trace panel shows recorded values in place of calls. */
  readonly isShown: boolean;
}

export const [recordings, useRecordings] = makeStore<RecordingsState>({
  forms: [],
  evaluations: [],
  kept: 0,
  count: 0,
  chosen: null,
  isShown: false,
});

/** The number of evaluations in one request. */
const AT_ONCE = 1000;

export function findForm(form: string): MarkedForm | null {
  return recordings.getState().forms.find((each) => each.form === form) ?? null;
}

/** Adds forms that have just been marked in the image. */
export function addForms(forms: readonly Omit<MarkedForm, 'count' | 'latest' | 'stale'>[]): void {
  recordings.setState((state) => ({ forms: withForms(state.forms, forms) }));
  follow();
}

export function noteStale(form: string, stale: boolean): void {
  if (findForm(form)?.stale === stale) return;
  recordings.setState(({ forms }) => ({
    forms: forms.map((each) => (each.form === form ? { ...each, stale } : each)),
  }));
}

/** Removes forms whose marks have ended; the image drops their recordings. */
export function forgetForms(forms: readonly string[]): void {
  recordings.setState((state) => ({
    forms: state.forms.filter(({ form }) => !forms.includes(form)),
    evaluations: state.evaluations.filter(({ form }) => !forms.includes(form)),
    ...(state.evaluations.some(({ form, order }) => order === state.chosen && forms.includes(form)) && {
      chosen: null,
    }),
  }));
  void refreshRecordings();
}

let follows = false;

/** Starts to follow the image's events, when the first mark is set. */
function follow(): void {
  if (follows) return;
  follows = true;
  void forgetUnknown();
  on('values-recorded', () => void refreshRecordings());
  on('recordings-ended', ({ forms }) => tellEnded(forms, 'defined-anew'));
  mirror.subscribe((state, before) => {
    if (state.session.pid !== before.session.pid && state.session.pid !== null) void keepKnown();
  });
}

/** Removes the marks that an earlier page, for example the page before a reload, has left in the image. No page could remove them later. */
async function forgetUnknown(): Promise<void> {
  const answer = await call('recordings.list', { package: null }).catch(() => null);
  const forms = (answer?.forms ?? []).map(({ form }) => form).filter((form) => findForm(form) === null);
  if (forms.length > 0) await call('recordings.forget', { forms }).catch(() => null);
}

/** Removes the marks that the image no longer has after it was restarted or went back to a checkpoint. */
async function keepKnown(): Promise<void> {
  const answer = await call('recordings.list', { package: null }).catch(() => null);
  if (!answer) return;
  const gone = recordings.getState().forms.filter(({ form }) => !answer.forms.some((each) => each.form === form));
  tellEnded(
    gone.map(({ form }) => form),
    'other-image',
  );
}

/** Removes forms whose marks the image no longer has, and shows the reason. */
function tellEnded(ids: readonly string[], ending: Ending): void {
  const gone = recordings.getState().forms.filter(({ form }) => ids.includes(form));
  if (gone.length === 0) return;
  forgetForms(ids);
  notify(endedWords(gone, ending));
}

let asking: Promise<void> | null = null;
let again = false;

/** Requests the newest values from the image. If it is called during a request, one more request follows. */
async function refreshRecordings(): Promise<void> {
  if (asking) {
    again = true;
    return asking;
  }
  asking = ask();
  try {
    await asking;
  } finally {
    asking = null;
  }
  if (!again) return undefined;
  again = false;
  return refreshRecordings();
}

async function ask(): Promise<void> {
  const printed = { package: mirror.getState().session.package };
  const listed = await call('recordings.list', printed).catch(() => null);
  const told = recordings.getState().isShown || recordings.getState().chosen !== null;
  const answer = told
    ? await call('recordings.evaluations', { before: null, limit: AT_ONCE, ...printed }).catch(() => null)
    : null;
  recordings.setState((state) => ({
    forms: state.forms.map((form) => {
      const found = listed?.forms.find((each) => each.form === form.form);
      return found ? { ...form, count: found.count, latest: found.latest } : form;
    }),
    ...(answer && {
      evaluations: answer.evaluations.filter(({ form }) => state.forms.some((each) => each.form === form)).toReversed(),
      kept: answer.kept,
      count: answer.count,
    }),
  }));
}

/** Requests the evaluations before the known ones. */
export async function loadOlder(): Promise<void> {
  const before = recordings.getState().evaluations[0]?.order ?? null;
  const asked = { before, limit: AT_ONCE, package: mirror.getState().session.package };
  const answer = await call('recordings.evaluations', asked);
  if (answer)
    recordings.setState(({ evaluations }) => ({ evaluations: [...answer.evaluations.toReversed(), ...evaluations] }));
}

/** Chooses the next or the previous recording; returns null if there is none. */
export async function stepRecording(direction: 1 | -1): Promise<RecordedEvaluation | null> {
  const { chosen } = recordings.getState();
  if (chosen === null) {
    recordings.setState({ isShown: true });
    await refreshRecordings();
  }
  const next = stepFrom(recordings.getState().evaluations, chosen, direction);
  if (next) recordings.setState({ chosen: next.order });
  return next;
}

export function choose(order: number | null): void {
  recordings.setState({ chosen: order });
}

/** Shows the recorded values in the Trace panel, or shows the calls again. Resolves once the newest values have arrived. */
export async function showRecordings(isShown: boolean): Promise<void> {
  recordings.setState({ isShown });
  if (isShown) await refreshRecordings();
}

/** Opens the panel at the latest evaluation of a form. */
export function showRecordingsOf(form: string): void {
  const latest = findForm(form)?.latest ?? null;
  if (latest) choose(latest.order);
  void showRecordings(true);
  showDock('trace');
}

/** The pane that holds the most recently opened value. The inspector has its own pane for the value that it shows. */
let held: string | null = null;

/** Opens a value of an evaluation in the inspector. */
export async function inspectRecorded({ form, order, values }: RecordedEvaluation, index = 0): Promise<void> {
  const title = values[index];
  if (title === undefined) return void notify('This evaluation has no value to inspect.');
  const pane = freshPane('recorded');
  const answer = await call('recordings.hold', { form, order, index, pane });
  const handle = answer?.handle ?? null;
  if (handle === null)
    return void notify('This value is no longer stored, because only the latest 1,000 evaluations of each form are.');
  if (held !== null) releasePanes([held]);
  held = pane;
  inspectHandle({ handle, title: title.slice(0, 120), from: calledForm(findForm(form)?.code ?? 'a recorded form') });
}
