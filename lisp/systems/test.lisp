;;;; Finds the systems that define how they are tested, and the files that may contain their tests.

(in-package #:lisp-workbench/systems)

(defun tested-systems ()
  "Return the names of the project's systems that define how they are tested. Include only systems whose definitions have been read."
  (sort (loop for name in (asdf:registered-systems)
              for file = (ignore-errors (asdf:system-source-file (asdf:registered-system name)))
              when (and file (file-of-project-p (file-name file)) (ignore-errors (tests-defined-p name)))
                collect name)
        #'string<))

(defun read-project-systems ()
  "Read the definitions of the project's systems. An error in a definition is signalled."
  (loop for name being the hash-keys of (known-systems) using (hash-value entry)
        for (origin nil problem) = entry
        when (and (string= origin "project") (null problem)) do (asdf:find-system name nil)))

(defun files-of-loaded-systems (most &optional like)
  "Return the native names of at most MOST Lisp files of the project's loaded systems. With LIKE, a name, return instead the files of
systems whose names start with LIKE, such as shop, shop/tests and shop-test, in any folder."
  (let ((files '()) (count 0) (primary (and like (asdf:primary-system-name like))))
    (labels ((walk (component)
               (cond ((typep component 'asdf:parent-component) (mapc #'walk (asdf:component-children component)))
                     ((and (typep component 'asdf:cl-source-file) (< count most))
                      (let ((file (file-name (asdf:component-pathname component))))
                        (when (and file (or like (file-of-project-p file)))
                          (incf count)
                          (push file files)))))))
      (dolist (name (asdf:already-loaded-systems))
        (when (or (null primary) (eql 0 (search primary name)))
          (ignore-errors (walk (asdf:registered-system name))))))
    (nreverse files)))

(defun told-in-lines (reason)
  "Return REASON without the blank lines that FiveAM puts around its own text. Leave the printed values in it unchanged."
  (with-output-to-string (out)
    (loop with own = t
          for first = t then nil
          for paragraph in (paragraphs reason)
          for words = (string-trim " " paragraph)
          do (let ((next (member words '("evaluated to" "which is" "which is not" "to" "which satisfies" "which does not satisfy"
                                         "(it should not be)" "(it should not)" "was NIL.")
                                 :test #'string=)))
               (write-string (cond (first "") ((or own next) " ") (t (format nil "~2%"))) out)
               (write-string (if next words paragraph) out)
               (setf own (and next t))))))

(defun paragraphs (text)
  "Return the non-empty parts of TEXT between blank lines."
  (loop with end = (length text) and start = 0
        for break = (search (format nil "~2%") text :start2 start)
        for piece = (string-trim '(#\Newline) (subseq text start (or break end)))
        unless (string= "" (string-trim " " piece)) collect piece
        while break do (setf start (+ break 2))))

(defun tests-defined-p (name)
  "Return true if the system NAME defines how it is tested, by any method."
  (let ((system (asdf:registered-system name)))
    (or (find 'asdf:test-op (component-in-order-to system) :key #'first)
        (some (lambda (method)
                (destructuring-bind (operation component &rest rest) (sb-mop:method-specializers method)
                  (declare (ignore rest))
                  (and (eq operation (find-class 'asdf:test-op))
                       (or (and (typep component 'sb-mop:eql-specializer)
                                (eq system (sb-mop:eql-specializer-object component)))
                           (and (typep component 'class)
                                (not (member (class-name component) '(asdf:component asdf:system)))
                                (typep system component))))))
              (sb-mop:generic-function-methods #'asdf:perform)))))
