/**
 * A stand-in for a Quicklisp client with its dist, for tests: the folders and the functions that the engine uses, without a network. The
 * client itself is not part of the repository.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LibraryTool } from '#contract/image/library-tool.ts';
import { ClientLibraries } from '#core/libraries/libraries.ts';
import { LibraryJobs } from '#core/libraries/library-jobs.ts';
import type { SessionLibraries } from './library-requests.ts';

const SETUP = `
(defpackage #:ql-setup (:use #:cl) (:export #:*quicklisp-home*))
(in-package #:ql-setup)
(defvar *quicklisp-home* (make-pathname :name nil :type nil :defaults *load-truename*))
(load (merge-pathnames "quicklisp/client.lisp" *quicklisp-home*))
`;

const CLIENT = `
(defpackage #:ql-dist (:use #:cl #:ql-setup) (:export #:find-system #:ensure-installed))
(in-package #:ql-dist)
(defun in-home (&rest parts) (merge-pathnames (format nil "~{~A~}" parts) *quicklisp-home*))
(defun installed (name)
  (with-open-file (stream (in-home "dists/made/installed/systems/" name ".txt") :if-does-not-exist nil)
    (and stream (in-home (read-line stream)))))
(defun find-system (name)
  (and (probe-file (in-home "available/" name ".asd")) name))
(defun ensure-installed (name)
  (unless (installed name)
    (let ((file (in-home "available/" name ".asd")))
      (ensure-directories-exist (in-home "dists/made/installed/systems/"))
      (with-open-file (out (in-home "dists/made/installed/systems/" name ".txt") :direction :output)
        (write-line (enough-namestring file *quicklisp-home*) out)))))
(defpackage #:quicklisp-client
  (:use #:cl #:ql-setup)
  (:nicknames #:quicklisp #:ql)
  (:export #:quickload #:*quicklisp-home* #:system-not-found))
(in-package #:quicklisp-client)
(define-condition system-not-found (error) ((name :initarg :name))
  (:report (lambda (condition stream) (format stream "System ~S not found" (slot-value condition 'name)))))
(defun search-dists (name)
  (with-open-file (out (merge-pathnames "local-projects/system-index.txt" *quicklisp-home*)
                       :direction :output :if-exists :supersede)
    (write-line "" out))
  (ql-dist::installed (asdf:primary-system-name name)))
(defun quickload (name)
  (let ((name (string-downcase name)))
    (cond ((asdf:find-system name nil))
          ((ql-dist:find-system name) (ql-dist:ensure-installed name))
          (t (error 'system-not-found :name name)))
    (asdf:load-system name)
    (list name)))
(pushnew 'search-dists asdf:*system-definition-search-functions*)
`;

/** The functions at which the engine meets a client, for a dist whose index is in the client's folder. */
const CLIENT_OF_DIST = `
(defpackage #:ql-dist (:use #:cl #:ql-setup) (:shadow #:find-system))
(in-package #:ql-dist)
(defstruct dist name version)
(defstruct release dist project-name prefix archive-size archive-md5 files)
(defstruct (system (:constructor make-system (name release required-systems))) name release required-systems)
(defun words (line)
  (loop for start = 0 then (1+ end)
        for end = (position #\\Space line :start start)
        collect (subseq line start end)
        while end))
(defun rows (file)
  (with-open-file (stream (merge-pathnames (format nil "dists/made/~A.txt" file) *quicklisp-home*))
    (loop for line = (read-line stream nil)
          while line
          unless (char= #\\# (char line 0)) collect (words line))))
(defvar *dist* (make-dist :name "made" :version "2026-11-01"))
(defun find-release (project)
  (destructuring-bind (project url size md5 sha1 prefix &rest files) (find project (rows "releases") :key #'first :test #'equal)
    (declare (ignore url sha1))
    (make-release :dist *dist* :project-name project :prefix prefix :archive-size (parse-integer size) :archive-md5 md5
                  :files files)))
(defun find-system (name)
  (let ((row (find name (rows "systems") :key #'third :test #'equal)))
    (and row (make-system name (find-release (first row)) (nthcdr 3 row)))))
(defun name (object)
  (etypecase object
    (dist (dist-name object)) (release (release-project-name object)) (system (system-name object)) (string object)))
(defun version (dist) (dist-version dist))
(defun dist (release) (release-dist release))
(defun release (system) (system-release system))
(defun required-systems (system) (system-required-systems system))
(defun project-name (release) (release-project-name release))
(defun prefix (release) (release-prefix release))
(defun archive-size (release) (release-archive-size release))
(defun archive-md5 (release) (release-archive-md5 release))
(defun record (kind name) (merge-pathnames (format nil "dists/made/installed/~A/~A.txt" kind name) *quicklisp-home*))
(defun installedp (release) (probe-file (record "releases" (name release))))
(defun install (object) (error "The client itself would install ~A." (name object)))
(defgeneric update-in-place (old new))
(defmethod update-in-place ((old dist) (new dist)) (error "The client itself would update ~A." (dist-name old)))
(defun install-dist (url &key prompt) (declare (ignore prompt)) (error "The client itself would subscribe to ~A." url))
(defun ensure-installed (system) (unless (installedp (release system)) (install (release system))))
(defpackage #:quicklisp-client
  (:use #:cl #:ql-setup)
  (:nicknames #:quicklisp #:ql)
  (:export #:quickload #:*quicklisp-home* #:system-not-found))
(in-package #:quicklisp-client)
(define-condition system-not-found (error) ((name :initarg :name))
  (:report (lambda (condition stream) (format stream "System ~S not found" (slot-value condition 'name)))))
(defun search-dists (name)
  (with-open-file (stream (ql-dist::record "systems" (asdf:primary-system-name name)) :if-does-not-exist nil)
    (and stream (merge-pathnames (read-line stream) *quicklisp-home*))))
(defun quicklisp-releases (name)
  (let ((releases '()))
    (labels ((visit (name)
               (let ((system (and (not (asdf:find-system name nil)) (ql-dist::find-system name))))
                 (when system
                   (mapc #'visit (ql-dist::required-systems system))
                   (push (ql-dist::release system) releases)))))
      (visit name))
    (nreverse releases)))
(defun apply-load-strategy (name)
  (mapc (lambda (release) (unless (ql-dist::installedp release) (ql-dist::install release))) (quicklisp-releases name))
  (asdf:load-system name))
(defun update-dist (dist &key (prompt t)) (declare (ignore dist prompt)) "The client asks the person.")
(defun quickload (name)
  (let ((name (string-downcase name)))
    (unless (or (asdf:find-system name nil) (ql-dist::find-system name)) (error 'system-not-found :name name))
    (apply-load-strategy name)
    (list name)))
(pushnew 'search-dists asdf:*system-definition-search-functions*)
`;

