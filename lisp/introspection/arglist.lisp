;;;; The operation `arglist`: the lambda list of the call around the caret, and the parameter at the caret.

(in-package #:lisp-workbench/introspection)

(define-operation "arglist" (:looking-up request)
  (with-request-package (package request)
    (let* ((text (field request "text"))
           (offset (character-offset text (field request "offset")))
           (nodes (read-nodes text))
           (locals (locals-at nodes offset)))
      (or (loop for call in (calls-at nodes offset)
                for description = (described-call call text locals)
                when description return (arglist-object description call offset))
          (object "found" :false "operator" nil "kind" nil "lambdaList" nil "parameters" #() "current" nil
                  "documentation" nil)))))

(defun arglist-object (description call offset)
  (multiple-value-bind (text places) (laid-out (description-lambda-list description))
    (let ((current (parameter-at (description-lambda-list description) call offset)))
      (object "found" t
              "operator" (description-operator description)
              "kind" (description-kind description)
              "lambdaList" text
              "parameters" (array-of (loop for (parameter start end) in places
                                           collect (object "text" parameter "start" start "end" end)))
              "current" current
              "documentation" (description-documentation description)))))

;;; Text

(defun laid-out (lambda-list)
  "Return two values: the text of LAMBDA-LIST on one line, and the text, start and end of each of its parameters."
  (let ((places '()) (rest (tidy lambda-list)) (first t))
    (values
     (let ((stream (make-string-output-stream)) (length 1))
       (flet ((put (text) (incf length (utf-16-offset (coerce text 'simple-string) (length text)))
                (write-string text stream)))
         (write-char #\( stream)
         (loop until (or (null rest) (> length 4000))
               do (let* ((item (if (consp rest) (first rest) rest))
                         (text (print-code item 200)))
                    (unless first (put " "))
                    (setf first nil)
                    (when (atom rest) (put ". "))
                    (let ((start length))
                      (put text)
                      (unless (and (symbolp item) (member item lambda-list-keywords))
                        (push (list text start length) places)))
                    (setf rest (if (consp rest) (rest rest) nil))))
         (put ")")
         (get-output-stream-string stream)))
     (nreverse places))))

;;; The parameter at the caret

(defun parameter-at (lambda-list call offset)
  "Return the index of the parameter to which the argument at OFFSET in CALL belongs, or NIL."
  (let* ((arguments (rest (node-children call)))
         (operator (first (node-children call)))
         (number (1- (position-in call offset)))
         (parameters (sectioned lambda-list)))
    (if (or (<= offset (node-end operator)) (minusp number))
        nil
        (let ((positional (remove-if-not (lambda (parameter) (member (second parameter) '(:required :optional))) parameters)))
          (if (< number (length positional))
              (third (nth number positional))
              (later-parameter parameters arguments number (length positional)))))))

(defun sectioned (lambda-list)
  "Return (parameter section index) for each parameter. The index counts all parameters."
  (let ((section :required) (index -1) (found '()))
    (loop for rest = lambda-list then (if (consp rest) (rest rest) nil)
          until (null rest)
          do (let ((item (if (consp rest) (first rest) rest)))
               (cond ((atom rest) (push (list item :rest (incf index)) found))
                     ((and (symbolp item) (member item lambda-list-keywords))
                      (setf section (case item
                                      (&optional :optional) ((&rest &body) :rest) (&key :key)
                                      ((&whole &environment) (list section))
                                      (&aux :none)
                                      (t section))))
                     (t (push (list item (if (consp section) :none section) (incf index)) found)
                        (when (consp section) (setf section (first section)))))))
    (nreverse found)))

(defun later-parameter (parameters arguments number positional)
  "Return the index of the parameter for the argument with number NUMBER, which comes after the POSITIONAL parameters. This is the keyword
parameter that the argument belongs to, as its keyword or its value, or otherwise the rest parameter."
  (let* ((keys (remove :key parameters :key #'second :test-not #'eq))
         (rest (third (find :rest parameters :key #'second)))
         (name-at (if (evenp (- number positional)) number (1- number)))
         (argument (and (< name-at (length arguments)) (nth name-at arguments)))
         (keyword (and argument (eq (node-kind argument) :token) (equal "" (node-prefix argument)) (node-name argument)))
         (key (and keyword
                   (find-if (lambda (parameter)
                              (string= keyword (string-of-keyword (first parameter))))
                            keys))))
    (cond (key (third key))
          (t rest))))

(defun string-of-keyword (parameter)
  (let ((keyword (keyword-of-parameter parameter)))
    (typecase keyword
      (symbol (symbol-name keyword))
      (bare-name (bare-name-text keyword))
      (t ""))))
