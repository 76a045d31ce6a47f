;;;; The guard of library installations: one effect for all releases that a system needs. The facts are the client's records of the dist's
;;;; index; the core installs only archives with these digests.

(in-package #:lisp-workbench/effects)

(defparameter *library-gate* (make-gate 'install-libraries "install-libraries" 'look-at-releases))

(defun call-guarding-libraries (function releases system names installed)
  "Call FUNCTION, which makes the core install RELEASES for SYSTEM, because the systems NAMES are missing. If the code is guarded, first request
approval. The projects INSTALLED are needed too, and there already."
  (if (asked-p)
      (handler-case (call-at-gate *library-gate* (lambda (releases system names installed)
                                                   (declare (ignore installed))
                                                   (funcall function releases system names))
                                  (list releases system names installed))
        (effect-denied (condition)
          (error 'effect-denied :operator (denied-operator condition) :target (denied-target condition)
                                :reason (format nil "A person can install them with: lisp-workbench install ~{~A~^ ~}. ~A"
                                                names (string-capitalize (denied-reason condition) :end 1)))))
      (funcall function releases system names)))

(defun look-at-releases (releases system names installed)
  (declare (ignore names))
  (make-effect (format nil "~D ~:*~[releases~;release~:;releases~] for ~A: ~{~A~^, ~}"
                       (length releases) system (mapcar #'release-facts-project releases))
               :facts (append (list (cons "from" (format nil "~{~{~A ~A~}~^, ~}" (dists-of releases)))
                                    (cons "size" (format nil "~:D bytes" (reduce #'+ releases :key #'release-facts-size))))
                              (and installed
                                   (list (cons "installed already" (format nil "~{~A~^, ~}" installed))))
                              (loop for release in releases
                                    collect (cons (release-facts-project release)
                                                  (format nil "~A, ~:D bytes, ~@[licence ~A, ~]MD5 ~A"
                                                          (release-facts-prefix release) (release-facts-size release)
                                                          (release-facts-licence release) (release-facts-md5 release)))))))

(defun dists-of (releases)
  (remove-duplicates (mapcar (lambda (release) (list (release-facts-dist release) (release-facts-version release))) releases)
                     :test #'equal))

;;; Changes of the dists

(defparameter *dist-gate* (make-gate 'change-dist "install-libraries" 'look-at-dist-change))

(defun call-guarding-dists (function change to title facts)
  "Call FUNCTION, which makes the core change the dists. If the code is guarded, first request approval."
  (if (asked-p)
      (handler-case (call-at-gate *dist-gate* (lambda (change to title facts)
                                                (declare (ignore facts))
                                                (funcall function change to title))
                                  (list change to title facts))
        (effect-denied (condition)
          (error 'effect-denied :operator (denied-operator condition) :target (denied-target condition)
                                :reason (format nil "~A.~@[ A person can do this with: lisp-workbench ~A~]"
                                                (string-right-trim "." (denied-reason condition))
                                                (and (string= change "update") (format nil "update ~A" to))))))
      (funcall function change to title)))

(defun look-at-dist-change (change to title facts)
  (make-effect title :facts (list* (cons "change" (format nil "~A ~A" change to))
                                   (loop for fact in facts
                                         for at = (position #\: fact)
                                         collect (cons (subseq fact 0 at) (string-left-trim " " (subseq fact (1+ at))))))))
