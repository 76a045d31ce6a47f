/** Displays that show all parts of an object at once, and the conversion of objects to code. */
import { describe, expect, it } from 'vitest';
import { inspectedImage } from './inspected.fixture.ts';

const { lisp, inspected } = await inspectedImage();

async function table(code: string, offset = 0, limit = 100) {
  const { handle, page } = await inspected(code);
  const found = await lisp.ask('inspect-table', { handle, holder: 'table', offset, limit, package: 'INSPECTED' });
  const rows = found.rows.map(({ label, cells }) => [label, ...cells.map(({ text }) => text)].join(' | '));
  return { ...found, drawings: page.drawings, shown: rows };
}

describe('tables', () => {
  it.each<[string, string[], string[]]>([
    ["'((1 2 3) (4 5 6))", ['0', '1', '2'], ['0 | 1 | 2 | 3', '1 | 4 | 5 | 6']],
    ['\'((:name "a" :size 1) (:name "b" :size 2))', [':NAME', ':SIZE'], ['0 | "a" | 1', '1 | "b" | 2']],
    ["'((:a 1) (:b 2))", [':A'], ['0 | 1', '1 | ']],
    ['(vector (make-point :x 1) (make-point :x 5))', ['X', 'Y'], ['0 | 1 | 2', '1 | 5 | 2']],
    ['(make-array (list 2 2) :initial-contents (list (list 1 2) (list 3 4)))', ['0', '1'], ['0 | 1 | 2', '1 | 3 | 4']],
    ['(list (vector 1 2) (vector 3 4))', ['0', '1'], ['0 | 1 | 2', '1 | 3 | 4']],
    [
      '(let ((h (make-hash-table))) (setf (gethash :u h) (list 1 2) (gethash :v h) (list 3 4)) h)',
      ['0', '1'],
      [':U | 1 | 2', ':V | 3 | 4'],
    ],
    [
      '(flet ((h (n) (let ((h (make-hash-table))) (setf (gethash :k h) n) h))) (list (h 1) (h 2)))',
      [':K'],
      ['0 | 1', '1 | 2'],
    ],
  ])('A collection of like things is a table: %s [D7]', async (code, columns, rows) => {
    const found = await table(code);
    expect([found.columns, found.shown]).toEqual([columns, rows]);
    expect(found.drawings).toContain('table');
  });

  it.each(["'((1 2) (3))", "'(1 2 3)", "'(a (b))", '"text"', '7', "'((1 2))", '(list* 1 2)'])(
    'What has no rows that are alike is no table: %s',
    async (code) => {
      const found = await table(code);
      expect([found.columns, found.drawings.includes('table')]).toEqual([[], false]);
    },
  );

  it('A long table comes a page at a time, and fewer rows where they are wide [D7]', async () => {
    const found = await table('(loop for i below 5000 collect (list i (* i i)))', 4990, 500);
    expect([found.shown.length, found.shown[0], found.total, found.more]).toEqual([
      10,
      '4990 | 4990 | 24900100',
      5000,
      false,
    ]);
    const wide = await table('(loop for i below 200 collect (make-list 25 :initial-element i))', 0, 500);
    expect([wide.rows.length, wide.more]).toEqual([60, true]);
  });

  it('A cell that cannot be read says why, and the others are there', async () => {
    const found = await table("(list (make-instance 'broken) (make-instance 'broken))");
    expect(found.shown[0]).toContain('#<error SIMPLE-ERROR>');
    expect(found.shown[0]).toContain('| 3');
  });
});

describe('plots and pictures', () => {
  async function plot(code: string, points = 2000) {
    const { handle, page } = await inspected(code);
    return { ...(await lisp.ask('inspect-plot', { handle, points })), drawings: page.drawings };
  }

  it('Numbers are points in their order, with what is no finite number left out [D7]', async () => {
    expect(await plot('(vector 1 5/2 -3.5d0 sb-ext:double-float-positive-infinity 7)')).toEqual({
      expired: false,
      points: [
        { index: 0, value: 1 },
        { index: 1, value: 2.5 },
        { index: 2, value: -3.5 },
        { index: 4, value: 7 },
      ],
      total: 5,
      least: -3.5,
      greatest: 7,
      problem: null,
      drawings: ['plot'],
    });
  });

  it('Of a million numbers the plot has the least and greatest of each stretch [D7]', async () => {
    const found = await plot(
      "(let ((v (make-array 1000000 :element-type 'double-float :initial-element 0d0))) (setf (aref v 777777) 9d0 (aref v 5) -4d0) v)",
    );
    expect([found.total, found.least, found.greatest]).toEqual([1_000_000, -4, 9]);
    expect(found.points.length).toBeLessThanOrEqual(2000);
    expect(found.points).toContainEqual({ index: 777_777, value: 9 });
  });

  it('Octets that begin as a picture are one, and come in base 64 [D7]', async () => {
    const octets = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 255];
    const code = `(coerce '(${octets.join(' ')}) '(vector (unsigned-byte 8)))`;
    const { handle, page } = await inspected(code);
    expect(page.drawings).toContain('picture');
    const base64 = Buffer.from(octets).toString('base64');
    const found = await lisp.ask('inspect-picture', { handle, limit: 1000 });
    expect(found).toEqual({ expired: false, type: 'image/png', octets: 12, base64, problem: null });
    expect(await lisp.ask('inspect-picture', { handle, limit: 5 })).toMatchObject({ octets: 12, base64: null });
    const other = await inspected("(coerce '(1 2 3) '(vector (unsigned-byte 8)))");
    expect(other.page.drawings).not.toContain('picture');
  });

  it('A file that holds a picture is shown from its pathname [D7]', async () => {
    const { handle, page } = await inspected(
      `(let ((file (merge-pathnames "dot.gif")))
         (with-open-file (s file :direction :output :if-exists :supersede :element-type '(unsigned-byte 8))
           (write-sequence (map 'vector #'char-code "GIF89a....") s))
         file)`,
    );
    expect(page.drawings).toEqual(['picture']);
    expect(await lisp.ask('inspect-picture', { handle, limit: 1000 })).toMatchObject({ type: 'image/gif', octets: 10 });
  });
});

