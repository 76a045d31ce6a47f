;;;; Small trials of author tracking. In each, an agent compiles code; the trial calls that code the way the person would, and checks
;;;; whether the guard was on. A trial returns NIL, or a description of the behaviour that this SBCL lacks.

(in-package #:lisp-workbench/authorship)

(defmacro as-agent (&body body)
  `(let ((*guard* t) (*lends* nil) (*form-authors* '())) ,@body))

(defmacro as-person (&body body)
  `(let ((*guard* nil) (*lends* t)) ,@body))

(defun compiled (text)
  "Return the function of the lambda expression TEXT."
  (let ((*error-output* (make-broadcast-stream))) (compile nil text)))

(defun guarded-for-person-p (function &rest arguments)
  "Return true if FUNCTION, which returns the value of *GUARD*, runs with the guard on when the person calls it, and with the guard off once
its author is trusted."
  (let ((author (first (function-authors function))))
    (and author
         (eq t (as-person (apply function arguments)))
         (progn (trust author t)
                (prog1 (null (as-person (apply function arguments)))
                  (trust author nil))))))

(defun entries-fault ()
  (let* ((function (as-agent (compiled '(lambda () *guard*))))
         (author (first (function-authors function))))
    (cond ((function-authors (as-person (compiled '(lambda () *guard*)))) "function entries without a caller test in the person's code")
          ((not (guarded-for-person-p function)) "function entries that test the caller")
          ((not (as-agent (funcall function))) "function entries that leave guarded code unchanged")
          ((not (equal '(1 nil (2) t)
                       (as-person (funcall (as-agent (compiled '(lambda (a &optional b &rest c &key d) (declare (ignore c)) (list a b (list d) *guard*))))
                                           1 nil :d 2))))
           "function entries that pass on all arguments")
          ((not (as-person (funcall (funcall (compiled `(lambda () (as-defined-by ,author (lambda () *guard*))))))))
           "function entries of closures inside a macro expansion")
          ((as-person (funcall (funcall (compiled '(lambda () (lambda () *guard*))))))
           "function entries of closures outside a macro expansion"))))

(defun digests-fault ()
  (flet ((digest (text) (code-digest (function-authors (as-agent (compiled text))))))
    (let ((digest (digest '(lambda (x) (list x "one" *guard*)))))
      (cond ((null digest) "a digest of compiled code")
            ((not (equal digest (digest '(lambda (x) (list x "one" *guard*))))) "equal digests of equal code")
            ((equal digest (digest '(lambda (x) (list x "two" *guard*)))) "different digests of different code")))))

(defun interpreted-fault ()
  (let ((sb-ext:*evaluator-mode* :interpret))
    (unless (guarded-for-person-p (as-agent (eval '(lambda () *guard*))))
      "interpreted functions that test the caller")))

(defun files-fault ()
  (let ((fasl nil) (*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream)))
    (uiop:with-temporary-file (:stream stream :pathname source :type "lisp" :keep nil)
      (format stream "(setf (get '~S '~S) (lambda () ~S))" 'files-fault 'files-fault '*guard*)
      :close-stream
      (unwind-protect
           (as-agent
             (setf fasl (compile-file source))
             (load fasl)
             (unless (guarded-for-person-p (get 'files-fault 'files-fault)) "function entries in compiled files that test the caller"))
        (when (and fasl (probe-file fasl)) (delete-file fasl))
        (remprop 'files-fault 'files-fault)))))

(defun copied-forms-fault ()
  ;; The accessor has the same name as the slot, so that no symbol is interned.
  (let ((included (make-symbol "INCLUDED")) (including (make-symbol "INCLUDING")) (make (make-symbol "MAKE")) (slot (make-symbol "SLOT")))
    (flet ((define (name &rest options)
             (funcall (compiled `(lambda ()
                                   (defstruct (,name (:copier nil) (:predicate nil) (:conc-name nil) ,@options)
                                     ,@(and (eq name included) `((,slot (list *guard*))))))))))
      (as-agent (define included '(:constructor nil)))
      (unwind-protect
           (as-person
             (define including `(:include ,included) `(:constructor ,make))
             (unless (equal '(t) (funcall slot (funcall make))) "guarded slot defaults of an included structure"))
        (setf (find-class including) nil (find-class included) nil)))))
