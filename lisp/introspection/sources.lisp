;;;; Finds where SBCL says that things are defined, and reads the texts of files.

(in-package #:lisp-workbench/introspection)

(sb-ext:defglobal *originals* (make-weak-map)) ; a function that was recompiled, for example for debugging → the original function

(defun stand-for (function original)
  "Record that FUNCTION was compiled again from the source of ORIGINAL. Afterwards, FUNCTION has the same place as ORIGINAL."
  (setf (associated function *originals*) (original-of original)))

(defun original-of (object)
  "Return the original of OBJECT, a function, class or method. If OBJECT was not recompiled, return OBJECT itself."
  (or (associated object *originals*) object))

(defun sources-of (kind name object)
  "Return SB-INTROSPECT's definition sources. OBJECT is the function, class or method; variables and types are looked up by NAME."
  (ignore-errors
   (ecase kind
     ((:function :generic-function :macro :class :structure :condition :method)
      (list (find-definition-source (original-of object))))
     ((:variable :constant :type)
      (find-definition-sources-by-name name kind)))))

(defun known-source (kind name object)
  "Return the first source that contains information. An accessor's own source contains none, so use the source of its first method instead."
  (or (find-if #'tells-something-p (sources-of kind name object))
      (and (typep object 'generic-function)
           (let ((method (first (sb-mop:generic-function-methods object))))
             (and method (find-if #'tells-something-p (sources-of :method nil method)))))))

(defun tells-something-p (source)
  (and source
       (not (lacking "finding definitions"))
       (or (definition-source-plist source)
           (definition-source-pathname source))))

(defun existing-file (pathname)
  "Return PATHNAME as a native absolute name if the file exists. Translate logical pathnames (SYS:)."
  (ignore-errors
   (let ((physical (translate-logical-pathname pathname)))
     (and (probe-file physical)
          (sb-ext:native-namestring (merge-pathnames physical))))))

;;; Positions in files

(defconstant +largest-file+ (* 4 1024 1024) "The maximum size, in octets, of a file that is searched.")

(defconstant +most-characters+ (* 4 1024 1024) "The maximum total number of characters of the cached texts.")

(defvar *texts* '() "Recently read files, as (name write-date . text).")

(defun file-text (file &key fresh)
  "Return the text of FILE, or NIL if it cannot be read or is too large. With FRESH, read the file again even if its write date is the same,
because write dates may count only whole seconds."
  (ignore-errors
   (let ((date (write-stamp file))
         (known (find file *texts* :key #'first :test #'string=)))
     (if (and known (not fresh) (eql date (second known)))
         (cddr known)
         (with-regular-file (stream file :external-format '(:utf-8 :replacement #\ufffd))
           (when (<= (file-length stream) +largest-file+)
             (let* ((buffer (make-string (file-length stream)))
                    (text (subseq buffer 0 (read-sequence buffer stream))))
               (setf *texts* (cons (list* file date text) (texts-within (remove known *texts*) +most-characters+)))
               text)))))))

(defun texts-within (texts most)
  "Return the first elements of TEXTS, entries of *TEXTS*, that together have at most MOST characters."
  (loop for entry in texts
        sum (length (cddr entry)) into characters
        while (<= characters most) collect entry))

(defun place-in-text (text name &optional offset)
  "Return the offset and the line of the definition of NAME: the form at OFFSET if it is a definition, otherwise the first line that starts
with (DEF… NAME, otherwise the first mention of NAME, which may be an accessor option."
  (let* ((start (and offset (<= offset (length text)) (position-if-not #'blank-p text :start offset)))
         (found (cond ((and start (definition-at-p text start)) start)
                      ((search-definition text name))
                      ((search-mention text name))
                      (t start))))
    (if found
        (values (utf-16-offset text found) (1+ (count #\Newline text :end found)))
        (values nil nil))))

(defun definition-at-p (text start)
  "Return true if the text at START is (DEF…; a package prefix may come before DEF."
  (let* ((end (position-if #'blank-or-parenthesis-p text :start (min (length text) (1+ start))))
         (colon (and end (position #\: text :start start :end end :from-end t)))
         (name (if colon (1+ colon) (1+ start))))
    (and end
         (char= #\( (char text start))
         (<= (+ name 3) end)
         (string-equal "def" (subseq text name (+ name 3))))))

(defun search-mention (text name)
  (loop for start = (search name text :test #'char-equal)
          then (search name text :test #'char-equal :start2 (1+ start))
        while start
        when (and (delimited-p text (1- start)) (delimited-p text (+ start (length name))))
          return start))

(defun delimited-p (text at)
  (or (not (< -1 at (length text)))
      (blank-or-parenthesis-p (char text at))))

(defun search-definition (text name)
  (loop for start = (position #\( text) then (position #\( text :start (1+ start))
        while start
        when (and (at-line-start-p text start) (definition-at-p text start) (defines-p text start name))
          return start))

(defun at-line-start-p (text start)
  (loop for at downfrom (1- start) to 0
        do (case (char text at)
             (#\Newline (return t))
             ((#\Space #\Tab))
             (t (return nil)))
        finally (return t)))

(defun defines-p (text start name)
  "Return true if NAME follows the operator at START. NAME may be in parentheses, follow (SETF, or have a package prefix or #:."
  (let* ((operator-end (position-if #'blank-or-parenthesis-p text :start (1+ start)))
         (at (and operator-end (position-if-not #'skippable-p text :start operator-end))))
    (when at
      (let ((end (or (position-if #'blank-or-parenthesis-p text :start at) (length text))))
        (if (string-equal "setf" (subseq text at end))
            (let ((next (position-if-not #'skippable-p text :start end)))
              (and next (name-at-p text next name)))
            (name-at-p text at name))))))

(defun name-at-p (text at name)
  (let* ((end (or (position-if #'blank-or-parenthesis-p text :start at) (length text)))
         (colon (position #\: text :start at :end end :from-end t)))
    (string-equal name (string-trim "|" (subseq text (if colon (1+ colon) at) end)))))

(defun blank-or-parenthesis-p (char)
  (member char '(#\Space #\Tab #\Newline #\Return #\Page #\( #\))))

(defun skippable-p (char)
  (member char '(#\Space #\Tab #\Newline #\Return #\Page #\( #\' #\#)))
