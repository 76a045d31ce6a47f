;;;; The source of a definition: the text of the running form, and its place in a file.

(in-package #:lisp-workbench/definitions)

(defvar *form-text* nil "(text . package name) of the form that this thread evaluates, if the evaluation does not know it.")

(sb-ext:defglobal *source-names* '(nil)) ; (truename of a fasl . its source file), determined from a function that was loaded from the fasl
(sb-ext:defglobal *latest-text* (list nil nil nil nil)) ; (evaluation position text package) of the latest form, for counting the form's
                                                        ; length only once

(defvar *form-finder* nil
  "A function that finds the form that defines a key in the compiled text being loaded, or NIL. The function returns five values: the form's
text, the package in which it was read, the file, the offset and the line. If no form of the text defines the key, the function returns no
values.")

(defun current-form-text (evaluation)
  "Return three values: the text of the running form, the package in which it was read, and how many of its characters have not been counted
yet. While a file is loaded, return NIL, NIL and 0."
  (cond (*load-truename* (values nil nil 0))
        (*form-text* (values (car *form-text*) (cdr *form-text*) 0))
        ((null evaluation) (values nil nil 0))
        (t (multiple-value-bind (position get-text) (evaluation-form-text evaluation)
             (if position
                 (text-at evaluation position get-text)
                 (values nil nil 0))))))

(defun text-at (evaluation position get-text)
  (destructuring-bind (known-evaluation known-position text package) *latest-text*
    (if (and (eq known-evaluation evaluation) (eql known-position position))
        (values text package 0)
        (let ((text (funcall get-text)) (package (package-name (live-package *package*))))
          (when (> (length text) +longest-text+) (setf text nil))
          (setf *latest-text* (list evaluation position text package))
          (values text package (length text))))))

(defun current-place (plist text key after)
  "Return three values: file, offset and line of the running form. While a file is loaded, return the file's name, NIL and NIL."
  (cond (*load-truename* (values (file-of key after) nil nil))
        ((and text (getf plist :file)) (values (getf plist :file) (getf plist :offset) (getf plist :line)))
        (t (values nil nil nil))))

(defun file-of (key state)
  "Return the native name of the source file that is being loaded. The loaded file itself may be a fasl."
  (let ((function (and (eq (car key) :function) (state-fact state :function))))
    (or (and (compiled-function-p function) (not (typep function 'generic-function)) (source-name function))
        (loaded-source-name)
        (sb-ext:native-namestring *load-truename*))))

(defun source-name (function)
  (let ((name (ignore-errors
               (debug-source-namestring
                (debug-info-source (%code-debug-info (fun-code-header (%fun-fun (real-function function)))))))))
    (cond ((null name) nil)
          (t (setf *source-names* (cons *load-truename* name))
             name))))

(defun loaded-source-name ()
  (let ((known *source-names*))
    (and (eq (car known) *load-truename*) (cdr known))))
