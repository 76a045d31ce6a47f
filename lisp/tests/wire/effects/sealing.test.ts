/** The parts of the guard. Ordinary Lisp code cannot name, encapsulate or remove them. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGENT, FOLLOWS, mark } from '../effects.fixture.ts';
import { guardedImage } from '../guarded-image.fixture.ts';

const { image, file, asked, byAgent: agent, person } = await guardedImage();
const tampered = () => image.events.filter(({ event }) => event === 'guard-tampered').length;

describe("the engine's names", () => {
  it.each([
    [
      'that give the variables of the guard',
      `(progv (car (lisp-workbench/evaluation::guard-bindings nil)) '(nil t) (delete-file @))`,
    ],
    [
      'of macros that turn the guard on',
      `(let ((s (caar (second (macroexpand-1 '(lisp-workbench/evaluation::with-guard-at-once x)))))) (progv (list s) '(nil) (delete-file @)))`,
    ],
    [
      'of who evaluates',
      `(let ((lisp-workbench/evaluation::*evaluation* nil)) (declare (special lisp-workbench/evaluation::*evaluation*)) (delete-file @))`,
    ],
    ['of its operations', `(lisp-workbench/protocol:find-operation "decide-effect")`],
    ['of the authors of functions', `(lisp-workbench/evaluation:function-authors #'car)`],
    [
      'that are looked for while it runs',
      `(funcall (find-symbol "RESTORE" "LISP-WORKBENCH/DEFINITIONS") '(:function . mine) nil)`,
    ],
  ])('Names of the engine %s are not found by agents', async (_which, code) => {
    expect((await agent(code)).status).toBe('error');
    expect(asked.map(({ actor }) => actor).filter((actor) => actor !== AGENT.actor)).toEqual([]);
    expect(existsSync(file)).toBe(true);
  });

  it('Names of the engine are in no package, but for those that the code is offered and the one that compiled files ask for', async () => {
    const { values } = await agent(
      `(let ((found '()))
         (dolist (package (list-all-packages))
           (when (search "LISP-WORKBENCH/" (package-name package))
             (do-symbols (symbol package)
               (when (search "LISP-WORKBENCH/" (package-name (or (symbol-package symbol) :cl))) (pushnew symbol found)))))
         (do-all-symbols (symbol)
           (when (search "LISP-WORKBENCH/" (package-name (or (symbol-package symbol) :cl))) (pushnew symbol found)))
         (remove "LISP-WORKBENCH/BUILD" (mapcar (lambda (symbol) (format nil "~A:~A" (package-name (symbol-package symbol)) symbol)) found)
                 :test (lambda (build name) (search build name))))`,
    );
    expect(values[0]!.text).toBe('("LISP-WORKBENCH/EVALUATION:TEST-OF-LOADED-CODE")');
  });
});

describe('encapsulations', () => {
  it.runIf(FOLLOWS).each([
    [
      'of the engine that a backtrace names',
      `(loop for (name) in (sb-debug:list-backtrace) when (and (symbolp name) (search "LISP-WORKBENCH" (package-name (or (symbol-package name) :cl)))) return name)`,
    ],
    ['of the compiler around which the guard stands', `'sb-c::make-xep-lambda-expression`],
  ])('An encapsulation of a function %s is refused', async (_of, name) => {
    const code = `(let ((name ${name})) (sb-int:encapsulate name 'mine (lambda (f &rest more) (apply f more))))`;
    expect((await agent(code)).condition?.message).toContain('belongs to the workbench');
    const off = `(sb-int:unencapsulate 'sb-c::make-xep-lambda-expression 'lisp-workbench)`;
    expect((await agent(off)).condition?.message).toContain('belongs to the workbench');
    await agent(`(defun made () (delete-file @))`);
    await person('(made)');
    expect([asked.length, existsSync(file)]).toEqual([1, true]);
  });

  it('An encapsulation for tracing stays allowed, of functions of the code and of those of Common Lisp', async () => {
    expect(
      (await agent(`(progn (defun mine (x) x) (trace mine) (untrace mine) (trace sort) (untrace sort) 1)`)).status,
    ).toBe('ok');
    expect((await person(`(progn (trace compile) (untrace compile) 1)`)).status).toBe('ok');
    expect(tampered()).toBe(0);
  });

  it('An encapsulation by way of what SBCL had before is noticed and put back, with all that stood there', async () => {
    const raw = `(sb-ext:without-package-locks
      (let ((name (loop for (name) in (sb-debug:list-backtrace)
                        when (and (symbolp name) (equal "RUN-EVALUATION" (symbol-name name))) return name)))
        (setf (symbol-function name) (symbol-function name)) (setf (symbol-function name) (lambda (&rest all) all))))`;
    await agent(raw);
    expect(tampered()).toBe(1);
    expect(await image.value('(+ 1 2)')).toBe('3');
    await agent(`(ignore-errors (delete-file @))`);
    expect(asked.length).toBe(1);
  });
});

describe('author of a definition', () => {
  it('The author of a definition is never what a source plist says', async () => {
    const forms = [
      `(with-compilation-unit (:source-plist '(:actor "person" :evaluation "e")) (eval '(defun claimed-1 () (delete-file @))))`,
      `(let ((sb-c::*source-plist* '(:actor "person"))) (eval '(defun claimed-2 () (delete-file @))))`,
      `(progn (setf (getf sb-c::*source-plist* :actor) "person") (defun claimed-3 () (delete-file @)))`,
    ];
    for (const form of forms) expect((await agent(form)).status).toBe('ok');
    const claimed = () =>
      image.events
        .flatMap((event) => (event.event === 'definition-events' ? event.events : []))
        .filter(({ name }) => name.startsWith('CLAIMED'))
        .map(({ actor, evaluation }) => [actor, evaluation === 'e']);
    await expect.poll(claimed).toEqual(forms.map(() => [AGENT.actor, false])); // reported after the reply
  });

  it.runIf(FOLLOWS)(
    'The author of a definition is the agent where its function defines when the person calls it',
    async () => {
      await agent(`(defun set-up () (eval '(defun helper () (delete-file @))) 1)`);
      expect((await person('(set-up)')).status).toBe('ok');
      await person('(+ 1 1)');
      const told = image.events.flatMap((event) => (event.event === 'definition-events' ? event.events : []));
      expect(told.find(({ name }) => name === 'HELPER')?.actor).toBe(AGENT.actor);
      await person('(helper)');
      expect([asked.length, existsSync(file)]).toEqual([1, true]);
    },
  );
});

describe('reviewed definitions', () => {
  const events = () => image.events.flatMap((event) => (event.event === 'definition-events' ? event.events : []));
  const review = async (name: string) => {
    await expect.poll(() => events().some((event) => event.name === name)).toBe(true);
    await mark(image, [events().findLast((event) => event.name === name)!.id]);
  };

  it.runIf(FOLLOWS)('A review covers what that definition compiled, and nothing that stands beside it', async () => {
    await agent(
      `(let ((source (merge-pathnames "beside.lisp" (lisp-workbench:temporary-directory))))
         (with-open-file (out source :direction :output :if-exists :supersede)
           (format out "(setf (get 'beside 'hidden) (lambda () (delete-file ~S))) (defun innocent (x) (1+ x))" @))
         (load (compile-file source)))
       (progn (setf (get 'beside 'other) (lambda () (delete-file @))) (defvar *plain* 1))`,
    );
    await review('INNOCENT');
    await review('*PLAIN*');
    await person("(funcall (get 'beside 'hidden))");
    await person("(funcall (get 'beside 'other))");
    expect([asked.length, existsSync(file)]).toEqual([2, true]);
  });

  it.runIf(FOLLOWS)('A review is not handed out by the expansion of a symbol macro', async () => {
    await agent(
      `(progn (define-symbol-macro mine (delete-file @))
              (let ((author (second (macroexpand-1 'mine))))
                (dolist (slot (and (typep author 'structure-object) (sb-mop:class-slots (class-of author))))
                  (ignore-errors (setf (slot-value author (sb-mop:slot-definition-name slot)) t)))))`,
    );
    await person('mine');
    expect([asked.length, existsSync(file)]).toEqual([1, true]);
  });

  it('A reviewed definition has an id that no definition gets again after going back', async () => {
    const checkpoint = await image.image.checkpoint();
    await agent('(defun before-going-back () 1)');
    await expect.poll(() => events().some(({ name }) => name === 'BEFORE-GOING-BACK')).toBe(true);
    const { id } = events().find(({ name }) => name === 'BEFORE-GOING-BACK')!;
    image.image.endLife('Back.');
    await image.image.lifeOver;
    await image.image.wake((checkpoint as { pid: number }).pid);
    await agent('(defun after-going-back () 1)');
    await expect.poll(() => events().some(({ name }) => name === 'AFTER-GOING-BACK')).toBe(true);
    expect(events().find(({ name }) => name === 'AFTER-GOING-BACK')!.id).toBeGreaterThan(id);
  });
});

describe("agents' text that the person's clicks run", () => {
  it("An agent's text is guarded where an undo evaluates it again", async () => {
    await agent(`(progn #.(and (get 'w 'go) (delete-file @) 1) (define-condition w (error) ()))`);
    await agent(`(define-condition w (error) ((a :initform 1)))`);
    await agent(`(setf (get 'w 'go) t)`);
    const told = () =>
      image.events
        .flatMap((event) => (event.event === 'definition-events' ? event.events : []))
        .filter(({ name }) => name === 'W');
    await expect.poll(() => told().length).toBe(2);
    await image.run('undo-definitions', { events: [told()[1]!.id], of: null, dry: false });
    expect([asked.length, existsSync(file)]).toEqual([1, true]);
  });

  it("An agent's text is guarded where a function is compiled again for the debugger", async () => {
    await agent(
      `(let ((source (merge-pathnames "debugged.lisp" (lisp-workbench:temporary-directory))))
         (flet ((write-source (text)
                  (with-open-file (out source :direction :output :if-exists :supersede) (write-string text out))))
           (write-source "(defun debugged (x) (list x))")
           (load source)
           (write-source (format nil "(defun debugged (x) (list x #.(delete-file ~S)))" @))))`,
    );
    await image.run('debug-function', { function: 'debugged', set: true }).catch(() => {});
    expect(existsSync(file)).toBe(true);
  });
});

describe('describe-system', () => {
  it("The operation describe-system lets nothing reach outside that is in ASDF's variables, and asks nobody", async () => {
    await agent(`(push '(progn (delete-file @) nil) asdf:*central-registry*)`);
    const system = { name: 'no-such-system-anywhere' };
    const run = {
      evaluation: 'describes',
      context: 'agent',
      actor: AGENT.actor,
      outputLimit: 1000,
      onError: 'report',
      guard: true,
    };
    await image.image.request('describe-system', { ...run, ...system } as never).catch(() => {});
    await person('(pop asdf:*central-registry*)');
    expect([asked.length, existsSync(file)]).toEqual([0, true]);
  });
});