/** The setup file and the code of a client for a test dist. */
export const STAND_IN = { setup: SETUP, code: CLIENT_OF_DIST };

/** Writes a client into the home of a test dist, and returns its setup file. */
export async function makeClientOfDist({ home }: { readonly home: string }): Promise<string> {
  const setup = await makeQuicklisp(path.join(home, 'quicklisp'), []);
  await writeFile(path.join(home, 'quicklisp', 'quicklisp', 'client.lisp'), CLIENT_OF_DIST);
  return setup;
}

/** Writes a client into `folder` whose dist has the named systems, each with a function FIND-ME, and returns its setup file. */
export async function makeQuicklisp(folder: string, systems: readonly string[], setup = SETUP): Promise<string> {
  await Promise.all(
    ['quicklisp', 'local-projects', 'available'].map((name) => mkdir(path.join(folder, name), { recursive: true })),
  );
  await writeFile(path.join(folder, 'quicklisp', 'client.lisp'), CLIENT);
  for (const name of systems) {
    await writeFile(
      path.join(folder, 'available', `${name}.asd`),
      `(defsystem "${name}" :components ((:file "${name}")))`,
    );
    await writeFile(
      path.join(folder, 'available', `${name}.lisp`),
      `(defpackage :${name} (:use :cl)) (in-package :${name}) (defun find-me () :${name})`,
    );
  }
  const file = path.join(folder, 'setup.lisp');
  await writeFile(file, setup);
  return file;
}

/** Returns the libraries for a test session: those of the client in the environment's home. `more` are options of the client's libraries. */
export function sessionLibraries(
  environment: NodeJS.ProcessEnv,
  chosen: LibraryTool | null = null,
  more: Partial<ConstructorParameters<typeof ClientLibraries>[0]> = {},
): SessionLibraries {
  const client = new ClientLibraries({ environment, addresses: () => [], ...more });
  return { client, jobs: new LibraryJobs(), tool: () => chosen };
}
