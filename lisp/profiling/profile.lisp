;;;; The operation `profile`: finds the functions that take time or memory. A separate thread starts and stops the sampling, because a
;;;; thread that profiles itself gets no samples.

(in-package #:lisp-workbench/profiling)

(defconstant +most-samples+ 50000)
(defconstant +deepest-stack+ 200 "The maximum number of frames that are recorded per stack. Of a deeper stack, the frames nearest to the
root are recorded.")

(sb-ext:defglobal *profiler* nil)       ; the evaluation that is being profiled

(defstruct sampling "An active profile. WORKER is the profiled thread, or NIL for all threads." worker started mode interval thread (stop (sb-thread:make-semaphore)) (stacks nil) (problem nil))

(define-run "profile" (evaluation request)
  (unwind-protect-without-interrupts
       (progn
         (claim-profiler evaluation)
         (call-with-last-form evaluation (lambda (form) (profile-form form request))))
    (sb-ext:compare-and-swap (symbol-value '*profiler*) evaluation nil)))

(defun claim-profiler (evaluation)
  (when *profiling*
    (error (if *profiler*
               "Another profile is being recorded; only one can be recorded at a time."
               "The code itself has started SBCL's profiler; only one profile can be recorded at a time.")))
  (when (sb-ext:compare-and-swap (symbol-value '*profiler*) nil evaluation)
    (error "Another profile is being recorded; only one can be recorded at a time.")))

(defun profile-form (form request)
  (let* ((mode (mode-named (field request "mode")))
         (sampling (make-sampling :worker sb-thread:*current-thread* :mode mode
                                  :interval (/ (or (field request "intervalMs") 5) 1000)))
         (values '()) (start 0) (elapsed 0))
    (unwind-protect-without-interrupts
         (progn
           (start-sampling sampling)
           (block-samples (sb-sys:int-sap 0) 0)
           (setf start (microseconds)
                 values (call-measured form)
                 elapsed (- (microseconds) start)))
      (stop-sampling sampling))
    (profile-object (sampling-stacks sampling) elapsed values (field request "limit"))))

(defun mode-named (text)
  (cdr (assoc text '(("cpu" . :cpu) ("alloc" . :alloc) ("time" . :time)) :test #'string=)))

;;; Sampling

(defun start-sampling (sampling)
  (let ((ready (sb-thread:make-semaphore)))
    (without-interrupts
      (setf (sampling-thread sampling)
            (let ((*evaluation* nil))
              (sb-thread:make-thread #'sample-until-stopped :arguments (list sampling ready)
                                                            :name "lisp-workbench profiler"))))
    (sb-thread:wait-on-semaphore ready)
    (when (sampling-problem sampling) (error "~A" (sampling-problem sampling)))))

(defun stop-sampling (sampling)
  "Stop the sampling and wait until it has ended, which takes a moment. This is also called from a cleanup form, which an interrupt could
not end."
  (sb-thread:signal-semaphore (sampling-stop sampling))
  (when (sampling-thread sampling)
    (sb-thread:join-thread (sampling-thread sampling) :default nil :timeout 20)))

(defun sample-until-stopped (sampling ready)
  "Take samples until SAMPLING is stopped. If a signal arrives after an earlier profile has ended, SBCL blocks SIGPROF in the receiving
thread but still records the thread as being sampled, so the thread would never be sampled again. Therefore a profile of all threads first
clears these records; a WORKER unblocks the signal itself."
  (handler-case
      (let ((started nil))
        (unwind-protect
             (progn
               (reset-samples)
               (unless (sampling-worker sampling) (mapc #'forget-sampled (sb-thread:list-all-threads)))
               (start-profiling :mode (sampling-mode sampling) :threads (if (sampling-worker sampling) (list (sampling-worker sampling)) :all)
                                :sample-interval (sampling-interval sampling) :max-samples +most-samples+)
               (setf started t)
               (sb-thread:signal-semaphore ready)
               (sb-thread:wait-on-semaphore (sampling-stop sampling)))
          (when started (stop-profiling)))
        (setf (sampling-stacks sampling) (collapsed-stacks (sampling-worker sampling)))
        (reset-samples))
    (error (condition)
      (setf (sampling-problem sampling) (print-report condition 500))
      (sb-thread:signal-semaphore ready))))

(defun collapsed-stacks (worker)
  "Return an EQUAL table that maps stacks, which are lists of names, root first, to their sample counts. If WORKER is NIL, include all
threads."
  (let ((stacks (make-hash-table :test #'equal)))
    (when *samples*
      (make-call-graph *samples* most-positive-fixnum) ; makes the raw samples available to MAP-TRACES
      (map-traces (lambda (thread trace)
                    (let ((stack (cond ((null worker) (stack-in-thread thread trace))
                                       ((eq thread worker) (stack-of trace)))))
                      (when stack (incf (gethash stack stacks 0)))))
                  *samples*))
    stacks))

(defun stack-of (trace)
  "Return the names of the frames of the user's code, root first."
  (let ((names '()) (begun nil) (count 0))
    (map-trace-pc-locs (lambda (info place)
                         (declare (ignore place))
                         (let ((name (frame-name info)))
                           (cond ((eq name 'call-measured) (setf begun t names '() count 0))
                                 ((and begun name (not (engine-frame-name-p name)) (< count +deepest-stack+))
                                  (incf count)
                                  (push name names)))))
                       trace)
    (loop while (and names (allocation-name-p (first names))) do (pop names))
    (let ((names (nreverse names)))
      (cons "form" (if (equal (first names) '(lambda ())) (rest names) names)))))

(defun allocation-name-p (name)
  "Return true if NAME names an SBCL routine through which compiled code allocates memory."
  (and (symbolp name) (member name '("ALLOC-TRAMP" "LIST-ALLOC-TRAMP") :test #'string=)))

(defun frame-name (info)
  (if (typep info 'debug-fun) (debug-fun-name info) info))

;;; The result

(defun profile-object (stacks elapsed values limit)
  (let* ((all (sort (loop for names being the hash-keys of stacks using (hash-value count) collect (cons names count))
                    #'> :key #'cdr))
         (samples (reduce #'+ all :key #'cdr))
         (shown (subseq all 0 (min limit (length all)))))
    (multiple-value-bind (functions total) (function-records all samples limit)
      (object "samples" samples
              "elapsedMs" (/ elapsed 1000)
              "stacks" (array-of (loop for (names . count) in shown
                                       collect (object "frames" (array-of (mapcar #'frame-label names)) "count" count)))
              "other" (- samples (reduce #'+ shown :key #'cdr))
              "functions" (array-of functions)
              "functionsTotal" total
              "valueText" (if values (print-short (first values) 500) "")))))

(defun frame-label (name)
  (if (stringp name) name (name-text name)))

(defun function-records (stacks samples limit)
  "Return two values: records of the functions in STACKS, sorted by the number of samples in the function itself; and the number of
functions."
  (let ((own (make-hash-table :test #'equal)) (all (make-hash-table :test #'equal)))
    (loop for (names . count) in stacks
          do (incf (gethash (first (last names)) own 0) count)
             (dolist (name (remove-duplicates names :test #'equal))
               (incf (gethash name all 0) count)))
    (let ((records (sort (loop for name being the hash-keys of all using (hash-value total)
                               collect (list name (gethash name own 0) total))
                         (lambda (one other)
                           (if (= (second one) (second other)) (> (third one) (third other)) (> (second one) (second other)))))))
      (values (loop for (name self total) in records
                    repeat limit
                    collect (object "name" (frame-label name)
                                    "self" self
                                    "total" total
                                    "selfPercent" (if (zerop samples) 0 (/ (round (* 1000 self) samples) 10))
                                    "source" (and (not (stringp name)) (source-of-name name))))
              (length records)))))

(defun source-of-name (name)
  (let ((name (if (and (consp name) (member (first name) '(flet labels lambda)) (ignore-errors (list-length name)))
                  (getf (cddr name) :in)
                  name)))
    (ignore-errors
     (and (fboundp name)
          (values (function-source (fdefinition name) name))))))
