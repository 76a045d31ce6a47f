;;;; The soft limit of the heap.

(in-package #:lisp-workbench/evaluation)

(defconstant +heap-share+ 45 "Per cent of the heap in use after a collection: with more, the next one may be fatal.")

(defun install-limits ()
  (pushnew 'check-heap sb-ext:*after-gc-hooks*))

(sb-ext:defglobal *stopped-threads* '()) ; what they held is to be collected when they are gone

(defun check-heap ()
  "Stop the running evaluation, or else the threads that earlier ones left, before SBCL loses the whole image in a collection.
What is only held for the other end to look at goes too."
  (when (> (* 100 (dynamic-usage)) (* +heap-share+ (sb-ext:dynamic-space-size)))
    (release-everything)
    (let ((evaluation *running*))
      (if (and evaluation (eq (evaluation-state evaluation) :running))
          (throw-in-evaluation evaluation (list :limit (heap-object evaluation)))
          (mapc #'stop-user-thread (set-difference *user-threads* *stopped-threads*))))))

(defun collect-after-stopped ()
  "Called by the clock."
  (when (and *stopped-threads* (notany #'sb-thread:thread-alive-p *stopped-threads*))
    (setf *stopped-threads* '())
    (sb-ext:gc :full t)))

(defun heap-object (evaluation)
  (report-object "HEAP-EXHAUSTED-ERROR" (heap-message) '() "limit" (evaluation-offset evaluation)))

(defun stop-user-thread (thread)
  (ignore-errors
   (sb-thread:interrupt-thread
    thread
    (lambda ()
      (when *evaluation*
        (push thread *stopped-threads*)
        (keep-clock-awake)
        (send-event "thread-failed"
                    "evaluation" (evaluation-id *evaluation*)
                    "thread" (thread-label)
                    "condition" (heap-object *evaluation*))
        (sb-thread:abort-thread))))))

(defun heap-message ()
  (format nil "Heap exhausted: ~D of ~D MB were in use after a garbage collection."
          (floor (dynamic-usage) 1048576) (floor (sb-ext:dynamic-space-size) 1048576)))
