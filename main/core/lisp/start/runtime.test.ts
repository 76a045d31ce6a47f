import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestImage, type TestImage } from '../image.fixture.ts';
import { coreName, ensureRuntime } from './runtime.ts';
import { findSbcl } from './sbcl.ts';
import { findSources } from './sources.ts';

/** Returns Lisp code that collects each variable of ASDF, UIOP and COMMON-LISP whose value contains a path below `folder`. */
const HOLDERS = (folder: string) => `
(let ((mark (concatenate 'string "${path.dirname(folder)}" "/" "${path.basename(folder)}" "/")) ; nowhere as a whole
      (holders '()) (seen (make-hash-table :test 'eq)))
  (labels ((look (symbol object)
             (typecase object
               (string (when (search mark object) (pushnew (prin1-to-string symbol) holders :test 'equal)))
               (pathname (look symbol (namestring object)))
               ((or symbol number character function package sb-thread:thread) nil)
               (t (unless (or (eq object seen) (gethash object seen))
                    (setf (gethash object seen) t)
                    (typecase object
                      (cons (loop for tail = object then (cdr tail)
                                  while (consp tail) do (look symbol (car tail))
                                  finally (look symbol tail)))
                      (hash-table ; as a list first: looking may change it
                       (look symbol (loop for key being the hash-keys of object using (hash-value value)
                                          collect key collect value)))
                      (simple-vector (map nil (lambda (part) (look symbol part)) object))
                      ((or structure-object standard-object)
                       (dolist (slot (and (not (typep object 'class)) (sb-mop:class-slots (class-of object))))
                         (let ((name (sb-mop:slot-definition-name slot)))
                           (when (ignore-errors (slot-boundp object name))
                             (look symbol (slot-value object name)))))))))))) 
    (dolist (package (list-all-packages))
      (when (find (subseq (package-name package) 0 (min 4 (length (package-name package)))) '("ASDF" "UIOP" "COMM" "SB-E")
                  :test #'string=)
        (do-symbols (symbol package)
          (when (and (boundp symbol) (not (constantp symbol)) (not (member symbol '(* ** *** / // /// + ++ +++ -))))
            (look symbol (symbol-value symbol)))))))
  (sort holders #'string<))`;

describe('core that was built where the registry has another ASDF', () => {
  let place: string;
  let lisp: TestImage;

  beforeAll(async () => {
    place = await mkdtemp(path.join(tmpdir(), 'built-in-'));
    const at = (...parts: string[]) => path.join(place, 'there', ...parts);
    for (const folder of ['registry/asdf', 'home', 'cache', 'data']) await mkdir(at(folder), { recursive: true });
    await writeFile(
      at('registry/asdf/asdf.asd'),
      '(defsystem "asdf" :version "99.0.0" :components ((:file "asdf")))\n(defsystem "uiop" :version "99.0.0")',
    );
    await writeFile(at('registry/asdf/asdf.lisp'), '(error "The core was to be built without this ASDF.")');
    const there = {
      HOME: at('home'),
      XDG_CACHE_HOME: at('cache'),
      XDG_DATA_HOME: at('data'),
      CL_SOURCE_REGISTRY: `${at('registry')}//`,
      ASDF_OUTPUT_TRANSLATIONS: `(:output-translations :ignore-inherited-configuration (t "${at('cache')}/**/"))`,
      PWD: at('home'),
    };
    for (const [name, value] of Object.entries(there)) vi.stubEnv(name, value);
    try {
      await ensureRuntime(await findSbcl(null), findSources(import.meta.dirname), path.join(place, 'cores'));
    } finally {
      vi.unstubAllEnvs();
    }
    await rm(at('registry'), { recursive: true });
    lisp = await openTestImage({ cache: path.join(place, 'cores') });
  });

  afterAll(async () => {
    await lisp.close();
    await rm(place, { recursive: true });
  });

  it('A core has the ASDF of its SBCL, and loads systems when the other ASDF is gone', async () => {
    const plain = await openTestImage();
    const version = '(asdf:asdf-version)';
    expect(await lisp.value(version)).toBe(await plain.value(version));
    await plain.close();
    await writeFile(path.join(lisp.directory, 'late.asd'), '(defsystem "late" :components ((:file "late")))');
    await writeFile(path.join(lisp.directory, 'late.lisp'), '(defun cl-user::late () :loaded)');
    const load = await lisp.run('load-system', { system: 'late', force: null });
    expect(load).toMatchObject({ status: 'ok', result: { loadedSystems: ['late'] } });
    expect(await lisp.value('(list (late) (asdf:load-system "asdf"))')).toBe('(:LOADED T)');
  });

  it('A core knows no path of where it was built', async () => {
    expect(await lisp.value(HOLDERS(path.join(place, 'there')))).toBe('NIL');
    expect(existsSync(path.join(place, 'there', 'cache', 'common-lisp'))).toBe(false);
    expect(await lisp.value('(namestring (user-homedir-pathname))')).not.toContain(place);
  });

  it('A core reads the configuration of the environment in which it starts', async () => {
    const registry = await mkdtemp(path.join(tmpdir(), 'registry-'));
    await writeFile(path.join(registry, 'nearby.asd'), '(defsystem "nearby")');
    const other = await openTestImage({
      cache: path.join(place, 'cores'),
      environment: { CL_SOURCE_REGISTRY: `${registry}//:`, XDG_CACHE_HOME: path.join(registry, 'compiled') },
    });
    expect(await other.value('(asdf:load-system "nearby")')).toBe('T');
    expect(await other.value('(namestring (asdf:apply-output-translations "/a/b.fasl"))')).toContain(
      `${registry}/compiled/`,
    );
    await other.close();
    await rm(registry, { recursive: true });
  });
});

it('The environment turns off following of authors by a core of its own [issue 36.3]', async () => {
  const name = async (missing: string[] = []) =>
    coreName(await findSbcl(null), findSources(import.meta.dirname), missing);
  vi.stubEnv('LISP_WORKBENCH_FOLLOWING', undefined);
  const [whole, without] = [await name(), await name(['FOLLOWING'])];
  vi.stubEnv('LISP_WORKBENCH_FOLLOWING', 'off');
  const off = await name();
  vi.unstubAllEnvs();
  expect([whole === off, without === off]).toEqual([false, true]);
});
