/** File names: an operation uses the file that was judged and shown, regardless of how its name is represented. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '#contract/decisions/effect.ts';
import { AGENT, decideAll } from '../effects.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;
let cache: string;
let folder: string;
/** The image's own temporary folder, with a slash at the end. */
let own: string;
let asked: Effect<'waiting'>[];

beforeAll(async () => {
  cache = await realpath(await mkdtemp(path.join(tmpdir(), 'cache-')));
  image = await openTestImage({ environment: { XDG_CACHE_HOME: cache } });
  folder = await realpath(image.directory);
  own = JSON.parse(await image.value('(sb-ext:native-namestring (lisp-workbench:temporary-directory))')) as string;
  asked = decideAll(image, 'deny');
});

afterAll(async () => {
  await image.close();
  await rm(cache, { recursive: true, force: true });
  await rm(own, { recursive: true, force: true });
});

beforeEach(async () => {
  await rm(at('out'), { recursive: true, force: true });
  await rm(`${own}out`, { recursive: true, force: true });
  await mkdir(at('out'));
  await mkdir(`${own}out`);
  await writeFile(at('out/victim'), 'kept');
  await writeFile(`${own}mine`, 'mine');
  asked.length = 0;
});

const at = (name: string): string => path.join(folder, name);
const run = (code: string) => image.evaluate(code, AGENT);
const victim = (): Promise<string | null> => readFile(at('out/victim'), 'utf8').catch(() => null);
const DENIED = 'LISP-WORKBENCH:EFFECT-DENIED';

describe('names with a NUL character', () => {
  /**
   * Returns a name that seems to be in the temporary folder. The kernel ignores everything from the NUL on, and therefore uses the victim's
   * file.
   */
  const evil = (end = ''): string =>
    `(format nil "~A~C/${'../'.repeat(30)}~A" "${at('out/victim')}" (code-char 0) "${own.slice(1)}x${end}")`;
  const pathname = (): string => `(sb-ext:parse-native-namestring ${evil()})`;

  it.each([
    ['UNLINK', () => `(sb-posix:unlink ${evil()})`],
    ['RMDIR', () => `(sb-posix:rmdir ${evil()})`],
    ['RENAME', () => `(sb-posix:rename "${own}mine" ${evil()})`],
    ['RENAME away', () => `(sb-posix:rename ${evil()} "${own}other")`],
    ['MKDIR', () => `(sb-posix:mkdir ${evil()} #o700)`],
    ['MKFIFO', () => `(sb-posix:mkfifo ${evil()} #o700)`],
    ['MKDTEMP', () => `(sb-posix:mkdtemp ${evil('XXXXXX')})`],
    ['CHMOD', () => `(sb-posix:chmod ${evil()} 0)`],
    ['TRUNCATE', () => `(sb-posix:truncate ${evil()} 0)`],
    ['OPEN of SB-POSIX', () => `(sb-posix:open ${evil()} (logior sb-posix:o-wronly sb-posix:o-trunc))`],
    ['OPEN', () => `(open ${pathname()} :direction :output :if-exists :supersede)`],
    ['OPEN for input', () => `(open ${pathname()})`],
    ['DELETE-FILE', () => `(delete-file ${pathname()})`],
    [
      'DELETE-FILE of a string with a fill pointer',
      () =>
        `(delete-file (make-array 3 :element-type 'character :fill-pointer 3 :initial-contents (list #\\/ (code-char 0) #\\x)))`,
    ],
    ['RENAME-FILE', () => `(rename-file "${own}mine" ${pathname()})`],
    [
      'ENSURE-DIRECTORIES-EXIST',
      () =>
        `(ensure-directories-exist (make-pathname :directory (list :absolute "tmp" (format nil "a~Cb" (code-char 0)))))`,
    ],
    ['GC-LOGFILE', () => `(setf (sb-ext:gc-logfile) ${pathname()})`],
    [
      'a program',
      () =>
        `(sb-ext:run-program (format nil "/usr/bin/touch~C/../../../usr/bin/true" (code-char 0)) (list "${at('out/new')}"))`,
    ],
    ['an argument of a program', () => `(sb-ext:run-program "/usr/bin/touch" (list ${evil()}))`],
    [
      'the environment of a program',
      () => `(sb-ext:run-program "/usr/bin/env" nil :environment (list (format nil "A=1~CB=2" (code-char 0))))`,
    ],
    ['the folder of a program', () => `(sb-ext:run-program "/usr/bin/touch" '("new") :directory ${pathname()})`],
    ['the environment', () => `(sb-posix:setenv "A" (format nil "1~C" (code-char 0)) 1)`],
    ['a folder to change to', () => `(sb-posix:chdir ${evil()})`],
  ])('A name with a NUL character is an error of %s, and nobody is asked', async (_, code) => {
    const { condition } = await run(code());
    expect([condition?.message.includes('NUL'), asked]).toEqual([true, []]);
    expect(await victim()).toBe('kept');
  });

  it('A name with a NUL character is what UIOP takes for a file that is not there', async () => {
    expect([(await run(`(uiop:delete-file-if-exists ${pathname()})`)).status, await victim()]).toEqual(['ok', 'kept']);
  });

  it('A NUL character is no error in what is merely sent or written', async () => {
    const code = `(with-open-file (s "${own}nul" :direction :output :if-exists :supersede) (write-char (code-char 0) s))`;
    expect([(await run(code)).status, await readFile(`${own}nul`, 'utf8')]).toEqual(['ok', '\0']);
  });
});

