import { link, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EMACS, PERSON } from '#contract/clients/known-actors.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { sayIn } from '#core/sessions/session.fixture.ts';
import { connectSwank, evaluating, lispString, type SwankClient } from './swank-client.fixture.ts';

const SECRET = 'open sesame';

let home: string;
let bench: TestWorkbench;
let port: number;
let open: SwankClient[] = [];

/** The usual cache, so that SWANK is compiled only once on this machine. */
const CACHE = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'home-'));
  await writeFile(path.join(home, '.slime-secret'), `${SECRET}\nnot this\n`, { mode: 0o600 });
  bench = await openTestWorkbench({ environment: { HOME: home, XDG_CACHE_HOME: CACHE }, effects: 'deny' });
  const record = await bench.workbench.servers.start('swank', 0);
  if (record.port === null) throw new Error(`SWANK did not start: ${record.problem}`);
  port = record.port;
}, 300_000);

afterEach(async () => {
  for (const client of open) client.close();
  open = [];
  await vi.waitUntil(async () => connections() === 0 && (await threads()) === '0', { timeout: 30_000, interval: 20 });
});

afterAll(async () => {
  await bench.close();
  await rm(home, { recursive: true, force: true });
});

const connections = (): number | null => bench.workbench.servers.record('swank').connections;
const refusals = (): number => bench.workbench.servers.record('swank').refused?.count ?? 0;

/** Evaluates code as the person, and resolves with the result. */
const person = (code: string): Promise<string> => sayIn(bench.workbench.session, code);

/** Returns code that counts the threads with names that begin with `name`. */
const counting = (name: string): string =>
  `(count-if (lambda (each) (eql 0 (search "${name}" (sb-thread:thread-name each)))) (sb-thread:list-all-threads))`;

/** Resolves with the number of SWANK threads in the image. */
const threads = (): Promise<string> => person(counting('Emacs: '));

async function emacs(): Promise<SwankClient> {
  const client = await connectSwank(port, SECRET);
  open.push(client);
  await client.request('(swank:connection-info)');
  return client;
}

const events = (kind: string) => bench.workbench.activity.newest(10_000).filter((event) => event.kind === kind);

