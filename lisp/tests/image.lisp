;;;; An image inside the test process. The engine's threads run, tests make requests by calling Lisp functions, and frames arrive through a
;;;; pipe.

(cl:in-package #:lisp-workbench/tests)

(defvar *reader* nil)
(defvar *next-id* 0)
(defvar *events* '() "The events received since the last request, newest first.")

(defun start-image ()
  (multiple-value-bind (input output) (sb-posix:pipe)
    (lisp-workbench/evaluation:install-hooks)
    (lisp-workbench/debugger:install-debugger)
    (lisp-workbench/compilation:install-compilation)
    (lisp-workbench/recording:install-recording)
    (lisp-workbench/systems:prepare-asdf)
    (lisp-workbench/systems:install-progress)
    (lisp-workbench/authorship:install-authorship)
    (lisp-workbench/definitions:record-baseline)
    (lisp-workbench/definitions:install-sweep)
    (start-writer output)
    (lisp-workbench/evaluation:start-clock)
    (lisp-workbench/evaluation:start-worker)
    (setf *reader* (make-frame-reader (descriptor-source input)))))

(defun next-message ()
  (multiple-value-bind (octets start end) (next-frame *reader*)
    (parse-json octets start end)))

(defun send-request (operation &rest fields)
  "Pass a request to the function that the control thread calls for requests. Return the request's id."
  (let ((id (incf *next-id*)))
    (setf *events* '())
    (lisp-workbench/control::serve (list* :object "id" id "op" operation fields))
    id))

(defun await-reply (id)
  "Wait for the reply to the request ID, and return its value of \"ok\" or its error. Push events, and replies to other requests, onto
*EVENTS*."
  (flet ((reply-p (message) (eql id (field message "id"))))
    (let ((message (or (find-if #'reply-p *events*)
                       (loop for message = (next-message)
                             until (reply-p message)
                             do (push message *events*)
                             finally (return message)))))
      (or (field message "ok") (field message "error")))))

(defun await-event (name)
  (or (find name *events* :key (lambda (event) (field event "event")) :test #'equal)
      (loop for message = (next-message)
            do (push message *events*)
            when (equal name (field message "event")) return message)))

(defun ask (operation &rest fields)
  (await-reply (apply #'send-request operation fields)))

(defun send-code (code &key (context "test") (actor "person") package interactive source
                         (evaluation (format nil "e~D" *next-id*)) (output-limit 100000) (value-limit 2000)
                         keep-values (on-error "report"))
  (send-request "evaluate" "evaluation" evaluation "context" context "actor" actor "code" code "package" package
                           "interactive" interactive "source" source "outputLimit" output-limit
                           "valueLimit" value-limit "keepValues" keep-values "onError" on-error))

(defun evaluate (code &rest keys)
  (await-reply (apply #'send-code code keys)))

(defun texts (reply)
  "Return the printed values of REPLY."
  (map 'list (lambda (value) (field value "text")) (field reply "values")))

(defun value (code &rest keys)
  "Return the first printed value of CODE."
  (first (texts (apply #'evaluate code keys))))

(defun condition-type (reply)
  (field (field reply "condition") "type"))

(defun condition-message (reply)
  (field (field reply "condition") "message"))

(defun calls (reply)
  "Return the frames of the reply's condition."
  (map 'list (lambda (frame) (field frame "call")) (field (field reply "condition") "frames")))

(defun warning-types (reply)
  (map 'list (lambda (warning) (field warning "type")) (field reply "warnings")))

(defun output (stream)
  "Return the output on STREAM since the last request."
  (format nil "~{~A~}"
          (loop for event in (reverse *events*)
                when (and (equal "output" (field event "event")) (equal stream (field event "stream")))
                  collect (field event "text"))))

(defun call-with-project (files function)
  "Call FUNCTION in an image whose directory contains FILES, an alist of names and texts."
  (let* ((directory (format nil "~Alisp-workbench-test-~36R/" (uiop:native-namestring (uiop:temporary-directory))
                            (random (expt 36 10) (make-random-state t))))
         (*print-pretty* nil)
         (before *default-pathname-defaults*))
    (ensure-directories-exist directory)
    (unwind-protect
         (progn
           (loop for (name . text) in files
                 do (ensure-directories-exist (concatenate 'string directory name))
                    (with-open-file (stream (concatenate 'string directory name) :direction :output)
                      (write-string text stream)))
           (setf *default-pathname-defaults* (pathname directory))
           (funcall function))
      (setf *default-pathname-defaults* before)
      (sb-ext:delete-directory directory :recursive t))))

(defmacro with-project (files &body body)
  `(call-with-project ,files (lambda () ,@body)))

(deftest "A reply that no frame can hold is answered as an error"
  (lisp-workbench/protocol:reply-ok 987654 (object "condition" (make-condition 'simple-error)))
  (is (equal "error" (field (await-reply 987654) "type"))))