describe("names that lead through the kernel's own links", () => {
  const folders = (code: string): string =>
    `(let* ((in (sb-posix:open "${own}out" 0)) (out (sb-posix:open "${at('out')}" 0)) (name (format nil "/proc/self/fd/~D/victim" in)))
       (declare (ignorable out name))
       ${code})`;

  it.each([':if-exists :supersede', ':if-exists :rename', ':if-does-not-exist :create :if-exists :append'])(
    "A name through the kernel's links is fixed when it is opened with %s: closing it later removes no other file",
    async (options) => {
      const code = `(let ((s (open name :direction :output ${options}))) (write-char #\\x s) (sb-posix:dup2 out in) (close s :abort t))`;
      expect((await run(folders(code))).status).toBe('ok');
      expect([await victim(), asked]).toEqual(['kept', []]);
    },
  );

  it("A name through the kernel's links means the folder that it meant when it was judged, while a thread exchanges the descriptor", async () => {
    const flipping = `(let* ((a (sb-posix:dup in)) (b out) (go t)
        (thread (sb-thread:make-thread (lambda () (loop while go do (sb-posix:dup2 b in) (sb-posix:dup2 a in))))))
      (loop repeat 400 do
        (ignore-errors (close (open (concatenate 'string name "2") :direction :output :if-exists :supersede)))
        (ignore-errors (delete-file name))
        (ignore-errors (sb-posix:unlink name))
        (ignore-errors (sb-posix:truncate name 0))
        (ignore-errors (sb-posix:mkdir (concatenate 'string name "3") #o700))
        (ignore-errors (sb-posix:close (sb-posix:open (concatenate 'string name "4") (logior sb-posix:o-creat sb-posix:o-wronly)))))
      (setf go nil)
      (sb-thread:join-thread thread))`;
    await run(folders(flipping));
    expect([
      await victim(),
      existsSync(at('out/victim2')),
      existsSync(at('out/victim3')),
      existsSync(at('out/victim4')),
    ]).toEqual(['kept', false, false, false]);
  });

  it("A name through the kernel's links is refused where it leads to what has no name", async () => {
    const { condition } = await run(
      `(multiple-value-bind (in out) (sb-posix:pipe) in (open (format nil "/proc/self/fd/~D" out) :direction :output :if-exists :append))`,
    );
    expect([condition?.message.includes('a file without a name'), asked]).toEqual([true, []]);
  });

  it("A name through the kernel's links is told by its real name", async () => {
    await run(folders('(delete-file (format nil "/proc/self/fd/~D/victim" out))'));
    expect(asked.map(({ path: told }) => told)).toEqual([at('out/victim')]);
  });

  it('A descriptor changes nothing of a file unasked', async () => {
    const { condition } = await run(`(sb-posix:fchmod (sb-posix:open "${own}mine" 0) 0)`);
    expect([condition?.type, asked.map(({ path: told }) => told)]).toEqual([DENIED, [`${own}mine`]]);
  });
});

