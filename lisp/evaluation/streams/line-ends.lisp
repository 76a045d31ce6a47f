;;;; Strings in code from texts whose lines end in CR LF. The reader would keep the CR in strings, but FORMAT does not treat CR as white
;;;; space before a line end. Editors send only LF. The texts themselves are not changed, so positions in them remain correct.

(in-package #:lisp-workbench/evaluation)

(defun crlf-text-p (text)
  "Return true if TEXT has line ends, and all of them are CR LF."
  (declare (string text))
  (and (find #\Return text)
       (loop for end = (position #\Newline text) then (position #\Newline text :start (1+ end))
             while end
             do (unless (and (plusp end) (char= (char text (1- end)) #\Return)) (return nil))
             finally (return t))))

(defun plain-line-ends (object)
  "Replace each CR LF in the strings of OBJECT, which was just read from a text with CR LF, by LF. Return OBJECT. Its lists and vectors are
modified, not copied."
  (let ((seen (make-hash-table :test #'eq)))
    (labels ((walk (object)
               (typecase object
                 (string (if (search '(#\Return #\Newline) object) (without-returns object) object))
                 (cons (walk-list object) object)
                 (simple-vector
                  (unless (gethash object seen)
                    (setf (gethash object seen) t)
                    (dotimes (index (length object))
                      (setf (svref object index) (walk (svref object index)))))
                  object)
                 (t object)))
             (walk-list (list)
               (loop for rest = list then (cdr rest)
                     while (and (consp rest) (not (gethash rest seen)))
                     do (setf (gethash rest seen) t)
                        (let ((item (car rest)))
                          (unless (or (symbolp item) (numberp item)) (setf (car rest) (walk item))))
                        (when (stringp (cdr rest)) (setf (cdr rest) (walk (cdr rest)))))))
      (walk object))))

(defun without-returns (string)
  "Return STRING with each CR LF replaced by LF."
  (coerce (loop for index from 0 below (length string)
                for char = (char string index)
                unless (and (char= char #\Return) (< (1+ index) (length string)) (char= (char string (1+ index)) #\Newline))
                  collect char)
          '(simple-array character (*))))
