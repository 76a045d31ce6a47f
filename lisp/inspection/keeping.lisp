;;;; Objects shown in the window that a person uses elsewhere: such an object is also retained for another holder, under a new handle, or
;;;; gets a number by which code can refer to it. Also contains INSPECT and ED, which open the window's inspector and editor if the person
;;;; typed the call.

(in-package #:lisp-workbench/inspection)

(define-operation "keep-handle" (:looking-up request)
  (object "handle" (keep-held (field request "handle") (field request "holder"))))

;;; Values in code

(defconstant +most-copied+ 200 "The maximum number of objects that have a number at the same time. The oldest loses its number first.")

(sb-ext:defglobal *copied-lock* (sb-thread:make-mutex :name "lisp-workbench copied values"))
(sb-ext:defglobal *copied-values* '() "(number . object), latest first.")
(sb-ext:defglobal *copied-count* 0)

(define-operation "copy-value" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (object "code" (and found (format nil "(lisp-workbench:value ~D)" (copied-number object))))))

(defun copied-number (object)
  "Return the number with which LISP-WORKBENCH:VALUE returns OBJECT: its existing number, or a new one."
  (sb-thread:with-mutex (*copied-lock*)
    (let ((known (rassoc object *copied-values* :test #'eq)))
      (cond (known (car known))
            (t (push (cons (incf *copied-count*) object) *copied-values*)
               (when (> (length *copied-values*) +most-copied+)
                 (setf *copied-values* (butlast *copied-values*)))
               *copied-count*)))))

(defun lisp-workbench:value (number)
  "Return the object that was copied from the workbench's window under NUMBER. The image retains the latest two hundred."
  (let ((entry (sb-thread:with-mutex (*copied-lock*) (assoc number *copied-values*))))
    (if entry
        (cdr entry)
        (error "There is no copied value ~S: it was never copied in this image, or has been discarded." number))))

(defun forget-copied-values ()
  "Release the copied values. Called when memory runs short."
  (setf *copied-values* '()))

;;; The whole text of a value

(define-operation "print-handle" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (multiple-value-bind (text cut)
        (if found
            (let ((*package* (page-package request)))
              (print-whole object (field request "limit")))
            (values "" 0))
      (object "expired" (json-boolean (not found)) "text" text "cut" cut))))

;;; INSPECT, typed by the person

(defvar *text-inspector* nil "SBCL's own function behind INSPECT, a loop on the standard streams.")

(defun install-inspecting ()
  "Make INSPECT open the window's inspector if the person has typed the call. Called once, when the core is built."
  (unless (lacking "showing objects passed to INSPECT in the window")
    (setf *text-inspector* *inspect-fun*
          *inspect-fun* #'inspect-in-window)))

(defun inspect-in-window (object &rest streams)
  "If an evaluation of the person makes the call, make the window display OBJECT; otherwise call SBCL's own inspector."
  (if (and *evaluation* (field (evaluation-request *evaluation*) "interactive"))
      (let ((id (evaluation-id *evaluation*)))
        (send-event "inspection-wanted" "evaluation" id "handle" (hold object id))
        (values))
      (apply *text-inspector* object streams)))

;;; ED, typed by the person

(defun install-editing ()
  "Make ED open the window's editor if the person has typed the call. Called once, when the core is built."
  (pushnew 'edit-in-window sb-ext:*ed-functions*))

(defun edit-in-window (designator)
  "In an evaluation of the person, make the window display the file or the definition that DESIGNATOR names, or the editor if DESIGNATOR is
NIL. Return false in other evaluations, and if DESIGNATOR names neither a file nor a definition. ED then tries its next function, and fails
if there is none."
  (when (and *evaluation* (field (evaluation-request *evaluation*) "interactive"))
    (multiple-value-bind (file name)
        (typecase designator
          (null nil)
          ((or string pathname) (values (edited-file designator) nil))
          (t (values nil (or (edited-name designator) (return-from edit-in-window nil)))))
      (send-event "editing-wanted" "evaluation" (evaluation-id *evaluation*) "file" file "name" name)
      t)))

(defun edited-file (designator)
  "Return the full native name of the file that DESIGNATOR names."
  (sb-ext:native-namestring
   (merge-pathnames (translate-logical-pathname (merge-pathnames designator)) (uiop:getcwd))))

(defun edited-name (designator)
  "Return the name of a definition, a symbol or (SETF symbol), as text that can be read in CL-USER. Return NIL if DESIGNATOR is not such a
name."
  (when (or (symbolp designator)
            (and (consp designator) (eq (first designator) 'setf) (consp (rest designator))
                 (symbolp (second designator)) (null (cddr designator))))
    (let ((*package* (find-package '#:common-lisp-user)))
      (print-short designator 300 :lines t))))
