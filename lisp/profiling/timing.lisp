;;;; The operation `time-form`: compiles the last form of a text, runs it several times, and reports the time of each run.

(in-package #:lisp-workbench/profiling)

(define-run "time-form" (evaluation request)
  (call-with-last-form
   evaluation
   (lambda (form)
     (let* ((values '())
            (runs (loop repeat (field request "runs")
                        collect (multiple-value-bind (run results) (time-run form)
                                  (setf values results)
                                  run)))
            (times (sort (mapcar (lambda (run) (field run "realMs")) runs) #'<)))
       (object "runs" (array-of runs)
               "minMs" (first times)
               "medianMs" (median times)
               "valueText" (if values (print-short (first values) 500) ""))))))

(defun median (sorted)
  (let ((count (length sorted)))
    (if (oddp count)
        (nth (floor count 2) sorted)
        (/ (+ (nth (1- (floor count 2)) sorted) (nth (floor count 2) sorted)) 2))))

(defun time-run (form)
  "Return two values: a record of one run of FORM, and the list of the values. The bytes and the run time are those of the whole image."
  (let ((figures '()) (values '()) (start 0) (end 0))
    (sb-ext:call-with-timing (lambda (&rest all) (setf figures all))
                             (lambda ()
                               (setf start (microseconds)
                                     values (call-measured form)
                                     end (microseconds))))
    (values (object "realMs" (/ (- end start) 1000)
                    "runMs" (/ (+ (getf figures :user-run-time-us 0) (getf figures :system-run-time-us 0)) 1000)
                    "gcMs" (getf figures :gc-run-time-ms 0)
                    "bytesConsed" (getf figures :bytes-consed 0)
                    "cycles" (getf figures :processor-cycles))
            values)))
