;;;; Evaluations of Emacs. Each request that runs the person's code is a separate evaluation: its start and end are reported, and its
;;;; definitions belong to it. Requests that only look up information, such as completions and lambda lists, are not reported.

(in-package #:lisp-workbench/swank)

(defconstant +longest-code+ 100000 "The maximum number of characters of code that are reported.")

(defparameter *telling*
  '(("LISTENER-EVAL" . text-of-first) ("INTERACTIVE-EVAL" . text-of-first) ("EVAL-AND-GRAB-OUTPUT" . text-of-first)
    ("INTERACTIVE-EVAL-REGION" . text-of-first) ("PPRINT-EVAL" . text-of-first) ("RE-EVALUATE-DEFVAR" . text-of-first)
    ("EVAL-STRING-IN-FRAME" . text-of-first) ("PPRINT-EVAL-STRING-IN-FRAME" . text-of-first)
    ("INSPECTOR-EVAL" . text-of-first) ("INIT-INSPECTOR" . text-of-first) ("COMPILE-STRING-FOR-EMACS" . text-of-first)
    ("COMPILE-MULTIPLE-STRINGS-FOR-EMACS" . text-of-call) ("COMMIT-EDITED-VALUE" . text-of-call)
    ("COMPILE-FILE-FOR-EMACS" . text-of-call) ("COMPILE-FILE-IF-NEEDED" . text-of-call) ("LOAD-FILE" . text-of-call)
    ("OPERATE-ON-SYSTEM-FOR-EMACS" . text-of-call) ("RELOAD-SYSTEM" . text-of-call)
    ("UNDEFINE-FUNCTION" . text-of-call) ("UNINTERN-SYMBOL" . text-of-call) ("SWANK-DELETE-PACKAGE" . text-of-call))
  "Requests that run code or change the image, as (name . function). The function returns the text to report.")

