/** The tasks that clients perform in a soak. Each task checks its answer. */
import { until } from './faults/fault.ts';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connectOverHttp, startOwnImage, type Agent } from './clients.ts';
import type { Place } from './place.ts';
import { runs } from '#core/lisp/process.ts';
import type { Random } from './random.ts';
import type { Served } from './served.ts';
import type { SharedImage } from './shared-image.ts';

/** A client at work. */
export interface Worker {
  /** A name that distinguishes this worker's definitions from those of other workers. */
  readonly name: string;
  agent: Agent;
  readonly random: Random;
  readonly served: Served;
  readonly place: Place;
  readonly image: SharedImage;
  readonly system: SoakSystem;
  readonly asked: AskedFiles;
}

/** The system that clients load. All workers share it, and its file changes from time to time. */
export interface SoakSystem {
  version: number;
  /** The time, in milliseconds on a monotonic clock, at which the system's file was last written. */
  writtenAt: number;
  /** Settles when no client is loading the system. Loads run one at a time; otherwise the version could change during a load. */
  loading: Promise<unknown>;
}

/**
 * Counts the files about which the person is asked, one request at a time. Denials must stay rare, because three in a row, or twenty in
 * total, pause a client.
 */
export interface AskedFiles {
  count: number;
  denied: number;
  asking: Promise<unknown>;
}

export type Task = (worker: Worker) => Promise<void>;

/** An answer that differs from the expected one. */
export class WrongAnswer extends Error {}

function check(asked: string, answer: string, right: boolean): void {
  if (!right) throw new WrongAnswer(`${asked}\n--- was answered with ---\n${answer.slice(0, 2000)}`);
}

async function expectValue({ agent }: Worker, code: string, value: string): Promise<void> {
  const text = await agent.evaluate(code);
  check(code, text, text.endsWith(`=> ${value}`));
}

/** The number of names that a worker defines repeatedly. It is limited so that the size of the image stays limited. */
const NAMES = 12;

const nameOf = ({ name, random }: Worker, what: string): string => `${what}-${name}-${random.integer(NAMES)}`;

const among =
  (work: Task): Task =>
  (worker) =>
    worker.image.among(() => work(worker));

const arithmetic: Task = among(async (worker) => {
  const [a, b] = [worker.random.integer(1_000_000), worker.random.integer(1_000_000)];
  await expectValue(worker, `(* ${a} ${b})`, String(a * b));
});

const variable: Task = among(async (worker) => {
  const name = `*${nameOf(worker, 'value')}*`;
  const known = worker.image.value(name);
  if (known !== undefined) await expectValue(worker, name, String(known));
  const value = worker.random.integer(1_000_000);
  await expectValue(worker, `(defparameter ${name} ${value})`, name.toUpperCase());
  worker.image.set(name, value);
});

const redefinition: Task = among(async (worker) => {
  const name = nameOf(worker, 'function');
  const known = worker.image.value(name);
  if (known !== undefined) await expectValue(worker, `(${name} 1)`, String(known + 1));
  const value = worker.random.integer(1_000_000);
  await expectValue(worker, `(defun ${name} (x) "Adds." (+ x ${value}))`, name.toUpperCase());
  worker.image.set(name, value);
  const compiled = await worker.agent.call('compile-form', { form: `(defun ${name} (x) (+ ${value} x))` });
  check(`compile-form of ${name}`, compiled.text, compiled.text.startsWith('Compiled and loaded, 1 definition.'));
  await expectValue(worker, `(${name} 2)`, String(value + 2));
});

const classes: Task = among(async (worker) => {
  const name = nameOf(worker, 'class');
  const slot = `slot-${worker.random.integer(4)}`;
  await expectValue(
    worker,
    `(progn (defclass ${name} () ((${slot} :initarg :x :initform 1 :reader ${slot}-of)))
       (defmethod sum-${name} ((it ${name}) (n integer)) (+ n (slot-value it '${slot})))
       (sum-${name} (make-instance '${name} :x 20) 22))`,
    '42',
  );
  const told = await worker.agent.call('class-slots', { class: name });
  check(`class-slots of ${name}`, told.text, told.text.toLowerCase().includes(slot));
});

const errors: Task = among(async (worker) => {
  const number = worker.random.integer(1_000_000);
  const code = `(restart-case (error "choose ~D" ${number}) (pick-it (x) :report "Pick it." (list x ${number})))`;
  const text = await worker.agent.evaluate(code);
  check(code, text, text.startsWith(`[ERROR] SIMPLE-ERROR\nchoose ${number}`));
  const last = await worker.agent.call('get-last-error');
  check('get-last-error', last.text, last.text.includes(`choose ${number}`));
  if (worker.random.chance(0.5)) return;
  const held = await worker.agent.call('invoke-restart', { restart: 'RETRY' });
  check('invoke-restart RETRY', held.text, held.text.includes('Held in the debugger') && held.text.includes('PICK-IT'));
  if (worker.random.chance(0.3)) {
    const given = await worker.agent.call('invoke-restart', { restart: 'ABORT' });
    return check('invoke-restart ABORT', given.text, given.text.includes('aborted'));
  }
  const picked = await worker.agent.call('invoke-restart', { restart: 'PICK-IT', arguments: ['(+ 40 2)'] });
  check('invoke-restart PICK-IT', picked.text, picked.text.includes(`(42 ${number})`));
});

