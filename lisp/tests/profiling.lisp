(cl:in-package #:lisp-workbench/tests)

(defun run-tool (operation &rest fields)
  "Return the result of OPERATION; if it has no result, return its condition."
  (let ((reply (apply #'ask operation "evaluation" (format nil "t~D" *next-id*) "context" "tools" "actor" "person"
                      "outputLimit" 1000 "package" nil fields)))
    (or (field reply "result") (field reply "condition"))))

(defun traced-lines (code)
  "Return a list for each traced call that CODE makes: the function, the kind, and the texts of the values."
  (evaluate code :context "tools")
  (loop for event in (reverse *events*)
        when (equal "trace" (field event "event"))
          append (map 'list (lambda (call)
                              (list (field call "function") (field call "kind")
                                    (map 'list (lambda (value) (field value "text")) (field call "values"))))
                      (field event "calls"))))

(deftest "Calls of traced functions are told, also when they are redefined, and no longer when untraced [D11]"
  (setf lisp-workbench/evaluation:*before-reply* '(lisp-workbench/profiling:finish-trace))
  (evaluate "(defun told-one (x) (1+ x))" :context "tools")
  (is (equalp #("TOLD-ONE") (field (ask "trace" "context" "tools" "package" nil "functions" #("told-one") "methods" :false)
                                   "traced")))
  (is (equal '(("TOLD-ONE" "enter" ("1")) ("TOLD-ONE" "exit" ("2"))) (traced-lines "(told-one 1)")))
  (is (equal '(("TOLD-ONE" "enter" ("1")) ("TOLD-ONE" "exit" ("(1)")))
             (traced-lines "(defun told-one (x) (list x)) (told-one 1)")))
  (is (equalp #() (field (ask "untrace" "context" "tools" "package" nil "functions" nil) "traced")))
  (is (equal '() (traced-lines "(told-one 1)")))
  (is (equal "NIL" (value "(sb-int:encapsulated-p 'told-one 'trace)" :context "tools"))))

(deftest "An error in a profiled or timed form is the condition of the reply, without frames of ours [D11]"
  (loop for (operation . fields) in '(("profile" "mode" "cpu" "intervalMs" nil "limit" 5) ("time-form" "runs" 2))
        for condition = (apply #'run-tool operation "code" "(defun profiled-failure (x) (list (car x))) (list (profiled-failure 1))"
                               fields)
        do (is (equal "TYPE-ERROR" (field condition "type")) "~A: ~S" operation condition)
           (is (equalp '("(PROFILED-FAILURE 1)") (map 'list (lambda (frame) (field frame "call")) (field condition "frames")))
               "~A: ~S" operation (field condition "frames"))))

(deftest "A profile names functions and not the engine [D11]"
  (let ((result (run-tool "profile" "mode" "alloc" "intervalMs" nil "limit" 20
                                    "code" "(defun allocate-much () (let (kept) (dotimes (i 2000 kept) (setf kept (make-array 1000))))) (allocate-much)")))
    (is (equal "ALLOCATE-MUCH" (field (aref (field result "functions") 0) "name")) "~S" result)
    (is (not (search "LISP-WORKBENCH" (prin1-to-string result))))))
