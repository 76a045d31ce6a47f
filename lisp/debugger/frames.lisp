;;;; Frames of a stack that stands still: calls, locals, places in the source.

(in-package #:lisp-workbench/debugger)

(defconstant +most-frames+ 300)

(defstruct frame-record frame name arguments)

(defun collect-frames ()
  "Records of the frames from the signalling down to where the engine called the code, and whether there are more."
  (let ((records '()))
    (let ((more (map-code-frames (lambda (frame name arguments)
                                   (push (make-frame-record :frame frame :name name :arguments arguments) records))
                                 (lambda () (setf records '()))
                                 +most-frames+)))
      (values (coerce (nreverse records) 'simple-vector) more))))

(defun frame-object (record index)
  (let ((name (frame-record-name record)))
    (object "index" index
            "call" (call-text name (frame-record-arguments record) nil)
            "internal" (json-boolean (not (relevant-name-p name)))
            "restartable" (json-boolean (ignore-errors (frame-has-debug-tag-p (frame-record-frame record))))
            "source" (frame-source record))))

;;; Source

(defun frame-source (record)
  "Where the frame's code stands, NIL when SBCL does not know. A form that was evaluated is found by its evaluation; `path` leads
from the top-level form to the subform that is running."
  (ignore-errors
   (let* ((location (frame-code-location (frame-record-frame record)))
          (source (code-location-debug-source location))
          (plist (debug-source-plist source))
          (form (and (core-debug-source-p source) (core-debug-source-form source)))
          (path (and form (form-path form location))))
     (object "file" (or (getf plist :file) (debug-source-file source))
             "offset" (getf plist :offset)
             "line" (getf plist :line)
             "evaluation" (getf plist :evaluation)
             "form" (and form (print-short (form-at form path) 1000))
             "path" (array-of path)
             "toplevelForm" (and (not form) (ignore-errors (code-location-toplevel-form-offset location)))
             "running" (running-object record)))))

(defun running-object (record)
  "The running form within the text of its top-level form."
  (multiple-value-bind (text offset start end line) (ignore-errors (running-place record))
    (and text (object "text" text "offset" offset "start" start "end" end "line" line))))

(defun debug-source-file (source)
  (let ((name (debug-source-namestring source)))
    (and name (ignore-errors (sb-ext:native-namestring (translate-logical-pathname name))))))

(defun form-path (form location)
  "Indexes of the lists from FORM, which was compiled, down to the subform at LOCATION."
  (ignore-errors
   (let ((translations (form-number-translations form 0))
         (number (code-location-form-number location)))
     ;; An entry is the form's number, then the way up to the top-level form's.
     (and (< number (length translations))
          (rest (reverse (rest (aref translations number))))))))

(defun form-at (form path)
  (let ((at form))
    (dolist (index path at)
      (setf at (form-part at index)))))

;;; Locals

(defconstant +most-locals+ 200)

(defun frame-locals (record holder)
  "The variables of a frame as the wire has them, each value with a handle."
  (let* ((frame (frame-record-frame record))
         (location (frame-code-location frame)))
    (loop for variable in (variables-of (frame-debug-fun frame))
          for index from 0 below +most-locals+
          for valid = (eq :valid (ignore-errors (debug-var-validity variable location)))
          collect (object "index" index
                          "name" (print-short (debug-var-symbol variable) 200)
                          "id" (debug-var-id variable)
                          "value" (and valid (local-value variable frame holder))))))

(defun variables-of (debug-fun)
  (handler-case
      (let ((variables '()))
        (do-debug-fun-vars (variable debug-fun)
          (when (named-p (debug-var-symbol variable)) (push variable variables)))
        (nreverse variables))
    (debug-condition () '())))

(defun named-p (symbol)
  "Whether somebody wrote the name; the compiler's own are uninterned."
  (and symbol (symbol-package symbol)))

(defun local-value (variable frame holder)
  (let ((value (debug-var-value variable frame)))
    (value-object value 2000 (hold value holder))))

;;; Acting on a frame

(defun evaluate-in-frame (record text)
  "The values of the form in TEXT with the frame's variables around it."
  (eval-in-frame (frame-record-frame record) (read-here text)))

(defun return-from-frame (record text)
  "Let the frame return the values of the form in TEXT. Signals an error when the code was compiled without the possibility."
  (let ((frame (frame-record-frame record)))
    (check-restartable frame)
    (let ((values (multiple-value-list (evaluate-in-frame record text))))
      (unwind-to-frame-and-call frame (lambda () (values-list values))))))

(defun restart-frame (record)
  "Call the frame's function again with the same arguments."
  (let ((frame (frame-record-frame record))
        (name (frame-record-name record))
        (arguments (frame-record-arguments record)))
    (check-restartable frame)
    (let ((function (frame-function frame name)))
      (unwind-to-frame-and-call frame (lambda () (apply function arguments))))))

(defun check-restartable (frame)
  (unless (frame-has-debug-tag-p frame)
    (error "The code of this frame was compiled with too little debugging information to return from it or to restart it.")))

(defun frame-function (frame name)
  (cond ((and (or (symbolp name) (and (consp name) (eq (first name) 'setf))) (fboundp name)) (fdefinition name))
        ((debug-fun-fun (frame-debug-fun frame)))
        (t (error "The function of this frame cannot be called again."))))

(defun disassemble-frame (record)
  "Machine code of the frame's function, bounded."
  (let ((function (or (debug-fun-fun (frame-debug-fun (frame-record-frame record)))
                      (error "This frame has no function that could be shown."))))
    (multiple-value-bind (text cut) (print-guarded 100000 (lambda (stream) (disassemble function :stream stream)))
      (object "text" text "cut" cut))))
