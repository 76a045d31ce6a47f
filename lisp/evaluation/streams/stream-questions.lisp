;;;; Streams of SBCL's own kind: their slots, and the codes of the operations that are seldom called.

(in-package #:lisp-workbench/evaluation)

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun stream-slot (&rest names)
    "The slot of SBCL's streams that has one of NAMES: newer versions call some of them otherwise."
    (let ((slots (mapcar #'dsd-name (dd-slots (find-defstruct-description 'ansi-stream)))))
      (or (some (lambda (name) (find name slots :test #'string=)) names)
          (error "SBCL ~A has no stream slot of the names ~{~A~^, ~}." (lisp-implementation-version) names)))))

(defmacro define-port (name (&rest functions) documentation &body slots)
  "Define the structure NAME of SBCL's stream kind. FUNCTIONS are lists of a function and the names of the slot that it fills."
  `(defstruct (,name (:include ansi-stream
                               ,@(loop for (function . names) in functions
                                       collect `(,(apply #'stream-slot names) #',function)))
                     (:copier nil))
     ,documentation
     ,@slots))

;;; SBCL asks a stream for what is seldom asked by a code for each question. Which code means what is found by asking a stream
;;; that writes it down: versions differ, and have no names for it.

(define-port asked-port ((note-question "MISC") (always-a "IN") (write-nothing "OUT" "COUT"))
  "A stream that notes the codes of the operations called on it, latest first."
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
    "The code by which SBCL asks QUESTION."
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
  "Like CASE on the CODE of a question, NIL for all others. Each clause has a question or a list of them."
  `(case ,code
     ,@(loop for (questions . body) in clauses
             collect `(,(mapcar #'question-code (if (listp questions) questions (list questions))) ,@body))))
