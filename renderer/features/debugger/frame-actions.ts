/** The person's actions in a debugger: restarts, frames, steps. Each outcome is shown where the action was started. */
import { isOfSharedImage } from '#contract/image/shared-image.ts';
import type { DebuggerRecord, RanInDebugger } from '#contract/image/debugger.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { notify } from '../../base/notices/notices.tsx';
import { meantImage } from '../repl/repls.ts';
import { showDebugger } from './announce.ts';
import { plainName } from './names.ts';
import { packageOfFrame } from './frames.ts';
import {
  addEvaluation,
  asked,
  askLocals,
  changeView,
  debuggers,
  endEvaluation,
  isOpen,
  recordOf,
  viewOf,
} from './store.ts';

export type StepKind = 'into' | 'over' | 'out';

/** Invokes a restart; `forms` are its arguments. */
export function takeRestart(id: string, restart: number, forms: readonly string[] = []): Promise<void> {
  return act(id, `restart ${restart}`, () =>
    call('debugger.invokeRestart', { debugger: id, restart, arguments: [...forms] }),
  );
}

/** Answers a question of a debugger; null means end of file. `cancel` returns to the debugger without invoking the restart. */
export async function answerQuestion(
  id: string,
  question: string,
  { text = null, cancel = false }: { text?: string | null; cancel?: boolean },
): Promise<void> {
  const { found } = await call('debugger.answer', { debugger: id, question, text, cancel });
  if (!found) notify('The code is no longer waiting for this answer.');
}

/** Invokes the first restart with one of these names. Returns false if there is none. */
async function takeNamed(id: string, names: readonly string[]): Promise<boolean> {
  const record = await recordOf(id);
  const restart = record?.restarts.find(({ name }) => name !== null && names.includes(plainName(name)));
  if (!restart) return false;
  await takeRestart(id, restart.index);
  return true;
}

/** Continues after a break or a step, or with the restart CONTINUE of an error. */
export async function goOn(id: string): Promise<void> {
  if (!(await takeNamed(id, ['STEP-CONTINUE', 'CONTINUE'])))
    changeView(id, () => ({ problem: 'This condition has no restart CONTINUE. Take one of its restarts.' }));
}

/** Leaves this level of the debugger. An inner level returns to the outer debugger; the first level ends the evaluation. */
export async function abort(id: string): Promise<void> {
  if (!(await takeNamed(id, ['ABORT']))) await quit(id);
}

/** Ends the evaluation from any level. */
export function quit(id: string): Promise<void> {
  return act(id, 'the end', async () => {
    await call('debugger.quit', { debugger: id });
    return { left: true, result: null, note: null };
  });
}

export function step(id: string, kind: StepKind): Promise<void> {
  return act(id, `step ${kind}`, () => call('debugger.step', { debugger: id, kind }));
}

export async function restartFrame(id: string, frame: number): Promise<void> {
  if (!(await isRestartable(id, frame))) return;
  await act(id, `frame ${frame} again`, () => call('debugger.restartFrame', { debugger: id, frame }));
}

export function returnFromFrame(id: string, frame: number, code: string): Promise<void> {
  return act(id, `return from frame ${frame}`, async () =>
    call('debugger.returnFromFrame', {
      debugger: id,
      frame,
      code,
      package: packageOfFrame(await knownRecord(id), frame),
    }),
  );
}

/** Returns true if a frame can be restarted or returned from. Otherwise shows a message and returns false. */
export async function isRestartable(id: string, frame: number): Promise<boolean> {
  const restartable = (await recordOf(id))?.frames.find(({ index }) => index === frame)?.restartable ?? false;
  const problem = restartable
    ? null
    : `Frame ${frame} cannot be restarted or returned from: its code was not compiled for that. Choose another frame.`;
  changeView(id, () => ({ problem }));
  return restartable;
}

/** Evaluates a form in a frame, and refreshes the frame's variables, which may have changed. Returns the outcome. */
export async function evaluateInFrame(id: string, frame: number, code: string): Promise<RanInDebugger | null> {
  const evaluation = crypto.randomUUID();
  addEvaluation(id, { id: evaluation, frame, code, outcome: null });
  const outcome = await asked(
    knownRecord(id).then((record) =>
      call('debugger.evaluate', { debugger: id, frame, code, package: packageOfFrame(record, frame) }),
    ),
  );
  if (!isOpen(id)) return null;
  endEvaluation(id, evaluation, outcome);
  await askLocals(id, frame);
  return 'value' in outcome ? outcome.value : null;
}

