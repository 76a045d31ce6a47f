;;;; The toplevel function of the core: start the threads, report that the image is ready, then read frames until end of file.

(in-package #:lisp-workbench/control)

(defun main ()
  (setf (sb-ext:symbol-global-value '*guard*) t)
  (let ((*guard* nil) (*lends* t))
    (live)))

(defun live ()
  (setf *random-state* (make-random-state t)
        sb-ext:*exit-timeout* 2)
  (ask-for-huge-pages)
  (close-inherited-descriptors)
  (take-environment)
  (note-places)
  (take-process-output)
  (begin-handles-anew)
  (setf *reader* (make-frame-reader (descriptor-source +input-descriptor+)))
  (start-writer +output-descriptor+)
  (start-clock)
  (start-worker)
  (say-ready)
  (loop
    (catch 'next-frame
      (wait-for-role)
      (unless (serve-for-main)
        (serve-next-frame *reader*)))))

(defun say-ready ()
  (send-event "ready"
              "lisp" (lisp-implementation-type)
              "version" (lisp-implementation-version)
              "pid" (sb-posix:getpid)
              "asdf" (asdf:asdf-version)
              "quicklisp" (json-boolean (find-package '#:ql))
              "lacking" (array-of (loop for (feature . names) in (lacking-features)
                                        collect (object "feature" feature "names" (array-of names))))))

(defun serve-next-frame (reader)
  (multiple-value-bind (octets start end)
      (handler-case (next-frame reader)
        (bad-length () (leave 3 "A frame has no length.")))
    (if octets
        (serve (handler-case (parse-json octets start end)
                 (json-syntax-error () (leave 3 "A frame does not contain JSON."))))
        (leave-unheard 0))))

(defun serve (request)
  (let* ((id (field request "id"))
         (operation (find-operation (field request "op"))))
    (cond ((null operation)
           (reply-error id "unknown-operation" (format nil "There is no operation ~A." (field request "op"))))
          (t
           (unless (eq :worker (operation-lane operation)) (note-other-work))
           (ecase (operation-lane operation)
             (:control (answer id operation request))
             ((:worker :deferred) (accept id operation request))
             (:main (serve-in-main id operation request))
             (:looking-up (look-up id operation request)))))))

(defun serve-in-main (id operation request)
  (if (eq sb-thread:*current-thread* (sb-thread:main-thread))
      (answer id operation request)
      (setf *for-main* (nconc *for-main* (list (list id operation request))))))

(defun serve-for-main ()
  "Serve a request that a worker left for the main thread. Return false if there is no such request."
  (when *for-main*
    (destructuring-bind (id operation request) (pop *for-main*)
      (answer id operation request)
      t)))

(defun answer (id operation request)
  "Call OPERATION and reply with its value. If the value is :REPLIED, the operation has replied already."
  (handler-case (funcall (operation-function operation) request)
    (:no-error (reply) (unless (eq reply :replied) (reply-ok id reply)))
    (serious-condition (condition) (reply-error id (type-name condition) (print-report condition 1000)))))

(defun accept (id operation request)
  (handler-case (funcall (operation-function operation) request)
    (serious-condition (condition) (reply-error id (type-name condition) (print-report condition 1000)))))
