;;;; The look-up `stale-users`: finds definitions that are still compiled with the former definition of a macro, an inline function, a
;;;; constant or a structure, because their files have not been recompiled.

(in-package #:lisp-workbench/provenance)

(defconstant +most-stale+ 1000)

;; Returns the definitions that an evaluation changed, the users of these definitions that are still compiled with the former versions, and
;; the names for which SBCL records no users.
(define-operation "stale-users" (:looking-up request)
  (let ((changed '()) (unknown '()) (users '()))
    (dolist (event (inlined-changes (field request "evaluation")))
      (let ((stale (stale-users event)))
        (cond ((eq stale :unknown) (push (event-name event) unknown))
              (stale (push (event-name event) changed)
                     (setf users (union stale users :test #'equal :key #'car))))))
    (let ((shown (sort (subseq users 0 (min +most-stale+ (length users))) #'string< :key (lambda (user) (print-short (car user) 200)))))
      (object "changed" (array-of changed)
              "unknown" (array-of unknown)
              "users" (array-of (loop for (key . file) in shown collect (object "name" (event-name-text-of key) "file" file)))))))

(defun stale-users (event)
  "Return (key . file) for each definition that was compiled before EVENT and has not been recompiled since. FILE is a native name, or NIL.
Return :UNKNOWN if SBCL does not record such users."
  (let ((users (users-of event)))
    (if (eq users :unknown)
        :unknown
        (remove-duplicates
         (loop for (name . source) in users
               for key = (key-of-code name)
               when (and key (not (equal key (event-key event))) (stale-p key event))
                 collect (cons key (file-of-user source)))
         :test #'equal :key #'car))))

(defun stale-p (key event)
  "Return true if the definition KEY is older than EVENT. A definition without a recorded event is older, because its event preceded EVENT
and was dropped."
  (let ((latest (latest-event key)))
    (and (find-event (event-id event))
         (or (null latest) (< (event-id latest) (event-id event)))
         (ignore-errors (capture key)))))

(defun file-of-user (source)
  (and source
       (let ((pathname (definition-source-pathname source)) (plist (definition-source-plist source)))
         (or (getf plist :file) (and pathname (not (getf plist :evaluation)) (existing-file pathname))))))
