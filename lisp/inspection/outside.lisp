;;;; Views of objects that represent entities outside the image or its data: pathnames, streams and threads.

(in-package #:lisp-workbench/inspection)

(define-facts "pathname" (pathname)
  ("Name" (or (ignore-errors (sb-ext:native-namestring pathname)) (namestring pathname)))
  ("Exists" (and (not (wild-pathname-p pathname)) (yes-or-no (probe-file pathname))))
  ("True name" (let ((found (and (not (wild-pathname-p pathname)) (probe-file pathname))))
                 (and found (sb-ext:native-namestring found))))
  ("Size" (let ((found (plain-file pathname)))
            (and found (format nil "~D octets" (stat-size (stat-of found))))))
  ("Written" (let ((found (plain-file pathname))) (and found (date-text (file-write-date found)))))
  ("Wild" (and (wild-pathname-p pathname) "yes"))
  ("Logical" (and (typep pathname 'logical-pathname) "yes")))

(defun plain-file (pathname)
  (let ((found (and (not (wild-pathname-p pathname)) (probe-file pathname))))
    (and found (pathname-name found) (sb-ext:native-namestring found))))

(define-view "pathname" "components" (pathname)
  (loop for (label reader) in `(("Host" pathname-host) ("Device" pathname-device) ("Directory" pathname-directory)
                                ("Name" pathname-name) ("Type" pathname-type) ("Version" pathname-version))
        collect (let ((reader reader)) (part label (lambda () (funcall reader pathname))))))

(define-facts "stream" (stream)
  ("Direction" (cond ((and (input-stream-p stream) (output-stream-p stream)) "input and output")
                     ((input-stream-p stream) "input")
                     ((output-stream-p stream) "output")))
  ("Open" (yes-or-no (open-stream-p stream)))
  ("File" (and (typep stream 'file-stream) (sb-ext:native-namestring (pathname stream))))
  ("Position" (and (typep stream 'file-stream) (open-stream-p stream) (file-position stream)))
  ("Length" (and (typep stream 'file-stream) (open-stream-p stream) (file-length stream)))
  ("Element type" (stream-element-type stream))
  ("External format" (and (typep stream 'file-stream) (stream-external-format stream)))
  ("Interactive" (and (open-stream-p stream) (interactive-stream-p stream) "yes")))

(define-view "stream" "streams" (stream :when (typep stream '(or two-way-stream echo-stream synonym-stream
                                                              broadcast-stream concatenated-stream)))
  (flet ((all (streams)
           (loop for each in streams
                 for number from 1
                 collect (let ((each each)) (part (princ-to-string number) (lambda () each))))))
    (etypecase stream
      (two-way-stream (list (part "Input" (lambda () (two-way-stream-input-stream stream)))
                            (part "Output" (lambda () (two-way-stream-output-stream stream)))))
      (echo-stream (list (part "Input" (lambda () (echo-stream-input-stream stream)))
                         (part "Output" (lambda () (echo-stream-output-stream stream)))))
      (synonym-stream (list (part "Symbol" (lambda () (synonym-stream-symbol stream)))))
      (broadcast-stream (all (broadcast-stream-streams stream)))
      (concatenated-stream (all (concatenated-stream-streams stream))))))

;;; Threads

(define-facts "thread" (thread)
  ("Name" (sb-thread:thread-name thread))
  ("Alive" (yes-or-no (sb-thread:thread-alive-p thread)))
  ("Thread id" (sb-thread:thread-os-tid thread))
  ("Main thread" (and (eq thread (sb-thread:main-thread)) "yes")))

(define-view "thread" "frames" (thread)
  (multiple-value-bind (frames answered) (thread-frames thread 200)
    (if answered
        (loop for frame in frames
              for number from 0
              collect (text-part (princ-to-string number) frame))
        (list (text-part "" (if (sb-thread:thread-alive-p thread)
                                "The thread does not answer, because it is running code that cannot be interrupted."
                                "The thread has ended."))))))

(defun thread-frames (thread most)
  "Return three values: at most MOST frames of THREAD, innermost first, as texts such as (FOO 1 2); true if the thread responded; and the
number of remaining frames."
  (let ((calls '()) (rest 0) (done (sb-thread:make-semaphore)))
    (flet ((look ()
             (unwind-protect
                  (multiple-value-setq (calls rest) (current-calls most))
               (sb-thread:signal-semaphore done))))
      (if (and (sb-thread:thread-alive-p thread)
               (ignore-errors (sb-thread:interrupt-thread thread #'look) t)
               (sb-thread:wait-on-semaphore done :timeout 1))
          (values (loop for (name . arguments) in calls
                        collect (multiple-value-bind (text problem) (carefully (frame-text name arguments))
                                  (or text problem)))
                  t rest)
          (values '() nil 0)))))

(defun frame-text (name arguments)
  (format nil "(~A~{ ~A~})" (print-short name 120)
          (loop for tail = arguments then (cdr tail)
                for number from 0
                while (consp tail)
                collect (if (= number 20) "…" (print-short (car tail) 200))
                until (= number 20))))

(defun current-calls (most)
  "Return two values: (name . arguments) for at most MOST frames of this thread outside the interruption's own frames; and the number of
remaining frames. Omit the engine's frames and the frames with which every thread begins."
  (let ((calls '()) (count 0) (more 0))
    (block walk
      (ignore-errors
       (map-backtrace
        (lambda (frame)
          (multiple-value-bind (name arguments) (frame-call frame :replace-dynamic-extent-objects t)
            (cond ((interruption-name-p name) (setf calls '() count 0 more 0))
                  ((and (first-frame-name-p name) calls) (return-from walk))
                  ((or (no-function-p name) (engine-frame-name-p name)))
                  ((< count most)
                   (push (cons name arguments) calls)
                   (incf count))
                  (t (incf more)))))
        :count 5000)))
    (values (nreverse calls) more)))

(defun interruption-name-p (name)
  "Return true if a frame named NAME belongs to the interruption of the thread."
  (cond ((consp name) (and (ignore-errors (list-length name)) (interruption-name-p (first (last name)))))
        ((symbolp name)
         (member name '("RUN-INTERRUPTION" "%RUN-INTERRUPTION" "INVOKE-INTERRUPTION" "SIGURG-HANDLER") :test #'string=))))

(defun first-frame-name-p (name)
  "Return true if NAME is the name of the frame in which SBCL starts a thread's function."
  (and (consp name) (ignore-errors (list-length name)) (eq 'run (first (last name)))))

(defun no-function-p (name)
  "Return true if NAME, the name of a frame, does not name a Lisp function, as in foreign code."
  (and (stringp name) (not (equal name "undefined function"))))

(defun engine-frame-name-p (name)
  (typecase name
    (symbol (engine-symbol-p name))
    (cons (and (ignore-errors (list-length name))
               (some (lambda (each) (and (typep each '(or symbol cons)) (engine-frame-name-p each))) name)))))
