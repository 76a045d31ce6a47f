;;;; The soft limit of the heap.

(in-package #:lisp-workbench/evaluation)

;; Measured with 2 GB: a full collection copies all small objects, and with conses that take 50 % it ends plain SBCL 2.2.9 at once, with
;; vectors and tables at 60 % the newest too; growing further, plain SBCL ends by itself at 60 to 70 %. Only large arrays, which are
;; not copied, could take nearly all.
(defconstant +heap-share+ 45 "Per cent of the heap in use after a collection: with more, the next one may be fatal.")

(defun install-limits ()
  (pushnew 'check-heap sb-ext:*after-gc-hooks*))

(sb-ext:defglobal *stopped-threads* '()) ; threads that were ended; memory is collected when they are gone

(defvar *when-short* '() "Functions that let go of objects, called when memory runs short.")

(defun check-heap ()
  "Stop the running evaluation, an agent's beside one of the person first, or else the threads that earlier ones left, before SBCL loses the
whole image in a collection. Objects that are only held by handles are let go of too."
  (when (> (* 100 (dynamic-usage)) (* +heap-share+ (sb-ext:dynamic-space-size)))
    (release-everything)
    (mapc #'funcall *when-short*)
    (let ((evaluation (find :running (running-evaluations) :key #'evaluation-state)))
      (if evaluation
          (throw-in-evaluation evaluation (list :limit (heap-object evaluation)))
          (mapc #'stop-user-thread (set-difference *user-threads* *stopped-threads*))))))

(defun collect-after-stopped ()
  "Collect when the threads that were ended are gone. Called by the clock."
  (when (and *stopped-threads* (notany #'sb-thread:thread-alive-p *stopped-threads*))
    (setf *stopped-threads* '())
    (sb-ext:gc :full t)))

(defconstant +idle-garbage+ (* 32 1024 1024) "Octets allocated since the last collection, above which an idle image collects.")

(defun collect-when-idle ()
  "Collect the youngest generation when nothing runs, no thread of the code either, and much was allocated. SBCL by itself waits until a twentieth of the heap is allocated,
so that an image of which only small calls are asked would grow by 200 MB. Called by the clock."
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
  (format nil "Heap exhausted: ~D of ~D MB were in use after a garbage collection, which needs as much again to copy what lives."
          (floor (dynamic-usage) 1048576) (floor (sb-ext:dynamic-space-size) 1048576)))