(defun install-telling ()
  (dolist (around '(("EVAL-FOR-EMACS" "SWANK" call-telling)
                    ("SEND" "SWANK/BACKEND" send-unless-guarded)
                    ("SPAWN" "SWANK/BACKEND" spawn-for-connection)
                    ("SWANK-COMPILE-STRING" "SWANK/BACKEND" compile-in-own-folder)
                    ("TEMP-FILE-NAME" "SWANK/SBCL" name-in-own-folder)
                    ("DEFINITION-SOURCE-FOR-EMACS" "SWANK/SBCL" locate-for-emacs)))
    (destructuring-bind (name package function) around
      (let ((symbol (find-symbol name package)))
        (when (and symbol (fboundp symbol) (not (encapsulated-p symbol 'lisp-workbench)))
          (install-advice symbol 'lisp-workbench (fdefinition function)))))))

(defvar *folder* nil "The folder in which SWANK compiles a text in this thread, or NIL.")

(defun compile-in-own-folder (original &rest arguments)
  "Make SWANK compile a text through a file in the engine's own folder, because writing a file there needs no approval."
  (let ((folder (make-temporary-directory)))
    (unwind-protect (let ((*folder* folder)) (apply original arguments))
      (delete-directory-quietly folder))))

(defun name-in-own-folder (original)
  (if *folder*
      (sb-ext:native-namestring (merge-pathnames "text" *folder*))
      (funcall original)))

(defun text-of (form)
  "Return the text that Emacs's request FORM runs, or NIL if it runs none."
  (let ((teller (and (consp form) (symbolp (first form)) (cdr (assoc (symbol-name (first form)) *telling* :test #'string=)))))
    (and teller (ignore-errors (funcall teller form)))))

(defun text-of-first (form)
  (let ((text (argument (second form))))
    (and (stringp text) text)))

(defun text-of-call (form)
  "Return the request FORM as text. Used for a request whose name already describes the action, such as (LOAD-FILE \"/tmp/a.lisp\")."
  (let ((*package* (find-package "SWANK")) (*print-case* :downcase))
    (format nil "(~{~A~^ ~})" (mapcar (lambda (each) (print-short (argument each) 300)) form))))

(defun argument (form)
  "Return the value of FORM, an argument of a request. SLIME sends only constants, some of them quoted."
  (if (typep form '(cons (eql quote) (cons t null))) (second form) form))

(defvar *finish* nil "A function that reports the end of the evaluation that this thread runs for Emacs. Its argument is true if the
evaluation succeeded. NIL if there is no such evaluation.")

(defun call-telling (original form package id)
  "Call ORIGINAL, which evaluates Emacs's request FORM. If FORM runs code, call ORIGINAL in a separate evaluation."
  (let* ((connection (ignore-errors (swank-value "*EMACS-CONNECTION*")))
         (served (and connection (not *guard*) (served-by connection)))
         (text (and served (text-of form)))
         (*finish* nil))
    (if text
        (call-as-evaluation served form (coerce text '(simple-array character (*)))
                            (package-name (or (ignore-errors (call-swank "GUESS-BUFFER-PACKAGE" package)) *package*))
                            (lambda () (funcall original form package id)))
        (funcall original form package id))))

(defun finish-telling ()
  "Report the end of the evaluation that this thread runs for Emacs. SWANK calls this before it replies, so that the workbench knows the new
definitions before Emacs continues."
  (when *finish* (funcall *finish* t)))

(defun call-as-evaluation (served form text package function)
  (let* ((evaluation (sub-evaluation served)) (began (microseconds)) (told nil) (source (source-of form)))
    (flet ((finish (well)
             (unless (shiftf told t)
               (tell-defined evaluation)
               (send-event "swank-evaluation-finished"
                           "evaluation" (evaluation-id evaluation) "ok" (json-boolean well)
                           "realMs" (/ (max 0 (- (microseconds) began)) 1000)
                           "forms" (array-of (if (and well (<= (length text) +longest-code+)) (defining-forms-of text package) '()))
                           "source" (and source (apply #'source-record source))))))
      (call-in-thread-of
       served
       (lambda ()
         (send-event "swank-evaluation-started" "evaluation" (evaluation-id evaluation) "actor" (evaluation-actor evaluation)
                                                "code" (cut text) "package" package)
         (unwind-protect
              (let ((*evaluation* evaluation)
                    (*finish* #'finish)
                    (*form-finder* (finder text package source)))
                (funcall function))
           (finish nil)))))))

(defun sub-evaluation (served)
  "Return a new evaluation within the connection SERVED. Its id starts with the connection's id."
  (let* ((whole (served-evaluation served))
         (id (format nil "~A/~D" (evaluation-id whole)
                     (sb-thread:with-mutex (*served-lock*) (incf (served-count served))))))
    (make-evaluation :id id :actor (evaluation-actor whole) :context (evaluation-context whole)
                     :request (evaluation-request whole) :sink (evaluation-sink whole) :state :running)))

(defun cut (text)
  (if (> (length text) +longest-code+) (subseq text 0 +longest-code+) text))

;;; Forms and their positions

(defun defining-forms-of (text package)
  "Return the forms in TEXT that define something, in the format that evaluations use. Do not use the Lisp reader."
  (loop for node in (read-nodes text)
        for operator = (operator-name node)
        for name = (second (node-children node))
        when (and operator name (eql 0 (search "DEF" operator)))
          collect (object "start" (utf-16-offset text (node-start node)) "end" (utf-16-offset text (node-end node))
                          "defines" operator "name" (or (node-name name) (subseq text (node-start name) (node-end name))) "package" package)))

(defun source-of (form)
  "Return two values: the file that contains the text that the request FORM compiles, and the position at which the text starts, in
characters from 0. Return NIL if the text does not come from a file."
  (when (string= "COMPILE-STRING-FOR-EMACS" (symbol-name (first form)))
    (destructuring-bind (text buffer position file &rest more) (mapcar #'argument (rest form))
      (declare (ignore text buffer more))
      (let ((at (if (consp position) (second (assoc :position position)) position)))
        (and (stringp file) (integerp at) (list file (max 0 (1- at))))))))

(defun source-record (file position)
  (multiple-value-bind (offset line) (place-in-file file position)
    (object "file" file "offset" offset "line" line)))

(defun place-in-file (file position)
  "Return the wire offset and the line of the character at POSITION in FILE. The text is read from disk."
  (let ((text (file-text file)))
    (if (and text (<= position (length text)))
        (values (utf-16-offset text position) (line-and-column text position))
        (values position 1))))

(defun finder (text package source)
  "Return a function that takes a key and finds the form in TEXT that defines it. SOURCE is the place of TEXT in a file, or NIL. Definitions
in a file that TEXT has loaded belong to that file."
  (destructuring-bind (&optional file position) source
    (lambda (key)
      (let* ((symbol (key-symbol key))
             (nodes (and (or source (null *load-truename*)) (read-nodes text)))
             (node (or (and symbol (find-if (lambda (node) (and (operator-name node) (node-defines-p node symbol))) nodes))
                       (and (null (rest nodes)) (first nodes)))))
        (when node
          (let ((form (subseq text (node-start node) (node-end node))))
            (if source
                (multiple-value-bind (offset line) (place-in-file file (+ position (node-start node)))
                  (values form package file offset line))
                (values form package))))))))

;;; The guard

(defun send-unless-guarded (original thread message)
  "Send MESSAGE to a thread of SWANK. Signal EFFECT-DENIED if guarded code sends a message that Emacs would send, because Emacs's
evaluations are not guarded."
  (when (and *guard* (consp message) (keywordp (first message)) (eql 0 (search "EMACS-" (symbol-name (first message)))))
    (error 'effect-denied :operator "SWANK/BACKEND:SEND" :target "as if it came from Emacs"
                          :reason "Only the person's Emacs may send messages to the image through SWANK"))
  (funcall original thread message))

;;; Threads

(defparameter *thread-prefix* "Emacs: " "The prefix of the names of SWANK's threads.")

(defun spawn-for-connection (original function &rest keys &key name &allow-other-keys)
  "Create a thread of SWANK. Its name in the list of threads, such as \"Emacs: repl-thread\", shows that it belongs to Emacs. It ends with
its connection, even if it is still waiting for a request."
  (let ((served (serving *evaluation*)))
    (apply original
           (if served (lambda () (call-in-thread-of served function)) function)
           :name (format nil "~A~A" *thread-prefix* name) keys)))

(defun swank-threads ()
  "Return the live threads that SWANK has created."
  (remove-if-not (lambda (thread) (eql 0 (search *thread-prefix* (or (sb-thread:thread-name thread) ""))))
                 (sb-thread:list-all-threads)))

;;; M-. in Emacs for definitions that were evaluated by the workbench's editor or clients

(defun locate-for-emacs (original source type name)
  "Return the location of a definition in the form that Emacs expects. For a definition that was evaluated from a text, return the place
that the workbench has recorded."
  (if (getf (ignore-errors (definition-source-plist source)) :evaluation)
      (location-for-emacs source (if (symbolp name) name nil))
      (funcall original source type name)))
