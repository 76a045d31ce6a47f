;;;; Compilations that evaluated code of the person's asks for, by COMPILE-FILE or by ASDF, and those before the tests of a system: what
;;;; the compiler says of files is told by an event, as the system loader tells it, so that it can be shown at the files' places.

(in-package #:lisp-workbench/compilation)

(defun call-telling-diagnostics (wanted-p function)
  "Return the values of FUNCTION, called by evaluated code. What the compiler says meanwhile of the files for which WANTED-P, a predicate of
native names, is true is told, however the call ends."
  (if (or *compilation* (not (persons-code-p)))
      (funcall function)
      (let ((compilation (make-compilation :wanted-p wanted-p)))
        (unwind-protect (call-with-diagnostics compilation function)
          (tell-diagnostics compilation)))))

(defun persons-code-p ()
  "True when this thread evaluates a text of the person's, or runs the tests of a system for them."
  (and *evaluation*
       (let ((request (evaluation-request *evaluation*)))
         (and (or (field request "code") (field request "system"))
              (not (field request "guard"))))))

(defun tell-diagnostics (compilation)
  "Tell what was said of each file that was read; of those without a fault nothing, so that what was said before is known to be over."
  (let ((faulty (diagnostics-by-file compilation)) (sound (files-without-fault compilation)))
    (when (or sound (plusp (length faulty)))
      (send-event "files-compiled"
                  "evaluation" (evaluation-id *evaluation*)
                  "files" (concatenate 'simple-vector
                                       faulty
                                       (loop for file in sound
                                             collect (object "file" file "diagnostics" (array-of '()))))))))

(defun files-without-fault (compilation)
  "Native names of the files that were read and of which nothing was said."
  (remove-if (lambda (file) (find file (compilation-diagnostics compilation) :key #'file-of :test #'equal))
             (remove-duplicates (remove-if-not (compilation-wanted-p compilation)
                                               (mapcar #'reading-native (compilation-readings compilation)))
                                :test #'equal)))

(defun file-of (diagnostic)
  (field diagnostic "file"))

(defun diagnostics-by-file (compilation)
  "Return what the compiler said by file, in the order of the files' first diagnostics."
  (let ((groups '()))
    (dolist (diagnostic (reverse (compilation-diagnostics compilation)))
      (let* ((file (field diagnostic "file"))
             (group (assoc file groups :test #'equal)))
        (if group
            (push diagnostic (rest group))
            (push (list file diagnostic) groups))))
    (array-of (loop for (file . diagnostics) in (reverse groups)
                    collect (object "file" file "diagnostics" (array-of (reverse diagnostics)))))))
