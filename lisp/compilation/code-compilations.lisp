;;;; Reports the compilations that the person's evaluated code starts with COMPILE-FILE or ASDF, and those before a system's tests. An event
;;;; reports the compiler's diagnostics by file, so that they can be displayed at their places, like those of the system loader.

(in-package #:lisp-workbench/compilation)

(defun call-telling-diagnostics (wanted-p function)
  "Call FUNCTION for evaluated code and return its values. Report the diagnostics of the files for which WANTED-P, a predicate of native
names, is true, even if the call exits early."
  (if (or *compilation* (not (persons-code-p)))
      (funcall function)
      (let ((compilation (make-compilation :wanted-p wanted-p)))
        (unwind-protect (call-with-diagnostics compilation function)
          (tell-diagnostics compilation)))))

(defun persons-code-p ()
  "Return true if this thread evaluates a text for the person, or runs the tests of a system for the person."
  (and *evaluation*
       (let ((request (evaluation-request *evaluation*)))
         (and (or (field request "code") (field request "system"))
              (not (field request "guard"))))))

(defun tell-diagnostics (compilation)
  "Report the diagnostics of each file that was read. For a file without diagnostics, report an empty list to clear its older diagnostics."
  (let ((faulty (diagnostics-by-file compilation)) (sound (files-without-fault compilation)))
    (when (or sound (plusp (length faulty)))
      (send-event "files-compiled"
                  "evaluation" (evaluation-id *evaluation*)
                  "files" (concatenate 'simple-vector
                                       faulty
                                       (loop for file in sound
                                             collect (object "file" file "diagnostics" (array-of '()))))))))

(defun files-without-fault (compilation)
  "Return the native names of the files that were read and have no diagnostics."
  (remove-if (lambda (file) (find file (compilation-diagnostics compilation) :key #'file-of :test #'equal))
             (remove-duplicates (remove-if-not (compilation-wanted-p compilation)
                                               (mapcar #'reading-native (compilation-readings compilation)))
                                :test #'equal)))

(defun file-of (diagnostic)
  (field diagnostic "file"))

(defun diagnostics-by-file (compilation)
  "Return the diagnostics grouped by file, in the order of the files' first diagnostics."
  (let ((groups '()))
    (dolist (diagnostic (reverse (compilation-diagnostics compilation)))
      (let* ((file (field diagnostic "file"))
             (group (assoc file groups :test #'equal)))
        (if group
            (push diagnostic (rest group))
            (push (list file diagnostic) groups))))
    (array-of (loop for (file . diagnostics) in (reverse groups)
                    collect (object "file" file "diagnostics" (array-of (reverse diagnostics)))))))
