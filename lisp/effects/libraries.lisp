;;;; The guard of library installations: one effect for all releases that a system needs. The facts are the client's records of the dist's
;;;; index; the core installs only archives with these digests.

(in-package #:lisp-workbench/effects)

(defparameter *library-gate* (make-gate 'install-libraries "install-libraries" 'look-at-releases))

(defun call-guarding-libraries (function releases system names)
  "Call FUNCTION, which makes the core install RELEASES for SYSTEM, because the systems NAMES are missing. If the code is guarded, first request approval."
  (if (asked-p)
      (handler-case (call-at-gate *library-gate* function (list releases system names))
        (effect-denied (condition)
          (error 'effect-denied :operator (denied-operator condition) :target (denied-target condition)
                                :reason (format nil "~A. A person can install them with: lisp-workbench install ~{~A~^ ~}"
                                                (string-right-trim "." (denied-reason condition)) names))))
      (funcall function releases system names)))

(defun look-at-releases (releases system names)
  (declare (ignore names))
  (make-effect (format nil "~D ~:*~[releases~;release~:;releases~] for ~A: ~{~A~^, ~}"
                       (length releases) system (mapcar #'third releases))
               :facts (append (list (cons "from" (format nil "~{~{~A ~A~}~^, ~}"
                                                         (remove-duplicates (mapcar (lambda (release) (subseq release 0 2)) releases)
                                                                            :test #'equal)))
                                    (cons "size" (format nil "~:D bytes" (reduce #'+ releases :key #'fifth))))
                              (loop for (nil nil project prefix size md5) in releases
                                    collect (cons project (format nil "~A, ~:D bytes, MD5 ~A" prefix size md5))))))
