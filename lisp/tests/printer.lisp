(cl:in-package #:lisp-workbench/tests)

(defclass signalling () ())
(defmethod print-object ((object signalling) stream) (declare (ignore stream)) (error "no"))
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

(deftest "E19 E23 E24 E25 E26 values are printed under the contract's limits"
  (loop for (value text)
          in `((1 "1") (nil "NIL") (:a ":A") ("a\"b" "\"a\\\"b\"") (#\a "#\\a") (1.5d0 "1.5d0")
               (,(make-list 101 :initial-element 0) ,(format nil "(~{~A~^ ~} ...)" (make-list 100 :initial-element 0)))
               ((1 (2 (3 (4 (5 (6 (7 (8 (9 (10 (11))))))))))) "(1 (2 (3 (4 (5 (6 (7 (8 (9 (10 #))))))))))")
               (,(circular-list 2) "#1=(1 1 . #1#)"))
        do (is (string= text (remove #\Newline (first (printed value)))) "~A" (printed value))))

(deftest "A value's text is cut at the limit and the rest is counted"
  (is (equal '("\"xxx" 98) (printed (make-string 100 :initial-element #\x) 4))))

(deftest "An object whose print method signals shows in the midst of the others"
  (is (equal '("(1 #<error SIMPLE-ERROR printing SIGNALLING> 2)" 0) (printed (list 1 (make-instance 'signalling) 2)))))

(deftest "K6 print methods that loop, flood, recurse or enter the debugger are given up"
  (lisp-workbench/evaluation:start-clock)
  (loop for (class label) in '((looping "too long") (flooding "too long") (breaking "debugger") (recursive "EXHAUSTED"))
        for text = (let ((*error-output* (make-broadcast-stream))
                         (sb-ext:*invoke-debugger-hook* 'lisp-workbench/evaluation::debugger-hook))
                     (first (printed (make-instance class) 60)))
        do (is (or (search label text) (eql 0 (search "floodflood" text))) "~A printed ~S" class text)))