const output: Task = among(async (worker) => {
  const lines = 2_000 + worker.random.integer(20_000);
  const code = `(dotimes (i ${lines} :printed) (format t "~D is a line of output~%" i))`;
  const text = await worker.agent.evaluate(code);
  check(code, text, text.includes('=> :PRINTED') && text.includes('0 is a line of output'));
  const handle = /lisp-workbench:\/\/replies\/[0-9a-f-]+\//.exec(text)?.[0];
  check(code, text, handle !== undefined);
  const page = await worker.agent.call('read-file', { path: `${handle}2` });
  check(`page 2 of ${code}`, page.text, /\d+ is a line of output/.test(page.text));
});

const inspection: Task = among(async (worker) => {
  const count = 3 + worker.random.integer(50);
  await worker.agent.evaluate(`(loop for i below ${count} collect (list i (make-string 100)))`);
  const top = await worker.agent.call('inspect-object', { expression: '*' });
  check(`inspect-object of a list of ${count}`, top.text, top.text.includes(`Length: ${count}`));
  const handle = Number(/^- 1: .*handle (\d+)\)/m.exec(top.text)?.[1]);
  const part = await worker.agent.call('inspect-object', { handle });
  check('inspect-object of its part', part.text, part.text.includes('CONS'));
});

const LOOKS: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ['describe-symbol', { symbol: 'mapcar' }, /MAPCAR/],
  ['apropos-search', { pattern: 'vector-push' }, /VECTOR-PUSH-EXTEND/],
  ['function-arglist', { function: 'subseq' }, /SEQUENCE/],
  ['macroexpand-form', { form: '(when a b)' }, /\(if a/i],
  ['disassemble-function', { function: 'cl:identity' }, /IDENTITY/],
  ['list-sessions', { threads: true }, /main thread/],
  ['list-sessions', { memory: true, count: 3 }, /MB used/],
  ['list-definitions', {}, /function|No user definitions|\[/i],
  ['get-repl-history', {}, /./],
  ['time-execution', { code: '(loop repeat 1000 sum 1)', runs: 2 }, /=> 1000/],
];

const looking: Task = among(async (worker) => {
  const [tool, args, expected] = worker.random.pick(LOOKS);
  const { text } = await worker.agent.call(tool, args);
  check(`${tool} ${JSON.stringify(args)}`, text, expected.test(text));
});

const threads: Task = among((worker) =>
  expectValue(
    worker,
    `(reduce #'+ (mapcar #'sb-thread:join-thread
       (loop for i from 1 to 4 collect (let ((i i)) (sb-thread:make-thread (lambda () (sleep 0.01) i))))))`,
    '10',
  ),
);

const interrupt: Task = among(async (worker) => {
  const { agent } = worker;
  const code = worker.random.pick(['(loop)', '(sleep 3600)', '(loop (print :on))']);
  const running = agent.evaluate(code);
  running.catch(() => {}); // a failure is reported by the call that interrupts it
  let told = await agent.call('interrupt-evaluation');
  // Repeats the call until the server knows that the evaluation belongs to this connection, because both calls are sent at the same time.
  while (told.isError) told = await agent.call('interrupt-evaluation');
  const text = await running;
  check(code, text, /interrupted|Cancelled before it was evaluated/i.test(text));
});

const reconnect: Task = among(async (worker) => {
  await (worker.random.chance(0.5) ? worker.agent.close() : worker.agent.drop());
  worker.agent = await connectOverHttp(worker.served, worker.name);
  const name = await worker.agent.evaluate('(package-name *package*)');
  check('the package of a connection that was just made', name, name === '=> "COMMON-LISP-USER"');
});

/** Cancels a call, ends its session, or breaks its connection while the call is running. Other clients must still get answers. */
const leave: Task = among(async (worker) => {
  const { random } = worker;
  const leaving = await connectOverHttp(worker.served, `${worker.name}-leaving`);
  // The form must end without an interruption: a call that was answered with a handle continues to run after its client has left.
  const code = `(loop repeat 200 do (sleep 0.01) ${random.integer(1_000_000)})`;
  const cancelled = new AbortController();
  const call = leaving.evaluate(code, cancelled.signal).catch(() => null);
  const listed = await leaving.call('list-sessions');
  check('list-sessions', listed.text, !listed.isError);
  const way = random.pick(['cancel', 'close', 'drop']);
  if (way === 'cancel') {
    cancelled.abort();
    await leaving.call('list-sessions'); // sent after the notification of the cancellation
  }
  await (way === 'close' ? leaving.close() : leaving.drop());
  await call;
  await expectValue(worker, '(+ 2 3)', '5');
});

const lisply: Task = among(async ({ served, random }) => {
  const number = random.integer(1_000_000);
  const response = await fetch(`${served.lisply}/lisp-eval`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code: `(progn (princ "out") (1+ ${number}))` }),
  });
  const text = await response.text();
  check('lisp-eval', text, text.includes(`"result":"${number + 1}"`) && text.includes('"stdout":"out"'));
});

