;;;; The soft limit of the heap.

(in-package #:lisp-workbench/evaluation)

;; Measured with 2 GB: a full collection copies all small objects. If conses take 50 % of the heap, a full collection ends plain SBCL 2.2.9
;; at once; if vectors and tables take 60 %, it ends even the newest version. If the heap grows further, plain SBCL ends at 60 to 70 %. Only
;; large arrays, which are not copied, could fill nearly the whole heap.
(defconstant +heap-share+ 45 "The maximum percentage of the heap in use after a collection. Above it, the next collection may be fatal.")

(defun install-limits ()
  (pushnew 'check-heap sb-ext:*after-gc-hooks*))

(sb-ext:defglobal *stopped-threads* '()) ; threads that were ended; garbage is collected once they have exited

(defvar *when-short* '() "Functions that release objects, called when memory runs short.")

(defun check-heap ()
  "Stop the running evaluation before a collection ends the whole image. If an agent's evaluation was overtaken, stop the overtaken
evaluation first. If no evaluation runs, stop the threads that earlier evaluations left. Also release objects that only handles keep alive."
  (when (> (* 100 (dynamic-usage)) (* +heap-share+ (sb-ext:dynamic-space-size)))
    (release-everything)
    (mapc #'funcall *when-short*)
    (let ((evaluation (find :running (running-evaluations) :key #'evaluation-state)))
      (if evaluation
          (throw-in-evaluation evaluation (list :limit (heap-object evaluation)))
          (mapc #'stop-user-thread (set-difference *user-threads* *stopped-threads*))))))

(defun collect-after-stopped ()
  "Collect garbage once the threads that CHECK-HEAP ended have exited. Called by the clock."
  (when (and *stopped-threads* (notany #'sb-thread:thread-alive-p *stopped-threads*))
    (setf *stopped-threads* '())
    (sb-ext:gc :full t)))

(defconstant +idle-garbage+ (* 32 1024 1024) "The number of octets that an idle image must have allocated since the last collection before
it collects garbage again.")

(defun collect-when-idle ()
  "Collect the youngest generation if no evaluation and no user thread is running, and much memory was allocated since the last collection.
SBCL itself waits until a twentieth of the heap is allocated, which would let an image that serves only small calls grow by 200 MB. Called
by the clock."
  (when (and (null (running-evaluations)) (null *user-threads*) (> (sb-ext:generation-bytes-allocated 0) +idle-garbage+))
    (sb-ext:gc)))

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
        (send-thread-failure *evaluation* (heap-object *evaluation*) '() '())
        (sb-thread:abort-thread))))))

(defun heap-message ()
  (format nil "Heap exhausted: ~D of ~D MB were in use after a garbage collection, which needs the same amount again to copy live objects."
          (floor (dynamic-usage) 1048576) (floor (sb-ext:dynamic-space-size) 1048576)))
