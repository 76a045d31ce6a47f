/** Calls of an operator whose name is not in the code, and operators that are easily overlooked. All cause requests. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { guardedImage } from '../guarded-image.fixture.ts';

const { image, file, asked, byAgent: run } = await guardedImage();
const SOCKET = "(make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp)";
const DENIED = 'LISP-WORKBENCH:EFFECT-DENIED';

describe('operators reached without their names', () => {
  it.each([
    ['FDEFINITION', "(funcall (fdefinition 'delete-file) @)", 'DELETE-FILE'],
    [
      'FDEFINITION of a name that is computed',
      `(mapcar (fdefinition (read-from-string "sb-posix:unlink")) (list @))`,
      'UNLINK',
    ],
    ['another name by (SETF FDEFINITION)', "(progn (setf (fdefinition 'rm) #'delete-file) (rm @))", 'DELETE-FILE'],
    [
      'another name by (SETF SYMBOL-FUNCTION)',
      "(progn (setf (symbol-function 'o) #'open) (close (o @ :direction :output)))",
      'OPEN',
    ],
    [
      'another name of what FDEFINITION gave',
      "(progn (setf (symbol-function 'rm2) (fdefinition 'delete-file)) (rm2 @))",
      'DELETE-FILE',
    ],
    ['ENSURE-FUNCTION of UIOP', "(funcall (uiop:ensure-function 'delete-file) @)", 'DELETE-FILE'],
    ['CALL-FUNCTION of UIOP', "(uiop:call-function 'delete-file @)", 'DELETE-FILE'],
    [
      'a program under another name',
      `(progn (setf (fdefinition 'sh) (fdefinition 'sb-ext:run-program)) (sh "/bin/rm" (list @)))`,
      'RUN-PROGRAM',
    ],
    [
      'code that asks for inline expansion',
      '(locally (declare (inline sb-posix:unlink)) (sb-posix:unlink @))',
      'UNLINK',
    ],
    [
      'compiled code that asks for it',
      "(progn (proclaim '(inline sb-posix:unlink)) (funcall (compile nil '(lambda (f) (sb-posix:unlink f))) @))",
      'UNLINK',
    ],
    [
      'an encapsulation taken off',
      `(progn (sb-int:unencapsulate 'delete-file (intern "GUARD")) (delete-file @))`,
      'DELETE-FILE',
    ],
    [
      'a traced function',
      '(progn (trace delete-file) (unwind-protect (delete-file @) (untrace delete-file)))',
      'DELETE-FILE',
    ],
    [
      'the function of a method',
      `(funcall (sb-mop:method-function (first (sb-mop:generic-function-methods #'sb-bsd-sockets:socket-connect))) (list ${SOCKET} #(127 0 0 1) 9) nil)`,
      'SOCKET-CONNECT',
    ],
    [
      'a method of a module that was loaded again',
      `(progn (handler-bind ((warning #'muffle-warning)) (load (merge-pathnames "contrib/sb-bsd-sockets.fasl" (sb-int:sbcl-homedir-pathname))))
              (sb-bsd-sockets:socket-connect ${SOCKET} #(127 0 0 1) 9))`,
      'SOCKET-CONNECT',
    ],
    [
      'a method of its own that calls the next one',
      `(progn (defclass mine (sb-bsd-sockets:inet-socket) ())
              (defmethod sb-bsd-sockets:socket-connect ((s mine) &rest peer) (declare (ignore peer)) (call-next-method))
              (sb-bsd-sockets:socket-connect (make-instance 'mine :type :stream :protocol :tcp) #(127 0 0 1) 9))`,
      'SOCKET-CONNECT',
    ],
  ])('An operator reached without its name is asked for: %s [G1]', async (_way, code, operator) => {
    const { condition } = await run(code);
    expect([asked.map((each) => each.operator), condition?.type]).toEqual([[operator], DENIED]);
    expect(await readFile(file, 'utf8')).toBe('kept');
  });

  it('An operator sent into another thread, or given to a timer, without its name is guarded there [G1]', async () => {
    await image.evaluate('(defvar *theirs* (sb-thread:make-thread (lambda () (loop (sleep 0.01)))))');
    const said = image.next('effect-recorded');
    await run(
      `(funcall (fdefinition 'sb-thread:interrupt-thread) *theirs* (lambda () (ignore-errors (delete-file @))))`,
    );
    expect(await said).toMatchObject({ operator: 'DELETE-FILE', outcome: 'denied' });
    await image.evaluate('(sb-thread:terminate-thread *theirs*)');
    const code = `(let ((said nil))
      (sb-ext:schedule-timer (funcall (fdefinition 'sb-ext:make-timer) (lambda () (handler-case (delete-file @) (error (c) (setf said (princ-to-string c)))))) 0.001)
      (loop until said do (sleep 0.001))
      said)`;
    expect((await run(code)).values[0]?.text).toContain('This code runs where no approval can be requested.');
    expect(existsSync(file)).toBe(true);
  });

  it('A function hung on the end of a process, or on input of a descriptor, is guarded in whatever thread calls it [G1]', async () => {
    await image.evaluate(
      `(defvar *process* (sb-ext:run-program "/bin/cat" nil :wait nil :input :stream :output :stream))`,
    );
    await run(
      `(setf (sb-ext:process-status-hook *process*) (lambda (p) p (ignore-errors (delete-file @)) (defvar *hooked* t)))`,
    );
    await image.evaluate('(progn (close (sb-ext:process-input *process*)) (sb-ext:process-wait *process*))');
    await expect.poll(() => image.value(`(boundp '*hooked*)`)).toBe('T');
    await run(
      `(multiple-value-bind (in out) (sb-posix:pipe)
         (defvar *handled* nil)
         (sb-sys:add-fd-handler in :input (lambda (fd)
           (ignore-errors (delete-file @))
           (setf *handled* t)
           (sb-sys:invalidate-descriptor fd)))
         (write-char #\\x (sb-sys:make-fd-stream out :output t :buffering :none)))`,
    );
    await image.evaluate('(loop repeat 50 until *handled* do (sb-sys:serve-all-events 0.1))');
    expect(await image.value('*handled*')).toBe('T');
    expect(existsSync(file)).toBe(true);
  });

  it('The guarded functions keep their names, lambda lists and argument errors', async () => {
    const code = `(list #'delete-file (fdefinition 'open) (eq #'delete-file (fdefinition 'delete-file))
                        (length (sb-kernel:%fun-lambda-list #'sb-ext:run-program)))`;
    expect(await image.value(code)).toMatch(/^\(#<FUNCTION DELETE-FILE> #<FUNCTION OPEN> T \d+\)$/);
    expect((await image.evaluate('(funcall (fdefinition (quote delete-file)))')).condition?.message).toContain(
      'invalid number of arguments: 0',
    );
    const asked = { symbol: 'delete-file', package: null, context: 'test' };
    expect(JSON.stringify(await image.ask('describe-symbol', asked))).toContain('(FILE)');
    const { text } = await image.ask('disassemble', { ...asked, limit: 100_000 });
    expect(text).not.toContain('PUT-AROUND');
    expect(text.split('\n').length).toBeGreaterThan(50);
  });
});

describe("the guard's own state", () => {
  it.each([
    ['bound by LET', '(let ((lisp-workbench/evaluation::*guard* nil)) (delete-file @))'],
    ['bound by PROGV', '(progv (list (find-symbol "*GUARD*" :lisp-workbench/evaluation)) (list nil) (delete-file @))'],
    [
      'named after the lock is off',
      `(progn (sb-ext:unlock-package :lisp-workbench/evaluation)
              (eval (list 'let (list (list (intern "*GUARD*" :lisp-workbench/evaluation) nil))
                          (list 'declare (list 'special (intern "*GUARD*" :lisp-workbench/evaluation)))
                          (list 'delete-file @))))`,
    ],
    [
      'found among all symbols',
      '(let ((all nil)) (do-all-symbols (s) (when (and (string= s "*GUARD*") (not (eq (symbol-package s) *package*))) (push s all))) (progv all (mapcar (constantly nil) all) (delete-file @)))',
    ],
    [
      'set in another thread',
      '(progn (setf (sb-thread:symbol-value-in-thread (find-symbol "*GUARD*" :lisp-workbench/evaluation) sb-thread:*current-thread*) nil) (delete-file @))',
    ],
    [
      'gone round by a function of UIOP',
      '(let ((old (fdefinition (quote uiop:split-string)))) (setf (fdefinition (quote uiop:split-string)) (lambda (&rest all) (declare (ignore all)) (list "tmp"))) (unwind-protect (delete-file @) (setf (fdefinition (quote uiop:split-string)) old)))',
    ],
  ])("The guard's own state has no name by which it could be %s [case 36]", async (_how, code) => {
    expect((await run(code)).status).toBe('error');
    expect(await readFile(file, 'utf8')).toBe('kept');
    await run('(delete-file @)');
    expect(asked.at(-1)?.operator).toBe('DELETE-FILE');
  });

  it('A redefinition of a guarded function is no tampering, and leads nowhere [case 36]', async () => {
    await image.evaluate('(defvar *kept* (fdefinition (quote delete-file)))');
    const redefined = `(progn (sb-ext:without-package-locks (defun cl:delete-file (f) (defvar *mine* f) t))
                              (funcall 'delete-file @)
                              (symbol-value '*mine*))`;
    expect((await run(redefined)).values[0]?.text).toContain('file');
    expect(image.events.filter(({ event }) => event === 'guard-tampered')).toEqual([]);
    await image.evaluate('(sb-ext:without-package-locks (setf (fdefinition (quote delete-file)) *kept*))');
    await run('(delete-file @)');
    expect([asked.length, existsSync(file)]).toEqual([1, true]);
  });
});

describe('operators that are easily overlooked', () => {
  it.each([
    ['(progn (setf (sb-ext:gc-logfile) @) (gc))', '(SETF GC-LOGFILE)', 'write'],
    [
      '(progn (require :sb-simple-streams) (funcall (quote make-instance) (find-symbol "FILE-SIMPLE-STREAM" "SB-SIMPLE-STREAMS") :filename @ :direction :output :if-exists :supersede))',
      'DEVICE-OPEN',
      'write',
    ],
    [
      `(progn (require :sb-simple-streams)
              (let ((s (funcall 'make-instance (find-symbol "FILE-SIMPLE-STREAM" "SB-SIMPLE-STREAMS")
                                :filename (merge-pathnames "simple" (lisp-workbench:temporary-directory))
                                :direction :output :if-exists :supersede :if-does-not-exist :create)))
                (reinitialize-instance s :filename @)
                (close s :abort t)))`,
      'DEVICE-CLOSE',
      'delete',
    ],
    ['(sb-bsd-sockets:get-host-by-name "secret.example")', 'GET-HOST-BY-NAME', 'connect'],
    ['(sb-bsd-sockets:get-host-by-address #(192 0 2 1))', 'GET-HOST-BY-ADDRESS', 'connect'],
    ['(sb-posix:syslog sb-posix:log-info "said")', 'SYSLOG', 'write'],
    ['(sb-posix:umask 0)', 'UMASK', 'process'],
    ['(sb-posix:seteuid 12345)', 'SETEUID', 'process'],
    ['(sb-posix:setgid 12345)', 'SETGID', 'process'],
    ['(sb-posix:setsid)', 'SETSID', 'process'],
    ['(with-open-file (s @) (sb-posix:ioctl s 21522 0))', 'IOCTL', 'device'],
  ])('An operator that is easily overlooked is asked for: %s [G1]', async (code, operator, kind) => {
    const { condition } = await run(code);
    expect([asked.map((each) => [each.operator, each.kind]), condition?.type]).toEqual([[[operator, kind]], DENIED]);
    expect(await readFile(file, 'utf8')).toBe('kept');
  });

  it('An operator is asked for also where a module of SBCL has put a function of its own in its place [G1]', async () => {
    await image.evaluate('(require :sb-simple-streams)');
    const own = "(sb-kernel:%fun-lambda-list #'open)";
    expect(await image.value(own)).toContain('MAPPED');
    expect((await run('(close (open @ :direction :output :if-exists :supersede))')).condition?.type).toBe(DENIED);
    expect(asked.map(({ operator }) => operator)).toEqual(['OPEN']);
  });

  it.each([
    '(sb-posix:dup2 2 3)',
    '(sb-posix:close 4)',
    '(sb-posix:fcntl 4 sb-posix:f-getfl)',
    '(sb-sys:make-fd-stream 4 :output t)',
    "(setf (sb-bsd-sockets:non-blocking-mode (make-instance 'sb-bsd-sockets:local-socket :type :stream :descriptor 4)) t)",
    `(progn (require :sb-simple-streams)
            (funcall 'make-instance (find-symbol "TERMINAL-SIMPLE-STREAM" "SB-SIMPLE-STREAMS") :output-handle 4))`,
    `(progn (require :sb-simple-streams)
            (let ((s (funcall 'make-instance (find-symbol "TERMINAL-SIMPLE-STREAM" "SB-SIMPLE-STREAMS") :output-handle 2)))
              (setf (slot-value s (find-symbol "OUTPUT-HANDLE" "SB-SIMPLE-STREAMS")) 4)
              (funcall (find-symbol "DEVICE-WRITE" "SB-SIMPLE-STREAMS") s "x" 0 1 nil)))`,
    `(sb-bsd-sockets:socket-send (make-instance 'sb-bsd-sockets:local-socket :type :stream :descriptor 4) "x" 1)`,
  ])('The connection with the workbench is not for code, whoever would allow it: %s', async (code) => {
    expect((await run(code)).condition?.message).toContain('the connection between this image and the workbench');
    expect(asked).toEqual([]);
  });

  it('Received data comes into the buffer of the code, of whatever length', async () => {
    await image.evaluate(
      `(let ((path (format nil "~Areceive.socket" (sb-ext:native-namestring *default-pathname-defaults*))))
         (flet ((made () (make-instance 'sb-bsd-sockets:local-socket :type :datagram)))
           (defvar *to* (made))
           (defvar *from* (made))
           (sb-bsd-sockets:socket-bind *to* path)
           (sb-bsd-sockets:socket-connect *from* path)))`,
    );
    for (const length of [4, 16, 30]) {
      const { values, condition } = await run(
        `(let ((buffer (make-array ${length} :element-type '(unsigned-byte 8) :initial-element 0)))
           (sb-bsd-sockets:socket-send *from* (make-array 4 :element-type '(unsigned-byte 8) :initial-element 7) 4)
           (sb-bsd-sockets:socket-receive *to* buffer nil)
           (coerce (subseq buffer 0 4) 'list))`,
      );
      expect([condition?.message, values[0]?.text]).toEqual([undefined, '(7 7 7 7)']);
    }
  });

  it('An abstract socket is called that, whatever its name looks like', async () => {
    for (const name of ['"run/dbus"', '(map \'(vector (unsigned-byte 8)) #\'char-code "abcd")'])
      await run(
        `(sb-bsd-sockets:socket-connect (make-instance 'sb-bsd-sockets:local-abstract-socket :type :stream) ${name})`,
      );
    expect(asked.map(({ target, path }) => [target, path])).toEqual([
      ['abstract socket run/dbus', null],
      ['abstract socket abcd', null],
    ]);
  });

  it('Operators of SB-POSIX that reach nowhere are compiled into their callers as in plain SBCL, and no others', async () => {
    expect(
      await image.value(
        "(mapcar (lambda (name) (eq 'notinline (sb-int:info :function :inlinep name))) '(sb-posix:stat sb-posix:getpid sb-posix:rmdir sb-posix:open))",
      ),
    ).toBe('(NIL NIL T T)');
  });

  it('What is typed at a terminal is read only when it may be, by whatever name the terminal is opened [G1]', async () => {
    const terminal = await image.value(
      `(let ((p (sb-ext:run-program "/bin/sleep" '("1000") :pty t :wait nil)))
         (defvar *pty* p)
         (sb-posix:readlink (format nil "/proc/~D/fd/0" (sb-ext:process-pid p))))`,
    );
    const name = JSON.parse(terminal) as string;
    expect(name).toMatch(/^\/dev\/pts\//);
    for (const code of [
      `(with-open-file (s "${name}") (read-char-no-hang s))`,
      `(sb-posix:open "${name}" sb-posix:o-rdonly)`,
    ]) {
      asked.length = 0;
      expect((await run(code)).condition?.type).toBe(DENIED);
      expect(asked.map(({ kind, target }) => [kind, target])).toEqual([['device', name]]);
    }
    await image.evaluate('(sb-ext:process-kill *pty* 9)');
  });
});