/** The maximum number of denials in the whole soak; see `AskedFiles`. */
const MOST_DENIED = 15;

const approval: Task = ({ agent, random, name, place, asked }) => {
  const ask = async (): Promise<void> => {
    asked.count += 1;
    const approved = asked.count % 4 !== 0 || asked.denied === MOST_DENIED;
    if (!approved) asked.denied += 1;
    const file = `${approved ? 'yes' : 'no'}-${name}-${asked.count % 10}.txt`;
    const content = `written by ${name}, ${random.integer(1_000_000)}\n`;
    const { text } = await agent.call('write-file', { path: file, content });
    check(`write-file of ${file}`, text, text.startsWith(approved ? 'Wrote ' : 'User denied tool execution'));
    const written = await readFile(path.join(place.project, file), 'utf8').catch(() => null);
    check(`the file ${file}`, String(written), approved ? written === content : written === null);
  };
  const done = asked.asking.then(ask);
  asked.asking = done.catch(() => {});
  return done;
};

/** Approves files whose names contain `yes-`, and denies all others. */
export function decideByName(card: string): string {
  return /yes-[\w-]+\.txt/.test(card) ? 'y' : 'n its name says no';
}

const ownImage: Task = async (worker) => {
  const own = await startOwnImage(worker.place, `${worker.name}-own`);
  try {
    const text = await own.evaluate('(progn (defvar *mine* 41) (1+ *mine*))');
    check('in a separate image', text, text.endsWith('=> 42'));
  } finally {
    await own.close();
  }
  // On a busy machine the process may still be running shortly after its client has closed everything.
  await until(
    () => `The process ${own.pid} of an image of its own does not end.`,
    () => !runs(own.pid),
  );
};

/** Milliseconds between changes of the system's file. */
const CHANGED_MS = 2_500;

const loadSystem: Task = among((worker) => {
  const { system, place, agent } = worker;
  const load = async (): Promise<void> => {
    if (performance.now() - system.writtenAt > CHANGED_MS) {
      const folder = path.join(place.project, 'soak-system');
      await mkdir(folder, { recursive: true });
      if (system.version === 0)
        await writeFile(
          path.join(place.project, 'soak-system.asd'),
          '(defsystem "soak-system" :components ((:file "soak-system/part")))\n',
        );
      system.version += 1;
      await writeFile(path.join(folder, 'part.lisp'), `(defun cl-user::soak-version () ${system.version})\n`);
      system.writtenAt = performance.now();
    }
    const { text } = await agent.call('load-system', { system: 'soak-system' });
    check('load-system', text, text.includes('Loaded: soak-system'));
    await expectValue(worker, '(cl-user::soak-version)', String(system.version));
  };
  const loaded = system.loading.then(load);
  system.loading = loaded.catch(() => {});
  return loaded;
});

const goingBack: Task = async (worker) => {
  const { agent, image } = worker;
  const made = await image.alone(async () => {
    const { text } = await agent.call('checkpoint', { label: `of ${worker.name}` });
    const id = /^Checkpoint (\d+):/.exec(text)?.[1];
    check('checkpoint', text, id !== undefined || text.includes('No checkpoint:'));
    return id === undefined ? null : { id: Number(id), putBack: image.remember() };
  });
  for (let count = 0; count < 3; count += 1) await variable(worker);
  if (made === null) return;
  await image.alone(async () => {
    const { text } = await agent.call('rewind', { id: made.id });
    if (/There is no checkpoint/.test(text)) return; // the oldest checkpoints may have been dropped
    check(`rewind to ${made.id}`, text, text.startsWith(`The image is back at checkpoint ${made.id}.`));
    made.putBack();
  });
};

/** The tasks, each with its relative frequency. */
export const TASKS: Readonly<Record<string, readonly [Task, number]>> = {
  arithmetic: [arithmetic, 20],
  variable: [variable, 20],
  redefinition: [redefinition, 12],
  classes: [classes, 6],
  errors: [errors, 10],
  output: [output, 5],
  inspection: [inspection, 8],
  looking: [looking, 12],
  threads: [threads, 4],
  interrupt: [interrupt, 3],
  reconnect: [reconnect, 4],
  leave: [leave, 3],
  lisply: [lisply, 8],
  approval: [approval, 2],
  ownImage: [ownImage, 1],
  loadSystem: [loadSystem, 2],
  goingBack: [goingBack, 2],
};
