;;;; Evaluations of Emacs: each request that runs the person's code is one of its own, told when it begins and when it ends,
;;;; and its definitions are that evaluation's. Requests by which SLIME only looks (completions, lambda lists) are not told.

(in-package #:lisp-workbench/swank)

(defconstant +longest-code+ 100000 "The most characters of a text that are told.")

(defparameter *telling*
  '(("LISTENER-EVAL" . text-of-first) ("INTERACTIVE-EVAL" . text-of-first) ("EVAL-AND-GRAB-OUTPUT" . text-of-first)
    ("INTERACTIVE-EVAL-REGION" . text-of-first) ("PPRINT-EVAL" . text-of-first) ("RE-EVALUATE-DEFVAR" . text-of-first)
    ("EVAL-STRING-IN-FRAME" . text-of-first) ("PPRINT-EVAL-STRING-IN-FRAME" . text-of-first)
    ("INSPECTOR-EVAL" . text-of-first) ("INIT-INSPECTOR" . text-of-first) ("COMPILE-STRING-FOR-EMACS" . text-of-first)
    ("COMPILE-MULTIPLE-STRINGS-FOR-EMACS" . text-of-call) ("COMMIT-EDITED-VALUE" . text-of-call)
    ("COMPILE-FILE-FOR-EMACS" . text-of-call) ("COMPILE-FILE-IF-NEEDED" . text-of-call) ("LOAD-FILE" . text-of-call)
    ("OPERATE-ON-SYSTEM-FOR-EMACS" . text-of-call) ("RELOAD-SYSTEM" . text-of-call)
    ("UNDEFINE-FUNCTION" . text-of-call) ("UNINTERN-SYMBOL" . text-of-call) ("SWANK-DELETE-PACKAGE" . text-of-call))
  "Names of requests that run code or change the image, each with the function that gives the text to be told.")

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

(defvar *folder* nil "The folder in which SWANK compiles a text now; NIL when it compiles none.")

(defun compile-in-own-folder (original &rest arguments)
  "Have SWANK compile a text by a file in a folder of the engine's, where nobody is asked before that file is written."
  (let ((folder (make-temporary-directory)))
    (unwind-protect (let ((*folder* folder)) (apply original arguments))
      (delete-directory-quietly folder))))

(defun name-in-own-folder (original)
  (if *folder*
      (sb-ext:native-namestring (merge-pathnames "text" *folder*))
      (funcall original)))

(defun text-of (form)
  "Return the text that the request FORM of Emacs runs; NIL where it runs none."
  (let ((teller (and (consp form) (symbolp (first form)) (cdr (assoc (symbol-name (first form)) *telling* :test #'string=)))))
    (and teller (ignore-errors (funcall teller form)))))

(defun text-of-first (form)
  (let ((text (argument (second form))))
    (and (stringp text) text)))

(defun text-of-call (form)
  "Return the request itself, for one that names what to do: (LOAD-FILE \"/tmp/a.lisp\")."
  (let ((*package* (find-package "SWANK")) (*print-case* :downcase))
    (format nil "(~{~A~^ ~})" (mapcar (lambda (each) (print-short (argument each) 300)) form))))

(defun argument (form)
  "Return what FORM, an argument in a request, means: SLIME sends constants, some of them quoted."
  (if (typep form '(cons (eql quote) (cons t null))) (second form) form))

(defvar *finish* nil "Function of one argument that tells the end of what this thread evaluates for Emacs, true when it ended well; NIL otherwise.")

(defun call-telling (original form package id)
  "Call ORIGINAL, which evaluates the request FORM for Emacs, as an evaluation of its own where it runs code."
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
  "Tell the end of what this thread evaluates for Emacs. Called by SWANK before it answers: then what was defined is known here before
anybody can go on."
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
  "Return an evaluation of its own within the connection SERVED, whose id begins with the connection's."
  (let* ((whole (served-evaluation served))
         (id (format nil "~A/~D" (evaluation-id whole)
                     (sb-thread:with-mutex (*served-lock*) (incf (served-count served))))))
    (make-evaluation :id id :actor (evaluation-actor whole) :context (evaluation-context whole)
                     :request (evaluation-request whole) :sink (evaluation-sink whole) :state :running)))

(defun cut (text)
  (if (> (length text) +longest-code+) (subseq text 0 +longest-code+) text))

;;; Forms and their places

(defun defining-forms-of (text package)
  "Return the forms of TEXT that define something, as an evaluation tells its forms. Nothing is read by the Lisp reader."
  (loop for node in (read-nodes text)
        for operator = (operator-name node)
        for name = (second (node-children node))
        when (and operator name (eql 0 (search "DEF" operator)))
          collect (object "start" (utf-16-offset text (node-start node)) "end" (utf-16-offset text (node-end node))
                          "defines" operator "name" (or (node-name name) (subseq text (node-start name) (node-end name))) "package" package)))

(defun source-of (form)
  "Return file and first position, in characters from 0, of the text that the request FORM compiles; NIL where it is of no file."
  (when (string= "COMPILE-STRING-FOR-EMACS" (symbol-name (first form)))
    (destructuring-bind (text buffer position file &rest more) (mapcar #'argument (rest form))
      (declare (ignore text buffer more))
      (let ((at (if (consp position) (second (assoc :position position)) position)))
        (and (stringp file) (integerp at) (list file (max 0 (1- at))))))))

(defun source-record (file position)
  (multiple-value-bind (offset line) (place-in-file file position)
    (object "file" file "offset" offset "line" line)))

(defun place-in-file (file position)
  "Return offset, as the wire counts, and line of the character at POSITION in FILE as it is on the disk."
  (let ((text (file-text file)))
    (if (and text (<= position (length text)))
        (values (utf-16-offset text position) (line-and-column text position))
        (values position 1))))

(defun finder (text package source)
  "Return a function that finds the form of TEXT that defines a key; SOURCE is the place of TEXT in a file, or NIL. What a file that TEXT has
loaded defines is that file's."
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
  "Send a message to a thread of SWANK, unless guarded code speaks as if it were Emacs, whose evaluations are not guarded."
  (when (and *guard* (consp message) (keywordp (first message)) (eql 0 (search "EMACS-" (symbol-name (first message)))))
    (error 'effect-denied :operator "SWANK/BACKEND:SEND" :target "as if it came from Emacs"
                          :reason "Only the person's Emacs speaks to the image through SWANK"))
  (funcall original thread message))

;;; Threads

(defparameter *thread-prefix* "Emacs: " "The names of SWANK's threads begin with it.")

(defun spawn-for-connection (original function &rest keys &key name &allow-other-keys)
  "Make a thread of SWANK whose name says whom it serves, for the list of threads: Emacs: repl-thread. It ends with the connection for which
it is made, be it still waiting for what it is to evaluate."
  (let ((served (serving *evaluation*)))
    (apply original
           (if served (lambda () (call-in-thread-of served function)) function)
           :name (format nil "~A~A" *thread-prefix* name) keys)))

(defun swank-threads ()
  "Return the threads that SWANK has made and that have not ended."
  (remove-if-not (lambda (thread) (eql 0 (search *thread-prefix* (or (sb-thread:thread-name thread) ""))))
                 (sb-thread:list-all-threads)))

;;; M-. in Emacs, on what the workbench's editor and clients evaluated

(defun locate-for-emacs (original source type name)
  "Return the location of a definition for Emacs; of one that was evaluated from a text the place that the workbench knows."
  (if (getf (ignore-errors (definition-source-plist source)) :evaluation)
      (location-for-emacs source (if (symbolp name) name nil))
      (funcall original source type name)))
