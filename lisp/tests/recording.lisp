(cl:in-package #:lisp-workbench/tests)

(defvar *mark-count* 0)

(defun marks-in (text &rest pieces)
  "Return marks for PIECES in TEXT. A piece is the text of a form, to mark its first occurrence, or (text . number), to mark a later
occurrence."
  (map 'vector (lambda (piece)
                 (destructuring-bind (words . number) (if (consp piece) piece (cons piece 0))
                   (let ((start (loop for from = 0 then (1+ at)
                                      for at = (search words text :start2 from)
                                      repeat number
                                      finally (return at))))
                     (object "form" (format nil "m~D" (incf *mark-count*)) "start" (units text start) "end" (units text (+ start (length words)))))))
       pieces))

(defun units (text position)
  (lisp-workbench/evaluation:utf-16-offset (coerce text 'simple-string) position))

(defun compile-marked (text &rest pieces)
  "Compile and load TEXT with marks for PIECES. Return the ids of the forms, or the reasons why marks were refused."
  (let* ((marks (apply #'marks-in text pieces))
         (result (field (ask "compile-text" "evaluation" (format nil "r~D" *next-id*) "context" "recording" "actor" "person"
                                            "outputLimit" 100000 "text" text "package" nil "source" nil "load" t "policy" nil
                                            "marks" marks)
                        "result"))
         (refused (map 'list (lambda (each) (field each "reason")) (field result "refused"))))
    (or refused (map 'list (lambda (mark) (field mark "form")) marks))))

(defun recorded (id &optional (limit 20))
  "Return the kind of each evaluation of the form ID and the texts of its values, oldest first."
  (nreverse
   (loop for each across (field (ask "recorded-evaluations" "before" nil "limit" limit "package" nil) "evaluations")
         when (string= id (field each "form"))
           collect (cons (field each "kind") (coerce (field each "values") 'list)))))

(defun recorded-count (id)
  (field (find id (field (ask "recordings" "package" nil) "forms") :key (lambda (each) (field each "form")) :test #'string=) "count"))

(defun recording (text piece code)
  "Return the recorded evaluations of the form PIECE in TEXT after evaluating CODE."
  (let ((id (first (compile-marked text piece))))
    (evaluate code :context "recording")
    (recorded id)))

(deftest "Values of a marked form are recorded, wherever it is evaluated"
  (setf lisp-workbench/evaluation:*before-reply* '(lisp-workbench/recording:finish-recorded))
  (loop for (text piece code . values) in
        '(("(defun r1 (x) (list (* x x) 1))" "(* x x)" "(r1 3) (r1 4)" ("9") ("16"))
          ("(defmethod r2 ((x integer)) (+ 1 (* x x)))" "(* x x)" "(r2 3)" ("9"))
          ("(defun r3 (x) (when (plusp x) (unless (zerop x) (1+ x))))" "(1+ x)" "(r3 3)" ("4"))
          ("(defun r4 (l) (loop for x in (reverse l) for y = (* 2 x) when (oddp x) collect (+ x y)))" "(* 2 x)" "(r4 '(1 2))" ("4") ("2"))
          ("(defun r5 (l) (loop for x in (reverse l) collect x))" "(reverse l)" "(r5 '(1 2))" ("(2 1)"))
          ("(defun r6 (x) (let* ((a (1+ x)) (b (* a 2))) (list a b)))" "(* a 2)" "(r6 1)" ("4"))
          ("(defun r7 (x) (case x ((1 2) (list :low)) (t (list :high))))" "(list :high)" "(r7 1) (r7 5)" ("(:HIGH)"))
          ("(defun r8 (x) (floor x 2))" "(floor x 2)" "(r8 5)" ("2" "1"))
          ("(defun r9 () (values))" "(values)" "(r9)" ())
          ("(defun r10 (n) (if (zerop n) 0 (1+ (r10 (1- n)))))" "(r10 (1- n))" "(r10 2)" ("0") ("1"))
          ("(defun r11 (n) (lambda (x) (+ n x)))" "(+ n x)" "(funcall (r11 1) 2) (funcall (r11 10) 2)" ("3") ("12"))
          ("(defun r13 (x) (setf (car x) (+ 1 2)) x)" "(+ 1 2)" "(r13 (list 0))" ("3"))
          ("(defun r14 (x i) (incf (aref x (1+ i))) x)" "(1+ i)" "(r14 (vector 1 2) 0)" ("1"))
          ("(defun r15 (x) (declare (type fixnum x)) #-sbcl (* x x) #+sbcl (* x 2))" "(* x 2)" "(r15 3)" ("6"))
          ("(defun r16 (x) \"ä😀\" (cons x '(1 2)))" "(cons x '(1 2))" "(r16 3)" ("(3 1 2)"))
          ("(defmacro r17 (x) (list 'quote (list x x)))" "(list x x)" "(r17 a)" ("(A A)"))
          ("(defmacro r18 (x) `(list ,(symbol-name x)))" "(symbol-name x)" "(r18 a)" ("\"A\"")))
        do (is (equal (mapcar (lambda (each) (cons "values" each)) values) (recording text piece code)) "~A" text)))

(deftest "The text of a definition with marks gives the same values, multiple values and all"
  (compile-marked "(defun r20 (x) (floor x 2))" "(floor x 2)")
  (is (equal "(2 1)" (value "(multiple-value-list (r20 5))" :context "recording")))
  (compile-marked "(defun r21 (x) (declare (ignorable x)) (values))" "(values)")
  (is (equal "NIL" (value "(multiple-value-list (r21 5))" :context "recording")))
  (compile-marked "(defun r22 (x &aux (y 1)) (incf y (* 2 x)) (setq x (+ y y)) (list x y))" "(+ y y)")
  (is (equal "(14 7)" (value "(r22 3)" :context "recording"))))

(deftest "A variable can be marked at each of its places"
  (let ((text "(defun r30 (x) (setq x (+ x 1)) (list x 'x x))"))
    (is (equal '(("values" "4")) (recording text '("x" . 5) "(r30 3)")))
    (is (equal '(("values" "3")) (recording text '("x" . 2) "(r30 3)")))
    (is (search "is quoted" (first (compile-marked text '("x" . 4)))))
    (is (search "part of the syntax" (first (compile-marked text '("x" . 1)))))))

(deftest "A form that is left otherwise than by its values tells how"
  (is (equal '(("condition" "SIMPLE-ERROR: no 3"))
             (recording "(defun r40 (x) (list (error \"no ~A\" x)))" "(error \"no ~A\" x)" "(ignore-errors (r40 3))")))
  (is (equal '(("exit"))
             (recording "(defun r41 (x) (block nil (list (return x))))" "(return x)" "(r41 3)")))
  (is (equal '(("exit")) (recording "(defun r42 (x) (list (throw 'out x)))" "(throw 'out x)" "(catch 'out (r42 3))")))
  (is (equal '(("values" "NIL"))
             (recording "(defun r43 () (list (handler-case (error \"within\") (error () nil))))" "(handler-case (error \"within\") (error () nil))" "(r43)"))))

(deftest "What is never evaluated by itself is refused with a sentence, and nothing is loaded"
  (evaluate "(defun r50 (x) (list :before x))" :context "recording")
  (flet ((refusal (words text piece)
           (let ((answer (compile-marked text piece)))
             (is (search words (first answer)) "~A at ~A: ~A" text piece answer))))
    (refusal "place that is set" "(defun r50 (x) (setf (car x) 1))" "(car x)")
    (refusal "place that is set" "(defun r50 (x) (incf (car x)))" "(car x)")
    (refusal "place that is set" "(defun r50 (x) (push 1 (cdr x)))" "(cdr x)")
    (refusal "place that is set" "(defun r50 (x) (setf x 1))" '("x" . 1))
    (refusal "is quoted" "(defun r50 (x) (list x '(1 (2))))" "(2)")
    (refusal "part of a backquote template" "(defun r50 (x) `(1 (2 ,x)))" "(2 ,x)")
    (refusal "part of the syntax" "(defun r50 (x) (let ((y x)) y))" "((y x))")
    (refusal "part of the syntax" "(defun r50 (x) (let ((y x)) y))" "(y x)")
    (refusal "part of the syntax" "(defun r50 (x) (cond ((plusp x) 1)))" "((plusp x) 1)")
    (refusal "part of the syntax" "(defun r50 (x) (flet ((f (y) y)) (f x)))" "(f (y) y)")
    (refusal "part of the syntax" "(defun r50 (x) x)" "(x)")
    (refusal "A declaration" "(defun r50 (x) (declare (type list x)) x)" "(declare (type list x))")
    (refusal "A declaration" "(defun r50 (x) (declare (type list x)) x)" "(type list x)")
    (refusal "is not a variable" "(defun r50 (x) (loop for y in x collect y))" "for")
    (refusal "whole top-level form" "(defun r50 (x) x)" "(defun r50 (x) x)")
    (refusal "never changes" "(defun r50 (x) (list x 12))" "12")
    (refusal "could not be read" "(defun r50 (x) (list x 12)" "(list x 12)"))
  (is (equal "(:BEFORE 1)" (value "(r50 1)" :context "recording")))
  (evaluate "(defmacro r51 (x) (let ((y x)) `(list ,y)))" :context "recording")
  (compile-marked "(defmacro r51 (x) (let ((y x)) `(list ,y)))" "(y x)")
  (is (equal "(1)" (value "(r51 1)" :context "recording"))))

(deftest "A million evaluations are counted, the latest thousand kept, and none costs more than its values"
  (let ((id (first (compile-marked "(defun r61 (n) (let ((sum 0)) (dotimes (i n sum) (setf sum (logxor sum i)))))" "(logxor sum i)"))))
    (let ((timing (field (evaluate "(r61 1000000)" :context "recording") "timing")))
      (is (= 1000000 (recorded-count id)))
      (is (< (field timing "bytesConsed") 200000000)))
    (is (= 1000 (length (recorded id 2000))))))

(deftest "Evaluations of all forms stand in one order, with their thread and actor"
  (let ((ids (compile-marked "(defun r70 (x) (list (1+ x) (1- x)))" "(1+ x)" "(1- x)")))
    (evaluate "(r70 5) (sb-thread:join-thread (sb-thread:make-thread #'r70 :arguments '(7) :name \"the other\"))" :context "recording")
    (let ((all (field (ask "recorded-evaluations" "before" nil "limit" 4 "package" nil) "evaluations")))
      (is (equal (list (list (second ids) "the other" "6") (list (first ids) "the other" "8"))
                 (map 'list (lambda (each) (list (field each "form") (field each "thread") (aref (field each "values") 0)))
                      (subseq all 0 2))))
      (is (apply #'> (map 'list (lambda (each) (field each "order")) all)))
      (let ((before (ask "recorded-evaluations" "before" (field (aref all 1) "order") "limit" 1 "package" nil)))
        (is (equal (field (aref all 2) "order") (field (aref (field before "evaluations") 0) "order")))))))

(deftest "Several threads record at once, and none is lost"
  (let ((id (first (compile-marked "(defun r80 (n) (dotimes (i n) (list i)))" "(list i)"))))
    (evaluate "(mapc #'sb-thread:join-thread (loop repeat 4 collect (sb-thread:make-thread #'r80 :arguments '(10000))))" :context "recording")
    (is (= 40000 (recorded-count id)))))

(deftest "A recorded value is the object itself, as long as it is kept"
  (let ((id (first (compile-marked "(defun r90 () (list (list 1)))" "(list 1)"))))
    (evaluate "(setf (car (first (r90))) 2)" :context "recording")
    (is (equal '(("values" "(2)")) (recorded id)))
    (let ((order (field (aref (field (ask "recorded-evaluations" "before" nil "limit" 1 "package" nil) "evaluations") 0) "order")))
      (flet ((handle (index) (field (ask "hold-recorded" "form" id "order" order "index" index "holder" "h") "handle")))
        (is (equal '(2) (lisp-workbench/evaluation:held-object (handle 0))))
        (is (null (handle 1)))))))

(deftest "What the tracker does not know loses its marks when its form is compiled anew"
  (evaluate "(defmacro r110-entry (name &body body) `(setf (get ',name :body) (lambda () ,@body)))" :context "recording")
  (let* ((text "(r110-entry r110-first (list 1))")
         (other (first (compile-marked "(r110-entry r110-second (list 2))" "(list 2)")))
         (id (first (compile-marked text "(list 1)"))))
    (is (equal '(0 0) (list (recorded-count id) (recorded-count other))))
    (evaluate "(funcall (get 'r110-first :body))" :context "recording")
    (is (equal '(("values" "(1)")) (recorded id)))
    (compile-marked text)
    (is (equal '(nil 0) (list (recorded-count id) (recorded-count other))))))

(deftest "A recorded tail call gives its values, and each of them is recorded"
  (is (equal '(("values" "6") ("values" "6") ("values" "6"))
             (recording "(defun r120 (n product) (if (zerop n) product (r120 (1- n) (* n product))))" "(r120 (1- n) (* n product))" "(r120 3 1)")))
  (is (equal "6" (value "(r120 3 1)" :context "recording"))))

(deftest "A form that a macro of the user's evaluates twice is recorded twice"
  (evaluate "(defmacro r130-twice (form) `(list ,form ,form))" :context "recording")
  (is (equal '(("values" "3") ("values" "3")) (recording "(defun r130 (x) (r130-twice (1+ x)))" "(1+ x)" "(r130 2)"))))

(deftest "Memory that runs short takes the recorded objects, and the counts stay"
  (let ((id (first (compile-marked "(defun r140 () (list (list 1)))" "(list 1)"))))
    (evaluate "(r140)" :context "recording")
    (lisp-workbench/recording:forget-objects)
    (is (equal '() (recorded id)))
    (evaluate "(r140)" :context "recording")
    (is (equal '(("values" "(1)")) (recorded id)))
    (is (= 2 (recorded-count id)))))

(deftest "A definition that is made anew has no marks, and one that is compiled with some keeps what they recorded"
  (let* ((text "(defun r100 (x) (list (1+ x) (1- x)))")
         (marks (marks-in text "(1+ x)" "(1- x)")))
    (flet ((compile-with (marks)
             (ask "compile-text" "evaluation" (format nil "r~D" *next-id*) "context" "recording" "actor" "person"
                                 "outputLimit" 100000 "text" text "package" nil "source" nil "load" t "policy" nil "marks" marks))
           (ended ()
             (loop for event in *events*
                   when (equal "recordings-ended" (field event "event")) append (coerce (field event "forms") 'list)))
           (id (number) (field (aref marks number) "form")))
      (compile-with (subseq marks 0 1))
      (evaluate "(r100 1)" :context "recording")
      (compile-with marks)
      (evaluate "(r100 2)" :context "recording")
      (is (equal '((("values" "2") ("values" "3")) (("values" "1"))) (list (recorded (id 0)) (recorded (id 1)))))
      (compile-with (subseq marks 1))
      (is (equal (list (id 0)) (ended)))
      (is (null (recorded-count (id 0))))
      (evaluate "(defun r100 (x) x)" :context "recording")
      (is (equal (list (id 1)) (ended)))
      (is (null (recorded-count (id 1)))))))