/** Interrupts the code that runs in the debugger. */
export function interruptIn(id: string): Promise<unknown> {
  return call('debugger.interrupt', { debugger: id });
}

export async function showDisassembly(id: string, frame: number): Promise<void> {
  const shown = await asked(call('debugger.disassemble', { debugger: id, frame }));
  if (!isOpen(id)) return;
  if ('problem' in shown) changeView(id, () => ({ problem: shown.problem }));
  else
    changeView(id, () => ({
      text: {
        frame,
        title: `Machine code of frame ${frame}`,
        text:
          shown.value.text +
          (shown.value.cut > 0 ? `\n${shown.value.cut.toLocaleString('en')} characters not shown` : ''),
      },
    }));
}

/** Compiles the frame's function in such a way that it keeps its local variables from its next call on. */
export async function compileForDebugging(id: string, frame: number): Promise<void> {
  const name = nameOfFrame(await recordOf(id), frame);
  if (name === null) {
    changeView(id, () => ({
      problem: 'The function of this frame cannot be compiled again on its own. The restart RETRY keeps its locals.',
    }));
    return;
  }
  const done = await asked(call('debugger.compileForDebugging', { function: name, set: true, debugger: id }));
  if ('value' in done && isOfSharedImage(id)) debuggers.setState({ compiled: done.value.functions });
  if (isOpen(id)) {
    changeView(id, () =>
      'problem' in done
        ? { problem: done.problem }
        : {
            problem: null,
            text: {
              frame,
              title: `${name} is compiled for debugging`,
              text: [
                ...(done.value.note === null ? [] : [done.value.note]),
                'Restart the frame: its next call keeps all locals, and you can step through each form.',
              ].join(' '),
            },
          },
    );
  } else if ('problem' in done) notify(done.problem, 'error');
}

/** Compiles a function again without the debugging options. */
export async function compileAsBefore(name: string): Promise<void> {
  const { functions } = await call('debugger.compileForDebugging', { function: name, set: false, debugger: null });
  debuggers.setState({ compiled: functions });
}

/** Makes the running code of the current image enter the debugger, and shows that debugger. */
export async function interruptIntoDebugger(): Promise<void> {
  const { running } = meantImage();
  const done = running && (await call('debugger.breakIn', { evaluation: running.evaluation }));
  if (!done?.found) notify('Nothing is running any longer.');
  else if (done.debugger === null)
    notify(
      'The code cannot be interrupted right now. It will enter the debugger as soon as possible; Interrupt Evaluation ends it immediately.',
      'error',
    );
  else {
    await known(done.debugger);
    showDebugger({ id: done.debugger, evaluation: running!.evaluation });
  }
}

/** Waits until the page knows a debugger, because a call's answer may arrive before the event about the debugger. */
function known(id: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isOpen(id)) return;
      stop();
      resolve();
    };
    const stop = mirror.subscribe(look);
    look();
  });
}

function nameOfFrame(record: DebuggerRecord | null, frame: number): string | null {
  return record?.frames.find(({ index }) => index === frame)?.function ?? null;
}

async function knownRecord(id: string): Promise<DebuggerRecord> {
  const record = await recordOf(id);
  if (!record) throw new Error('This debugger is closed, because its code continued or was ended.');
  return record;
}

async function act(id: string, acting: string, work: () => Promise<RanInDebugger>): Promise<void> {
  // Ignore repeats of a pressed key, so that the key invokes only one restart.
  if (viewOf(id).acting !== null) return;
  changeView(id, () => ({ acting, problem: null }));
  let problem: string | null = null;
  try {
    const ran = await work();
    problem = problemOf(ran);
    if (ran.note !== null) notify(ran.note);
  } catch (error) {
    problem = messageOf(error);
  }
  if (isOpen(id)) changeView(id, () => ({ acting: null, problem }));
  else if (problem !== null) notify(problem, 'error');
}

/** Returns the reason why the debugger is still open after an action that should have left it. */
function problemOf({ left, result }: RanInDebugger): string | null {
  if (left || !result) return null;
  const { status, condition } = result;
  if (status === 'interrupted') return 'The evaluation was interrupted.';
  if (condition === null || condition.type === 'ABORT') return null;
  return `${plainName(condition.type)}: ${condition.message}`;
}