describe('Emacs through SWANK', () => {
  it('Emacs evaluates in the image that everybody shares, and each sees what the other defined [L15]', async () => {
    const client = await emacs();
    expect(connections()).toBe(1);
    expect(Number(await threads())).toBeGreaterThan(3);
    expect(await client.request(evaluating('(+ 1 2)'))).toContain('=> 3');
    await client.request(evaluating('(defun by-emacs (x) (list x "é→λ"))'));
    expect(await person('(by-emacs 1)')).toBe('(1 "é→λ")');
    await person('(defun by-workbench () :here)');
    expect(await client.request(evaluating('(by-workbench)'))).toContain(':HERE');
  });

  it('The evaluations and definitions of Emacs are told as its own, need no review, and what SLIME only looks up is not told [P1]', async () => {
    const client = await emacs();
    await client.request('(swank:simple-completions "list-a" "CL-USER")');
    await client.request(evaluating('(defun told-of-emacs () 1)'));
    const started = events('evaluation-started').filter(({ actor }) => actor.id === EMACS.id);
    const last = started.at(-1)!;
    expect(last).toMatchObject({ actor: EMACS, code: '(defun told-of-emacs () 1)', origin: 'emacs' });
    expect(started.some((event) => event.kind === 'evaluation-started' && /completions/.test(event.code))).toBe(false);
    const [defined] = bench.workbench.session.definitions.entries({ actor: EMACS.id });
    expect(defined).toMatchObject({ name: 'TOLD-OF-EMACS', seen: true, hasText: true });
    expect(last.kind === 'evaluation-started' && last.evaluation).toBe(defined!.evaluation);
    const finished = events('evaluation-finished').at(-1)!;
    expect(finished).toMatchObject({ actor: EMACS, status: 'ok', evaluation: defined!.evaluation });
    expect(events('definitions-changed').at(-1)).toMatchObject({ actor: EMACS, evaluation: defined!.evaluation });
  });

  it('A definition that Emacs compiles from a file has its place and its text in the workbench [P1]', async () => {
    const file = path.join(bench.project, 'from-emacs.lisp');
    const text = ';; é\n(in-package :cl-user)\n\n(defun from-file (x)\n  (* 2 x))\n';
    await writeFile(file, text);
    const form = '(defun from-file (x)\n  (* 2 x))';
    const at = text.indexOf(form) + 1;
    const client = await emacs();
    const compiled = await client.request(
      `(swank:compile-string-for-emacs ${lispString(form)} "from-emacs.lisp" '((:position ${at}) (:line 4 1)) ${lispString(file)} 'nil)`,
    );
    expect(compiled).toContain(':compilation-result nil t');
    expect(await person('(from-file 4)')).toBe('8');
    const [event] = bench.workbench.session.definitions.entries({ actor: EMACS.id });
    expect(event).toMatchObject({
      name: 'FROM-FILE',
      hasText: true,
      source: { file, offset: at - 1, line: 4 },
    });
    const { definitions } = await bench.workbench.session.lookUp('find-definition', {
      context: PERSON.id,
      package: 'COMMON-LISP-USER',
      symbol: 'from-file',
    });
    expect(definitions[0]).toMatchObject({ source: { file, offset: at - 1, line: 4 } });
  });

  it('Emacs finds a definition where the editor of the workbench evaluated it, also after lines came before it', async () => {
    const file = path.join(bench.project, 'evaluated.lisp');
    const form = '(defun from-editor () :editor)';
    await writeFile(file, `${form}\n`);
    await sayIn(bench.workbench.session, form, { source: { file, offset: 0, line: 1 } });
    const client = await emacs();
    const find = () => client.request('(swank:find-definitions-for-emacs "from-editor")');
    expect(await find()).toContain(`(:location (:file ${lispString(file)}) (:position 1) (:snippet "${form}"))`);
    await person('(defun only-in-repl () 1)');
    expect(await client.request('(swank:find-definitions-for-emacs "only-in-repl")')).toContain(
      'It was evaluated in the REPL.',
    );
  });

  it('An error of Emacs waits in its own debugger, and one of the workbench is none of its business', async () => {
    const client = await emacs();
    const failing = client.request(evaluating('(error "of emacs")'));
    await client.message(/^\(:debug \d+ 1 \("of emacs"/);
    expect(bench.workbench.session.debuggers).toEqual([]);
    expect(bench.workbench.session.view().state).toBe('idle');
    expect(await person('(+ 1 1)')).toBe('2');
    expect(await person('(error "of the workbench")')).toBe('SIMPLE-ERROR: of the workbench');
    expect(client.messages.some((each) => each.includes('of the workbench'))).toBe(false);
    const [, thread] = /^\(:debug (\d+) 1/.exec(await client.message(/^\(:debug /))!;
    void client.request('(swank:throw-to-toplevel)', { thread: thread! });
    expect(await failing).toContain(':abort');
    expect(events('evaluation-finished').at(-1)).toMatchObject({ actor: EMACS, status: 'interrupted' });
  });

  it('No checkpoint is made while Emacs is connected, which is told, and again when it has gone', async () => {
    const { session } = bench.workbench;
    const client = await emacs();
    await expect(session.checkpoint('with Emacs', PERSON)).rejects.toThrow(
      'Emacs is connected through SWANK, whose threads cannot be part of a checkpoint',
    );
    client.close();
    await expect.poll(threads).toBe('0');
    expect(await session.checkpoint('without Emacs', PERSON)).toMatchObject({ label: 'without Emacs' });
  });

  it('What Emacs evaluates ends with its connection, whatever it is in the midst of', async () => {
    const client = await emacs();
    await person('(defvar *loops* nil)');
    void client.request(evaluating('(progn (setf *loops* t) (loop))')).catch(() => {});
    await expect.poll(() => person('*loops*')).toBe('T');
    client.close();
    await expect.poll(threads, { timeout: 20_000 }).toBe('0');
    expect(await person('(+ 1 1)')).toBe('2');
  });

  it('What Emacs defined comes back when the image is lost, as what the person defined does [P4]', async () => {
    const { session } = bench.workbench;
    const client = await emacs();
    await client.request(evaluating('(defun comes-back () :back)'));
    await session.restart();
    await client.closed;
    expect(bench.workbench.servers.record('swank')).toMatchObject({ state: 'on', connections: 0 });
    expect(session.view().lost!.definitions).toContainEqual({
      actor: EMACS.id,
      name: 'COMES-BACK',
      operator: 'DEFUN',
    });
    await session.replay();
    expect(await person('(comes-back)')).toBe(':BACK');
    const again = await emacs();
    expect(await again.request(evaluating('(comes-back)'))).toContain(':BACK');
  });

  it('What code of Emacs prints to no stream of Emacs is told as output of the process, as is an error in a thread that it made', async () => {
    const told: string[] = [];
    const stop = bench.workbench.session.events.on('output', ({ evaluation, text }) => {
      if (evaluation === null) told.push(text);
    });
    const client = await emacs();
    await client.request(evaluating('(progn (write-line "printed by Emacs") (finish-output))'));
    await expect.poll(() => told.join('')).toContain('printed by Emacs');
    await client.request(
      evaluating('(sb-thread:join-thread (sb-thread:make-thread (lambda () (error "in a thread"))) :default nil)'),
    );
    await expect.poll(() => told.join('')).toContain('in a thread');
    expect(await client.request(evaluating('(+ 1 1)'))).toContain('=> 2');
    stop();
  });

  it('Each definition of a region has its own form, and what a file defines that Emacs loads is the file’s', async () => {
    const client = await emacs();
    await client.request('(swank:interactive-eval-region "(defun of-region-a () 1) (defun of-region-b () 2)")');
    const file = path.join(bench.project, 'loaded.lisp');
    await writeFile(file, '(defun of-loaded () 3)\n');
    await client.request(evaluating(`(load ${lispString(file)})`));
    const found = (name: string) =>
      bench.workbench.session.definitions.entries({ actor: EMACS.id }).find((entry) => entry.name === name)!;
    const textOf = async (name: string): Promise<string | null> => {
      const asked = { package: 'COMMON-LISP-USER', name, evaluation: null, limit: 1 };
      return (await bench.workbench.session.lookUp('definition-history', asked)).events[0]!.text;
    };
    expect(await textOf('OF-REGION-A')).toBe('(defun of-region-a () 1)');
    expect(await textOf('OF-REGION-B')).toBe('(defun of-region-b () 2)');
    expect(found('OF-LOADED')).toMatchObject({ source: { file }, hasText: false });
  });

  it('Emacs comes in while the image is busy with something else, and can end that', async () => {
    const busy = person('(catch :enough (loop (sleep 1/100)))');
    await expect.poll(() => bench.workbench.session.view().state).toBe('evaluating');
    const client = await emacs();
    expect(await client.request(evaluating('(+ 1 1)'))).toContain('=> 2');
    await client.request(
      evaluating(
        '(sb-thread:interrupt-thread (find-if (lambda (each) (search "worker" (sb-thread:thread-name each))) (remove sb-thread:*current-thread* (sb-thread:list-all-threads))) (lambda () (ignore-errors (throw :enough :ended))))',
      ),
    );
    expect(await busy).toBe(':ENDED');
  });

  it('All that one evaluation of Emacs defined is undone at once, also after a text of a megabyte [P3]', async () => {
    const client = await emacs();
    await client.request('(swank:interactive-eval-region "(defun to-undo-a () 1) (defun to-undo-b () 2)")');
    await client.request(evaluating(`(defparameter *long* "${'abc '.repeat(300_000)}")`));
    const { session } = bench.workbench;
    const { evaluation } = session.definitions.entries({ actor: EMACS.id }).find(({ name }) => name === 'TO-UNDO-A')!;
    const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id };
    const { result } = await session.undoDefinitions(who, { events: null, of: evaluation, dry: false });
    expect(result!.undone.map(({ name, done }) => [name, done])).toEqual([
      ['TO-UNDO-B', true],
      ['TO-UNDO-A', true],
    ]);
    expect(await client.request(evaluating("(list (fboundp 'to-undo-a) (fboundp 'to-undo-b))"))).toContain('(NIL NIL)');
  });

  it('Going back to a checkpoint ends the connection, as does an image that Emacs ends, and Emacs comes in again', async () => {
    const { session } = bench.workbench;
    const { id } = await session.checkpoint('before Emacs', PERSON);
    const client = await emacs();
    await client.request(evaluating('(defun not-kept () 1)'));
    await session.rewind(id, PERSON);
    await client.closed;
    const again = await emacs();
    expect(await again.request(evaluating("(fboundp 'not-kept)"))).toContain('NIL');
    void again.request('(swank:quit-lisp)').catch(() => {});
    await again.closed;
    const third = await emacs();
    expect(await third.request(evaluating('(+ 1 2)'))).toContain('=> 3');
  });

  it('Two programs are connected at once, and one that sends rubbish ends alone', async () => {
    const [one, other] = [await emacs(), await emacs()];
    expect(connections()).toBe(2);
    other.raw('zzzzzz(');
    await other.closed;
    await expect.poll(connections).toBe(1);
    expect(await one.request(evaluating('(+ 2 2)'))).toContain('=> 4');
  });
});

describe('strangers at the port of SWANK', () => {
  it.each<[string, (client: SwankClient) => void]>([
    ['another secret', (client) => client.packet('open sesam')],
    ['the second line of the file', (client) => client.packet('not this')],
    ['no secret', (client) => client.packet('')],
    ['a request at once', (client) => client.packet('(:emacs-rex (swank:connection-info) nil t 1)')],
    ['a length that is none', (client) => client.raw('GET / HTTP/1.1\r\n\r\n')],
    ['a length of sixteen megabytes', (client) => client.raw('ffffff')],
    ['octets that are no UTF-8', (client) => client.raw(Buffer.from([48, 48, 48, 48, 48, 50, 0xff, 0xfe]))],
  ])('One that sends %s is turned away, and the image hears nothing of it', async (_what, send) => {
    const client = await connectSwank(port, null);
    send(client);
    await client.closed;
    expect(client.messages).toEqual([]);
    expect(refusals()).toBeGreaterThan(0);
    expect(await threads()).toBe('0');
  });

  it('Hundreds that say nothing keep nobody out who knows the secret', async () => {
    const silent = await Promise.all(Array.from({ length: 200 }, () => connectSwank(port, null)));
    const client = await emacs();
    expect(await client.request(evaluating('(+ 1 1)'))).toContain('=> 2');
    for (const each of silent) each.close();
  });
});

describe('code of clients beside Emacs', () => {
  it('It can neither read the secret, by whatever name, nor connect to the port, nor speak for Emacs [G1]', async () => {
    const agent = await bench.connect('snoop');
    const file = path.join(home, '.slime-secret');
    const other = path.join(home, 'link');
    await rm(other, { force: true });
    await link(file, other);
    for (const name of [file, other, `${home}/../${path.basename(home)}/.slime-secret`]) {
      expect(await agent.evaluate(`(with-open-file (in ${lispString(name)}) (read-line in))`)).toContain(
        'Denied: OPEN',
      );
    }
    expect(await agent.evaluate(`(sb-posix:open ${lispString(file)} sb-posix:o-rdonly)`)).toContain('Denied: OPEN');
    expect(
      await agent.evaluate(
        `(let ((s (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp))) (sb-bsd-sockets:socket-connect s #(127 0 0 1) ${port}))`,
      ),
    ).toMatch(/Denied: SOCKET-CONNECT 127\.0\.0\.1:\d+\. Rule own-port:\d+ says deny/);
    const client = await emacs();
    expect(
      await agent.evaluate(
        `(swank/backend:send (swank::mconn.control-thread (first swank::*connections*)) '(:emacs-rex (swank:interactive-eval "(defvar cl-user::*escaped* t)") "CL-USER" t 99))`,
      ),
    ).toContain('Denied: SWANK/BACKEND:SEND');
    expect(await client.request(evaluating("(boundp '*escaped*)"))).toContain('NIL');
    expect(await readFile(file, 'utf8')).toContain(SECRET); // the person's code can read the secret
    expect(await person(`(with-open-file (in ${lispString(file)}) (read-line in))`)).toContain(SECRET);
  });

  it('What an agent defined keeps its guard when Emacs calls it [decision 48]', async () => {
    const agent = await bench.connect('author');
    const file = path.join(bench.project, 'made.txt');
    await agent.evaluate(
      `(defun make-it () (with-open-file (out ${lispString(file)} :direction :output) (print 1 out)))`,
    );
    const client = await emacs();
    const answer = client.request(evaluating('(handler-case (make-it) (error (e) (princ-to-string e)))'));
    expect(await answer).toContain('Denied: OPEN');
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    // Code that Emacs itself evaluates is not guarded.
    await client.request(evaluating(`(with-open-file (out ${lispString(file)} :direction :output) (print 1 out))`));
    expect(await readFile(file, 'utf8')).toContain('1');
  });

  it('What Emacs evaluates asks too, where the person wants it so while an agent’s evaluation is not accepted [issue 34.3]', async () => {
    const { changes } = bench.workbench.session;
    const file = path.join(bench.project, 'asked.txt');
    const make = `(handler-case (with-open-file (out ${lispString(file)} :direction :output) (print 1 out)) (error (e) (princ-to-string e)))`;
    await changes.choose(true);
    try {
      const agent = await bench.connect('changer');
      await agent.evaluate('(defvar *changed* 1)');
      const client = await emacs();
      expect(await client.request(evaluating(make))).toContain('Denied: OPEN');
      await expect(readFile(file)).rejects.toThrow('ENOENT');
      const own = lispString('(defun compiled-while-asked () 12)');
      await client.request(`(swank:compile-string-for-emacs ${own} "own.lisp" '((:position 1) (:line 1 1)) nil 'nil)`);
      expect(await client.request(evaluating('(compiled-while-asked)'))).toContain('12');
      await changes.accept((await changes.list()).upTo);
      await client.request(evaluating(make));
      expect(await readFile(file, 'utf8')).toContain('1');
    } finally {
      await changes.choose(null);
    }
  });
});

describe('starting and stopping SWANK', () => {
  it('Stopping ends the connections and leaves no thread of SWANK in the image; it starts again on the same port', async () => {
    const client = await emacs();
    void client.request(evaluating('(loop)')).catch(() => {});
    await bench.workbench.servers.stop('swank');
    await client.closed;
    expect(await threads()).toBe('0');
    expect(bench.workbench.servers.record('swank')).toMatchObject({ state: 'off', address: null });
    await expect(connectSwank(port, null).then((late) => late.closed)).rejects.toThrow('ECONNREFUSED');
    expect(await bench.workbench.servers.start('swank', port)).toMatchObject({ state: 'on', port });
  });

  it('Stopping leaves no thread of an evaluation that has not begun yet', async () => {
    const client = await emacs();
    await person(
      `(sb-int:encapsulate 'swank::eval-for-emacs 'late (lambda (original &rest arguments) (sleep 1/2) (apply original arguments)))`,
    );
    try {
      void client.request(evaluating('(loop)')).catch(() => {});
      await vi.waitUntil(async () => (await person(counting('Emacs: worker'))) === '1', {
        timeout: 30_000,
        interval: 20,
      });
      await bench.workbench.servers.stop('swank');
      expect(await threads()).toBe('0');
    } finally {
      await person(`(sb-int:unencapsulate 'swank::eval-for-emacs 'late)`);
    }
    expect(await bench.workbench.servers.start('swank', port)).toMatchObject({ state: 'on', port });
  });

  it('A port that is taken is told with who has it [case 8]', async () => {
    await bench.workbench.servers.stop('swank');
    const taken = Number(new URL(bench.url).port);
    const record = await bench.workbench.servers.start('swank', taken);
    expect(record.state).toBe('failed');
    expect(record.problem).toMatch(new RegExp(`Port ${taken} is taken by .*\\(pid ${process.pid}\\)`));
    expect(await bench.workbench.servers.start('swank', port)).toMatchObject({ state: 'on', problem: null });
  });
});
