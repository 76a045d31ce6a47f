;;;; Releases of a Quicklisp dist that the image lacks. The image does not download them itself: it asks the core, which verifies each archive
;;;; and installs it in the client's folder. The client then finds them installed.

(in-package #:lisp-workbench/systems)

(defstruct wanted
  "A request that is waiting for the core. PROBLEM is :NONE until the core has answered; then it is NIL, or the reason of the failure."
  id (problem :none))

(sb-ext:defglobal *wanted* '())
(sb-ext:defglobal *wanted-count* 0)
(sb-ext:defglobal *wanted-lock* (sb-thread:make-mutex :name "lisp-workbench libraries"))
(sb-ext:defglobal *wanted-settled* (sb-thread:make-waitqueue :name "lisp-workbench libraries"))

(sb-ext:defglobal *core-installs* nil "True if the core installs releases in the folder of this image's client.")

(sb-ext:defglobal *library-guard* 'call-unguarded
  "A function of FUNCTION, a list of releases, the name of the system that needs them, and the names of the missing systems. It calls FUNCTION
with the other arguments once that is allowed.")

(defun call-unguarded (function releases system names)
  (funcall function releases system names))

(defun client-function (name &optional (package '#:ql-dist))
  "Return the client's function NAME, or NIL."
  (let* ((package (find-package package)) (symbol (and package (find-symbol name package))))
    (and symbol (fboundp symbol) symbol)))

(defun call-client (name &rest arguments)
  (apply (client-function name) arguments))

;;; Attaching to the client

(defun attach-to-client ()
  "Make the image's Quicklisp client request missing releases from the core, for all releases of a system at once. The client downloads nothing
itself then, except where no core listens, as in a program that was saved from an image."
  (let ((apply-strategy (client-function "APPLY-LOAD-STRATEGY" '#:quicklisp-client))
        (install (client-function "INSTALL")))
    (when (and apply-strategy install)
      (install-advice apply-strategy 'lisp-workbench #'request-releases-of-strategy)
      (install-advice install 'lisp-workbench #'request-release))))

(defun core-installs-p ()
  "Return true if the core installs releases for the running code. While the init file is loaded, the core is not ready for that."
  (and *core-installs* *evaluation* (not (prefixed-p "init-" (evaluation-id *evaluation*)))))

(defun request-releases-of-strategy (original strategy)
  (when (core-installs-p)
    (install-releases (funcall (client-function "QUICKLISP-RELEASES" '#:quicklisp-client) strategy)
                      (call-client "NAME" strategy)))
  (funcall original strategy))

(defun request-release (original object)
  "Make the core install OBJECT if it is a release. Other objects are systems, whose releases are installed, and dists."
  (let ((release-class (find-class (find-symbol "RELEASE" '#:ql-dist) nil)))
    (cond ((not (and (core-installs-p) release-class (typep object release-class))) (funcall original object))
          (t (install-releases (list object) (call-client "NAME" object))
             object))))

;;; Requests

(defun install-releases (releases system &optional (names (list system)))
  "Make the core install those RELEASES, objects of the client, that are not installed. The system SYSTEM needs them, because the systems NAMES are
missing."
  (let ((missing (remove-if (lambda (release) (call-client "INSTALLEDP" release))
                            (remove-duplicates releases :key (lambda (release) (call-client "PREFIX" release))
                                                        :test #'equal :from-end t))))
    (when missing
      (funcall *library-guard* 'fetch-releases (mapcar #'release-facts missing) system names))))

(defun release-facts (release)
  "Return a list of the dist, its version, the project, the folder, the size and the MD5 of RELEASE."
  (let ((dist (call-client "DIST" release)))
    (list (call-client "NAME" dist) (call-client "VERSION" dist) (call-client "PROJECT-NAME" release)
          (call-client "PREFIX" release) (call-client "ARCHIVE-SIZE" release) (call-client "ARCHIVE-MD5" release))))

(defun fetch-releases (releases system names)
  "Make the core install RELEASES, and wait. Signal an error with the core's reason if that fails."
  (declare (ignore names))
  (format t "~&; Installing ~{~A~^, ~}~%" (mapcar #'third releases))
  (finish-output)
  (let ((wanted (make-wanted :id (sb-thread:with-mutex (*wanted-lock*) (format nil "l~D" (incf *wanted-count*)))))
        (over nil))
    (unwind-protect
         (progn
           (sb-thread:with-mutex (*wanted-lock*) (push wanted *wanted*))
           (send-event "libraries-wanted"
                       "request" (wanted-id wanted)
                       "evaluation" (and *evaluation* (evaluation-id *evaluation*))
                       "actor" (and *evaluation* (evaluation-actor *evaluation*))
                       "home" (file-name (client-home))
                       "releases" (array-of (loop for (dist version project prefix size md5) in releases
                                                  collect (object "dist" dist "version" version "project" project
                                                                  "prefix" prefix "size" size "md5" md5))))
           (with-parked-worker () (wait-until-settled wanted))
           (setf over t))
      (sb-thread:with-mutex (*wanted-lock*) (setf *wanted* (remove wanted *wanted*)))
      (unless over (send-event "libraries-abandoned" "request" (wanted-id wanted))))
    (when (wanted-problem wanted)
      (error "The libraries for ~A were not installed. ~A" system (wanted-problem wanted)))))

(defun wait-until-settled (wanted)
  "Wait until the core has answered WANTED. Allow interrupts only while this thread does not hold the lock, because a thread that entered the
debugger with the lock would block the thread that delivers the answer."
  (without-interrupts
    (sb-thread:with-mutex (*wanted-lock*)
      (loop while (eq (wanted-problem wanted) :none)
            do (allow-with-interrupts (sb-thread:condition-wait *wanted-settled* *wanted-lock*))))))

(define-operation "settle-libraries" (:control request)
  (sb-thread:with-mutex (*wanted-lock*)
    (let ((wanted (find (field request "request") *wanted* :key #'wanted-id :test #'equal)))
      (when wanted
        (setf (wanted-problem wanted) (field request "problem"))
        (sb-thread:condition-broadcast *wanted-settled*))
      (object "found" (json-boolean wanted)))))
