;;;; The operations `threads`, `thread-backtrace` and `end-thread`.

(in-package #:lisp-workbench/profiling)

(define-operation "threads" (:looking-up request)
  (object "threads" (array-of (mapcar #'thread-record (sb-thread:list-all-threads)))))

(defun thread-record (thread)
  (let* ((id (sb-thread:thread-os-tid thread))
         (name (sb-thread:thread-name thread))
         (evaluation (evaluation-of thread)))
    (multiple-value-bind (state cpu) (system-figures id)
      (object "id" id
              "name" (if (stringp name) name (print-short name 100))
              "alive" (json-boolean (sb-thread:thread-alive-p thread))
              "state" state
              "main" (json-boolean (eq thread (sb-thread:main-thread)))
              "ours" (json-boolean (engine-thread-p thread))
              "evaluation" (and evaluation (evaluation-id evaluation))
              "cpuMs" cpu))))

(defun evaluation-of (thread)
  "Return the evaluation for which THREAD is working now, or NIL."
  (let ((evaluation (if (eq thread sb-thread:*current-thread*)
                        *evaluation*
                        (ignore-errors (sb-thread:symbol-value-in-thread '*evaluation* thread nil)))))
    (and evaluation
         (or (not (engine-thread-p thread)) (eq thread (evaluation-thread evaluation)))
         evaluation)))

(defun engine-thread-p (thread)
  "Return true if the image would not work without THREAD."
  (let ((name (sb-thread:thread-name thread)))
    (or (eq thread (sb-thread:main-thread))
        (eq thread *finalizer-thread*)
        (and (stringp name) (prefixed-p "lisp-workbench " name) t))))

(defconstant +ticks-a-second+ 100 "The number of ticks per second that Linux uses when it reports processor time to programs.")

(defun system-figures (id)
  "Return the operating system's data about the thread ID: its state (running, sleeping …) and its processor time in milliseconds. Return
NIL if no data is available."
  (let ((line (and id (ignore-errors
                       (with-open-file (stream (format nil "/proc/self/task/~D/stat" id))
                         (read-line stream))))))
    (if (null line)
        (values nil nil)
        (let ((fields (words (subseq line (+ 2 (position #\) line :from-end t))))))
          (values (let ((letter (char (first fields) 0)))
                    (case letter (#\R "running") (#\S "sleeping") (#\D "waiting") (#\T "stopped") (t (string letter))))
                  (* (/ 1000 +ticks-a-second+)
                     (+ (parse-integer (nth 11 fields)) (parse-integer (nth 12 fields)))))))))

(defun words (line)
  (loop for start = 0 then (1+ end)
        for end = (position #\Space line :start start)
        collect (subseq line start end)
        while end))

(defun thread-with-id (id)
  (find id (sb-thread:list-all-threads) :key #'sb-thread:thread-os-tid))

(define-operation "thread-backtrace" (:looking-up request)
  (let ((thread (thread-with-id (field request "thread"))))
    (multiple-value-bind (frames answered more)
        (if thread
            (with-page-time () (thread-frames thread (min 1000 (field request "limit"))))
            (values '() nil 0))
      (object "found" (json-boolean thread)
              "answered" (json-boolean answered)
              "frames" (array-of (loop for call in frames
                                       for index from 0
                                       collect (object "index" index "call" call)))
              "more" more))))

(define-operation "end-thread" (:looking-up request)
  (let* ((thread (thread-with-id (field request "thread")))
         (refusal (and thread (engine-thread-p thread)
                       "It belongs to Lisp Workbench or to SBCL. End the evaluation that runs in it instead.")))
    (when (and thread (not refusal))
      (ignore-errors (sb-thread:terminate-thread thread)))
    (object "found" (json-boolean thread) "refused" refusal)))
