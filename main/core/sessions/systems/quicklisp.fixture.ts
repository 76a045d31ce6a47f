/**
 * A stand-in for a Quicklisp client with its dist, for tests: the folders and the functions that the engine uses, without a network. The
 * client itself is not part of the repository.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

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