describe('what a name means', () => {
  const flipped = (flip: string, body: string): string =>
    `(let* ((go t) (me sb-thread:*current-thread*)
            (thread (sb-thread:make-thread (lambda () (declare (ignorable me)) (loop while go do ${flip})))))
       (declare (ignorable me))
       (unwind-protect (loop repeat 300 do (ignore-errors ${body}))
         (setf go nil)
         (sb-thread:join-thread thread)))`;
  const translations = (): string => {
    const to = (place: string): string =>
      `(setf (logical-pathname-translations "EVIL") '(("**;*.*.*" "${place}/**/*.*") ("*.*.*" "${place}/*.*")))`;
    return `(progn ${to(`${own}out`)} ${to(at('out'))})`;
  };
  /** Returns the file's content, whether new files exist beside it, and another file's content. */
  const state = async (): Promise<unknown[]> => [
    await victim(),
    existsSync(at('out/new')),
    existsSync(at('out/sub')),
    await readFile(at('out/victim.txt'), 'utf8').catch(() => null),
  ];
  const UNTOUCHED = ['kept', false, false, 'kept'];
  beforeEach(() => writeFile(at('out/victim.txt'), 'kept'));

  it.each([
    ['DELETE-FILE', '(delete-file "EVIL:VICTIM.TXT")'],
    ['OPEN', '(close (open "EVIL:VICTIM.TXT" :direction :output :if-exists :supersede))'],
    ['OPEN that makes what it reads', '(close (open "EVIL:NEW" :if-does-not-exist :create))'],
    ['RENAME-FILE', '(rename-file "EVIL:VICTIM.TXT" "EVIL:OTHER.TXT")'],
    ['ENSURE-DIRECTORIES-EXIST', '(ensure-directories-exist "EVIL:SUB;X.TXT")'],
  ])('A logical pathname whose translations are exchanged is looked up once by %s', async (_, code) => {
    await image.evaluate(`(setf (logical-pathname-translations "EVIL") nil)`);
    await run(
      flipped(
        translations(),
        `(progn (ignore-errors (with-open-file (s "${own}out/victim.txt" :direction :output :if-does-not-exist :create :if-exists nil))) ${code})`,
      ),
    );
    expect(await state()).toEqual(UNTOUCHED);
  });

  it('A name is looked up once where a synonym stream stands for it', async () => {
    await run(
      `(let ((in (open "${own}mine")) (out (open "${at('out/victim')}")))
         (defvar *stream* in)
         (setf *stream* in)
         ${flipped('(setf *stream* in *stream* out)', `(delete-file (make-synonym-stream '*stream*))`)})`,
    );
    expect(await state()).toEqual(UNTOUCHED);
  });

  it('A name is looked up once where it is relative to a default that another thread changes', async () => {
    await run(
      `(let ((*default-pathname-defaults* #p"${own}out/"))
         ${flipped(
           `(ignore-errors (setf (sb-thread:symbol-value-in-thread '*default-pathname-defaults* me) #p"${own}out/"
                                 (sb-thread:symbol-value-in-thread '*default-pathname-defaults* me) #p"${folder}/out/"
                                 (sb-thread:symbol-value-in-thread '*default-pathname-defaults* me) #p"${own}out/x.txt"))`,
           `(progn (delete-file "victim") (close (open "new" :direction :output :if-exists :supersede)))`,
         )})`,
    );
    expect(await state()).toEqual(UNTOUCHED);
  });

  it('The look-up of a name is not shown in the results: they are those of plain SBCL', async () => {
    await symlink(`${own}out`, at('link')).catch(() => {});
    const code = `(let ((*default-pathname-defaults* #p"${own}out/"))
      (list (ensure-directories-exist "sub/x")
            (with-open-file (s "name" :direction :output) (list (pathname-type s) (namestring (pathname s))))
            (mapcar (lambda (each) (copy-seq (namestring each))) (multiple-value-list (rename-file "name" "other")))
            (with-open-file (s "other") (rename-file s "third") (namestring (pathname s)))
            (delete-file "third")
            (not (delete-directory "sub/"))))`;
    const expected = `("sub/x" (NIL "${own}out/name") ("${own}out/other" "${own}out/name" "${own}out/other") "${own}out/third" T NIL)`;
    const reply = await run(code);
    expect([reply.values?.[0]?.text.replaceAll(/#\d+=/g, '').replaceAll(/\s+/g, ' '), asked]).toEqual([expected, []]);
  });
});

describe('what was compiled', () => {
  it('The compiled file is of the source that was read, however its name is led elsewhere', async () => {
    await writeFile(at('victim.lisp'), '(defun compiled-victim () :right)');
    await writeFile(`${own}victim.lisp`, '(defun compiled-victim () :wrong)');
    const fasl = path.join(
      JSON.parse(
        await image.value(
          `(sb-ext:native-namestring (asdf:apply-output-translations (compile-file-pathname "${at('victim.lisp')}")))`,
        ),
      ) as string,
    );
    for (const code of [
      `(let* ((in (sb-posix:open "${folder}" 0)) (out (sb-posix:open "${own}" 0)) (mine (sb-posix:dup out)) (his (sb-posix:dup in)) (go t)
              (thread (sb-thread:make-thread (lambda () (loop while go do (sb-posix:dup2 mine in) (sb-posix:dup2 his in))))))
         (ensure-directories-exist "${fasl}")
         (loop repeat 200
               do (ignore-errors (compile-file (format nil "/proc/self/fd/~D/victim.lisp" in) :output-file "${fasl}"))
                  (ignore-errors (when (search "WRONG" (with-open-file (s "${fasl}" :external-format :latin-1) (read-line s nil "") (format nil "~{~A~}" (loop for c = (read-char s nil) while c collect c)))) (return)) (delete-file "${fasl}")))
         (setf go nil) (sb-thread:join-thread thread))`,
    ]) {
      await run(code);
      const made = await readFile(fasl, 'latin1').catch(() => '');
      expect(made.toLowerCase().includes('wrong')).toBe(false);
    }
  });
});

describe('connection with the workbench', () => {
  const REFUSED = /Code must not use the connection|could supply another one/;

  it('The connection with the workbench is reached by no socket whose descriptor is told by code', async () => {
    const code = `(progn (require :sb-bsd-sockets)
      (eval '(progn (defclass sly (sb-bsd-sockets:inet-socket) ((times :initform 0 :accessor times)))
             (defmethod sb-bsd-sockets:socket-file-descriptor :around ((s sly)) (if (< (incf (times s)) 3) 99 4))
             (let ((s (make-instance 'sly :type :stream :protocol :tcp))) (sb-bsd-sockets:socket-send s "x" 1)))))`;
    expect((await run(code)).condition?.message).toMatch(REFUSED);
  });

  it('A socket of another still sends and receives beside the connection with the workbench', async () => {
    const code = `(let ((s (make-instance 'sb-bsd-sockets:inet-socket :type :datagram :protocol :udp)))
      (unwind-protect (handler-case (sb-bsd-sockets:socket-send s "x" 1) (sb-bsd-sockets:socket-error () :not-connected))
        (sb-bsd-sockets:socket-close s)))`;
    expect((await run(code)).values?.[0]?.text).toBe(':NOT-CONNECTED');
  });

  it('A stream that deletes a file when it is closed is not made for the sake of the connection with the workbench', async () => {
    const code = `(close (sb-sys:make-fd-stream (sb-posix:open "${own}mine" 0) :output t :buffering :full :file "${at('out/victim')}") :abort t)`;
    expect([(await run(code)).condition?.type, await victim()]).toEqual([DENIED, 'kept']);
  });
});