describe('values in code', () => {
  it('Code that was copied gives the very object, in any package [D7]', async () => {
    const { handle } = await inspected('(defvar *kept* (list 1 2))');
    const { code } = await lisp.ask('copy-value', { handle: (await inspected('*kept*')).handle });
    expect(code).toMatch(/^\(lisp-workbench:value \d+\)$/);
    await lisp.value('(defpackage :bare (:use))');
    await expect(lisp.value(`(eq ${code} *kept*)`, { package: 'INSPECTED' })).resolves.toBe('T');
    const bare = await lisp.evaluate(code!, { package: 'BARE' });
    expect(bare.values[0]?.text).toBe('(1 2)');
    const again = await lisp.ask('copy-value', { handle: (await inspected('*kept*')).handle });
    expect(again.code).toBe(code);
    expect(handle).toBeGreaterThan(0);
  });

  it('A number under which nothing was copied is an error that says so', async () => {
    const { condition } = await lisp.evaluate('(lisp-workbench:value 999)');
    expect(condition?.message).toContain('There is no copied value 999');
  });

  it('A handle that is kept for another holder outlives the first one [D7]', async () => {
    const { handle } = await inspected('(list 1 2 3)');
    const { handle: kept } = await lisp.ask('keep-handle', { handle, holder: 'history' });
    await lisp.ask('release', { holder: 'inspector' });
    const look = { holder: 'x', view: null, offset: 0, limit: 5, package: null };
    expect((await lisp.ask('inspect', { handle, ...look })).expired).toBe(true);
    expect((await lisp.ask('inspect', { handle: kept!, ...look })).text).toBe('(1 2 3)');
    expect(await lisp.ask('keep-handle', { handle, holder: 'history' })).toEqual({ handle: null });
  });

  it('A value is printed to its end when it is wanted whole', async () => {
    const { handle } = await inspected('(loop for i below 150 collect i)');
    const { text } = await lisp.ask('print-handle', { handle, limit: 100_000, package: null });
    expect(text.replaceAll(/\s+/g, ' ')).toContain('148 149)');
  });

  it('INSPECT typed by a person tells the window, and an agent gets the text of SBCL [D7]', async () => {
    const { values, output } = { output: '', ...(await lisp.evaluate('(inspect (list 7 8))', { interactive: true })) };
    expect([values, output]).toEqual([[], '']);
    const { handle } = await lisp.next('inspection-wanted');
    const shown = await lisp.ask('inspect', { handle, holder: 'x', view: null, offset: 0, limit: 5, package: null });
    expect(shown.text).toBe('(7 8)');
    const agents = await lisp.evaluate('(inspect (list 7 8))', { interactive: false });
    expect(agents.status).toBe('ok');
    expect(lisp.events.some((event) => event.event === 'output' && event.text.includes('proper list'))).toBe(true);
  });

  it('ED typed by a person tells the window the file or the name, and fails for an agent and for what is neither [D7]', async () => {
    const ed = async (code: string) => {
      const { values } = await lisp.evaluate(code, { interactive: true });
      const { file, name } = await lisp.next('editing-wanted');
      return [values.map(({ text }) => text), file, name];
    };
    const folder = await lisp.value('(sb-ext:native-namestring (uiop:getcwd))');
    const within = (file: string): string => JSON.parse(folder).concat(file);
    expect(await ed('(ed "shop.lisp")')).toEqual([['T'], within('shop.lisp'), null]);
    expect(await ed('(ed #p"a\\\\[1].lisp")')).toEqual([['T'], within('a[1].lisp'), null]);
    expect(await ed("(ed 'inspected::plain)")).toEqual([['T'], null, 'INSPECTED::PLAIN']);
    expect(await ed("(ed '(setf car))")).toEqual([['T'], null, '(SETF CAR)']);
    expect(await ed('(ed)')).toEqual([['T'], null, null]);
    for (const [code, interactive] of [
      ['(ed)', false],
      ["(ed '(1 2))", true],
    ] as const) {
      const { status, condition } = await lisp.evaluate(code, { interactive });
      expect([status, condition?.type]).toEqual(['error', 'SB-INT:EXTENSION-FAILURE']);
    }
  });

  it('An evaluation that leaves the package alone does so whatever it sets', async () => {
    await lisp.evaluate('(in-package :keyword)', { package: 'CL-USER', packageStays: true });
    expect((await lisp.evaluate('1')).package).toBe('COMMON-LISP-USER');
    const inside = await lisp.evaluate('(in-package :inspected) (package-name *package*)', { packageStays: true });
    expect([inside.values[0]?.text, inside.package]).toEqual(['"INSPECTED"', 'COMMON-LISP-USER']);
  });
});
