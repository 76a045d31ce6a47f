;;;; Streams of SBCL's own kind: their slots, and the codes of their rare operations.

(in-package #:lisp-workbench/evaluation)

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun stream-slot (&rest names)
    "Return the slot of SBCL's streams that has one of NAMES. The names of some slots differ between versions of SBCL."
    (let ((slots (mapcar #'dsd-name (dd-slots (find-defstruct-description 'ansi-stream)))))
      (or (some (lambda (name) (find name slots :test #'string=)) names)
          (error "SBCL ~A has no stream slot of the names ~{~A~^, ~}." (lisp-implementation-version) names)))))

(defmacro define-port (name (&rest functions) documentation &body slots)
  "Define the structure NAME as a stream of SBCL's own kind. Each element of FUNCTIONS is a list of a function and the names of the slots
that contain it."
  `(defstruct (,name (:include ansi-stream
                               ,@(loop for (function . names) in functions
                                       collect `(,(apply #'stream-slot names) #',function)))
                     (:copier nil))
     ,documentation
     ,@slots))

;;; SBCL uses a number for each rare operation on a stream. The numbers have no names and differ between versions, so they are found by
;;; performing the operations on a stream that records the numbers.

(define-port asked-port ((note-question "MISC") (always-a "IN") (write-nothing "OUT" "COUT"))
  "A stream that records the codes of the operations performed on it, latest first."
  (codes '()))

(defun note-question (port code &rest more)
  (declare (ignore more))
  (push code (asked-port-codes port))
  nil)

(defun always-a (port &rest more)
  (declare (ignore port more))
  #\a)

(defun write-nothing (port character)
  (declare (ignore port character))
  nil)

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun question-code (question)
    "Return SBCL's code for the operation QUESTION."
    (let ((port (make-asked-port)))
      (flet ((ask (function &rest arguments)
               (ignore-errors (apply function arguments))))
        (ecase question
          (:column (ask #'charpos port))
          (:finish-output (ask #'finish-output port))
          (:force-output (ask #'force-output port))
          (:element-type (ask #'stream-element-type port))
          (:element-mode (ask #'stream-element-mode port))
          (:external-format (ask #'stream-external-format port))
          (:close (ask #'close port))
          (:listen (ask #'listen port))
          (:unread (ask #'unread-char (ask #'read-char port) port))
          (:clear-input (ask #'clear-input port))))
      (or (first (last (asked-port-codes port)))
          (and (eq question :element-mode) :never-asked)
          (error "SBCL ~A asks no stream for ~A." (lisp-implementation-version) question)))))

(defmacro answer-question (code &body clauses)
  "Select a clause by CODE, as CASE does; return NIL for other codes. Each clause begins with an operation or a list of them."
  `(case ,code
     ,@(loop for (questions . body) in clauses
             collect `(,(mapcar #'question-code (if (listp questions) questions (list questions))) ,@body))))
