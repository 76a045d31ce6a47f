(cl:in-package #:lisp-workbench/tests)

(defclass signalling () ())
(defmethod print-object ((object signalling) stream) (declare (ignore stream)) (error "no"))
(defclass circling () ())
(defmethod print-object ((object circling) stream) (declare (ignore stream)) (error "cannot print ~A~%at all" object))
(defclass looping () ())
(defmethod print-object ((object looping) stream) (declare (ignore stream)) (loop (sleep 1)))
(defclass flooding () ())
(defmethod print-object ((object flooding) stream) (loop (write-string "flood" stream)))
(defclass breaking () ())
(defmethod print-object ((object breaking) stream) (declare (ignore stream)) (break))
(defclass recursive () ())
(defmethod print-object ((object recursive) stream) (print-object object stream) (terpri stream))

(defun printed (value &optional (limit 1000))
  (let ((*package* (find-package '#:lisp-workbench/tests)))
    (multiple-value-list (lisp-workbench/evaluation:print-value value limit))))

(defun circular-list (length)
  (let ((list (make-list length :initial-element 1)))
    (setf (cdr (last list)) list)))

(deftest "Values are printed under the contract's limits [E19, E23–E26]"
  (loop for (value text)
          in `((1 "1") (nil "NIL") (:a ":A") ("a\"b" "\"a\\\"b\"") (#\a "#\\a") (1.5d0 "1.5d0")
               (,(make-list 101 :initial-element 0) ,(format nil "(~{~A~^ ~} ...)" (make-list 100 :initial-element 0)))
               ((1 (2 (3 (4 (5 (6 (7 (8 (9 (10 (11))))))))))) "(1 (2 (3 (4 (5 (6 (7 (8 (9 (10 #))))))))))")
               (,(circular-list 2) "#1=(1 1 . #1#)"))
        do (is (string= text (remove #\Newline (first (printed value)))) "~A" (printed value))))

(deftest "A value's text is cut at the limit and the rest is counted"
  (is (equal '("\"xxx" 98) (printed (make-string 100 :initial-element #\x) 4))))

(deftest "An object whose print method signals shows in the midst of the others"
  (is (equal '("(1 #<error SIMPLE-ERROR printing SIGNALLING: no> 2)" 0) (printed (list 1 (make-instance 'signalling) 2))))
  ;; A report method that prints the condition itself causes no endless loop, and only this text is shown.
  (is (equal '("#<error SIMPLE-ERROR printing CIRCLING: cannot print #<error SIMPLE-ERROR printing CIRCLING>>" 0)
             (printed (make-instance 'circling)))))

(deftest "Print methods that loop, flood, recurse or enter the debugger are given up [K6]"
  (lisp-workbench/evaluation:start-clock)
  (loop for (class label) in '((looping "too long") (flooding "too long") (breaking "debugger") (recursive "EXHAUSTED"))
        for text = (let ((*error-output* (make-broadcast-stream))
                         (sb-ext:*invoke-debugger-hook* 'lisp-workbench/evaluation::debugger-hook))
                     (first (printed (make-instance class) 60)))
        do (is (or (search label text) (eql 0 (search "floodflood" text))) "~A printed ~S" class text)))

(deftest "The first digits of an integer, and how many there are, are those that the printer writes"
  (loop with state = (sb-ext:seed-random-state 7)
        repeat 300
        for base = (+ 2 (random 35 state))
        for integer = (* (if (zerop (random 2 state)) 1 -1) (1+ (random (expt 2 (1+ (random 3000 state))) state)))
        for text = (write-to-string integer :base base :radix nil)
        for most = (+ 3 (random 60 state))
        do (multiple-value-bind (digits count) (lisp-workbench/evaluation::leading-digits integer most base)
             (is (eql (length text) count))
             (is (equal (subseq text 0 (min most (length text))) digits))))
  (loop for integer in (list 1 9 10 99 100 (1- (expt 10 500)) (expt 10 500) (1+ (expt 10 500)) (expt 2 3000))
        for text = (princ-to-string integer)
        do (multiple-value-bind (digits count) (lisp-workbench/evaluation::leading-digits integer 20 10)
             (is (eql (length text) count))
             (is (equal (subseq text 0 (min 20 (length text))) digits)))))

(deftest "Of an integer of a million digits the first are shown at once and the rest is counted, and it is kept"
  (let* ((reply (evaluate "(expt 7 1183295)"))
         (shown (aref (field reply "values") 0)))
    (is (equal "ok" (field reply "status")))
    (is (eql 1000001 (+ (length (field shown "text")) (field shown "cut"))))
    (is (every #'digit-char-p (field shown "text")))
    (is (equal "INTEGER" (field shown "type")))
    (is (equal "T" (value "(= * (expt 7 1183295))"))))
  (let ((text (value "(list 1 (expt 7 1183295) (/ (expt 7 1183295) 2) 'after)")))
    (is (eql 0 (search "(1" text)))
    (is (search "#<integer of 1,000,001 digits: " text))
    (is (search "#<ratio of 1,000,001 by 1 digits>" text))
    (is (search "AFTER)" text)))
  (is (eql 60000 (length (value "(expt 10 59999)" :value-limit 100000)))))
