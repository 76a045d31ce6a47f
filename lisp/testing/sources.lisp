;;;; Finds the source locations of tests. Most frameworks do not record them, so this code searches the files of the project's loaded
;;;; systems for forms that define tests. A file is read again only if it has changed since the last search.

(in-package #:lisp-workbench/testing)

(defconstant +most-files+ 1000)

(sb-ext:defglobal *scanned* (make-hash-table :test #'equal :synchronized t)) ; a table that maps native file names to (write stamp . places)

(defstruct place name file offset line (nested nil))

(defun test-places (&optional system)
  "Return a table that maps the upper-case names of tests to the places of forms that may define them. Search the files of the project's
systems; with SYSTEM, only those of systems whose names start with SYSTEM."
  (let ((table (make-hash-table :test #'equal)))
    (dolist (file (files-of-loaded-systems +most-files+ system) table)
      (dolist (place (places-in-file file))
        (push place (gethash (place-name place) table))))))

(defun places-in-file (file)
  (let ((written (ignore-errors (write-stamp file))) (known (gethash file *scanned*)))
    (if (and known (eql written (car known)))
        (cdr known)
        (let* ((text (file-text file)) (places (and text (places-in-text file text))))
          (setf (gethash file *scanned*) (cons written places))
          places))))

(defun places-in-text (file text)
  "Return the places of forms in the first column of TEXT whose operator has TEST in its name: (TEST NAME …), (DEF-TEST NAME …), (DEFTEST
(NAME …) …). Include an indented form only if its operator defines tests, because other indented forms may be arbitrary code."
  (loop with places = '() and line = 1 and seen = 0
        for start = (line-opening text 0) then (line-opening text (1+ start))
        while start
        do (multiple-value-bind (operator end) (word-in text (1+ start))
             (when (if (indented-p text start)
                       (member (bare-name operator) '("TEST" "DEFTEST" "DEF-TEST" "DEFINE-TEST") :test #'string=)
                       (and (search "test" operator :test #'char-equal) (not (search "in-" operator))))
               (let ((name (word-in text (or (position-if-not #'blank-or-paren-p text :start end) (length text)))))
                 (unless (string= "" name)
                   (incf line (count #\Newline text :start seen :end start))
                   (setf seen start)
                   (push (make-place :name (bare-name name) 
                                     :file file :line line :offset (utf-16-offset text start)
                                     :nested (indented-p text start))
                         places)))))
        finally (return places)))

(defun line-opening (text start)
  "Return the position of the next opening parenthesis in TEXT that is the first character of its line, apart from blanks."
  (loop for at = (position #\( text :start (min start (length text))) then (position #\( text :start (1+ at))
        while at
        when (let ((before (position #\Space text :end at :from-end t :test-not #'char=)))
               (or (null before) (char= #\Newline (char text before))))
          return at))

(defun indented-p (text at)
  (and (plusp at) (char= #\Space (char text (1- at)))))

(defun blank-or-paren-p (char)
  (find char '(#\Space #\Newline #\Tab #\Return #\()))

(defun word-in (text start)
  "Return two values: the token that starts at START in TEXT, and the position of its end."
  (let ((end (or (position-if (lambda (char) (or (blank-or-paren-p char) (char= char #\)))) text :start (min start (length text)))
                 (length text))))
    (values (subseq text (min start end) end) end)))

(defun bare-name (token)
  "Return the name in TOKEN, in upper case and without a package prefix."
  (let ((text (string-left-trim "#:'\"" (subseq token (1+ (or (position #\: token :from-end t) -1))))))
    (string-upcase (string-right-trim "\"" text))))

(defun place-object (name places)
  "Return the place of the test NAME in its wire form. Return NIL unless exactly one place was found."
  (let* ((all (gethash (string-upcase name) places))
         (found (or (remove-if #'place-nested all) all)))
    (and found (null (rest found))
         (object "file" (place-file (first found)) "offset" (place-offset (first found)) "line" (place-line (first found))))))
