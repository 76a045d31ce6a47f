;;;; The operation `complete`: what could stand where something was begun to be typed. Names are collected in one pass with
;;;; a quick test; what is told about them is worked out for the few that are sent.

(in-package #:lisp-workbench/introspection)

(defstruct candidate
  text                                  ; to insert, before its case is that of what was typed
  score indexes
  symbol                                ; or NIL
  local                                 ; or NIL
  package)                              ; one whose name this completes, or NIL

;; What can be written at a place: names of the surrounding form's locals, symbols that the package sees, external ones of
;; other packages with their prefix, packages.
(define-operation "complete" (:looking-up request)
  (with-request-package (package request)
    (let* ((typed (field request "prefix"))
           (candidates (sort (remove-doubles (append (keyword-parameter-candidates request)
                                                     (candidates typed package (locals-of-request request))))
                             #'candidate-before-p))
           (limit (field request "limit"))
           (down (down-case-p typed)))
      (object "completions" (array-of (loop for candidate in candidates
                                            repeat limit
                                            collect (completion-object candidate down)))
              "total" (length candidates)))))

(defun locals-of-request (request)
  (let ((text (field request "text")) (offset (field request "offset")))
    (when (and text offset)
      (locals-at (read-nodes text) (character-offset text offset)))))

(defun down-case-p (typed)
  "Whether what is inserted is in lower case: unless upper case was typed."
  (or (some #'lower-case-p typed) (notany #'upper-case-p typed)))

(defun candidate-before-p (one other)
  (let ((score (candidate-score one)) (other-score (candidate-score other)))
    (cond ((/= score other-score) (> score other-score))
          (t (string< (candidate-text one) (candidate-text other))))))

(defun remove-doubles (candidates)
  "CANDIDATES with each text once, the best one."
  (let ((best (make-hash-table :test #'equal)))
    (dolist (candidate candidates)
      (let ((known (gethash (candidate-text candidate) best)))
        (when (or (null known) (> (candidate-score candidate) (candidate-score known)))
          (setf (gethash (candidate-text candidate) best) candidate))))
    (loop for candidate being the hash-values of best collect candidate)))

;;; Collecting

(defun candidates (typed package locals)
  (let* ((colon (position #\: typed))
         (name (coerce (string-upcase (if colon (string-left-trim ":" (subseq typed colon)) typed)) 'simple-string))
         (prefix (and colon (subseq typed 0 colon))))
    (cond ((null colon)
           (append (local-candidates name locals)
                   (accessible-candidates name package)
                   (and (> (length name) 1) (elsewhere-candidates name package))
                   (and (plusp (length name)) (package-candidates name package))))
          ((string= prefix "") (keyword-candidates name))
          (t (let ((home (designated-package prefix)))
               (and home
                    (not (engine-package-p home))
                    (prefixed-candidates name prefix home
                                         (and (< (1+ colon) (length typed))
                                              (char= #\: (char typed (1+ colon)))))))))))

(defun local-candidates (name locals)
  (loop for local in locals
        for candidate = (new-candidate name (local-name local) 300 :local local)
        when candidate collect candidate))

(defun new-candidate (typed name bonus &key (prefix "") symbol local package)
  "A candidate, or NIL when NAME does not answer to TYPED."
  (multiple-value-bind (score indexes) (match-name typed name)
    (when score
      (let ((length (length prefix)))
        (make-candidate :text (concatenate 'string prefix (quoted-name name))
                        :score (+ score bonus)
                        :indexes (mapcar (lambda (index) (+ index length)) indexes)
                        :symbol symbol :local local :package package)))))

(defun quoted-name (name)
  "NAME as it must be written to be read: in bars when the reader would change it."
  (if (or (some #'lower-case-p name)
          (find-if (lambda (char) (or (blank-p char) (find char "()\"';`,|\\:#"))) name))
      (let ((*package* (find-package '#:keyword)) (*print-case* :upcase))
        (let ((text (prin1-to-string (make-symbol name))))
          (if (and (> (length text) 2) (string= "#:" text :end2 2)) (subseq text 2) text)))
      name))

(defmacro do-matching-names ((symbol name typed) iteration &body body)
  "BODY for each SYMBOL of ITERATION whose NAME could answer to TYPED, by its first characters."
  (let ((first (gensym)))
    `(let ((,first (if (plusp (length ,typed)) (char ,typed 0) nil)))
       (declare (ignorable ,first))
       (,@iteration
        (let ((,name (symbol-name ,symbol)))
          (declare (type simple-string ,name))
          (when (or (null ,first) (find ,first ,name))
            ,@body))))))

(defun accessible-candidates (name package)
  (let ((found '()) (own package))
    (do-matching-names (symbol symbol-name name) (do-symbols (symbol package))
      (let ((home (symbol-package symbol)))
        (unless (or (null home) (engine-package-p home))
          (let* ((used (used-name-p symbol))
                 (candidate (and (or used (not (inside-or-standard-p home)))
                                 (new-candidate name symbol-name
                                                (cond ((not used) -150) ((eq home own) 100) (t 50))
                                                :symbol symbol))))
            (when candidate (push candidate found))))))
    found))

(defun inside-or-standard-p (package)
  "Whether a mere name in PACKAGE is of no use to anybody."
  (not (user-package-p package)))

(defun elsewhere-candidates (name package)
  "External symbols of packages that PACKAGE does not use."
  (let ((found '()) (keyword (find-package '#:keyword)))
    (dolist (other (visible-packages) found)
      (unless (or (eq other package) (eq other keyword) (inside-package-p other)
                  (member other (package-use-list package)))
        (let ((prefix (concatenate 'string (shortest-name other package) ":")))
          (do-matching-names (symbol symbol-name name) (do-external-symbols (symbol other))
            (when (and (used-name-p symbol)
                       (not (eq symbol (find-symbol symbol-name package))))
              (let ((candidate (new-candidate name symbol-name -50 :prefix prefix :symbol symbol)))
                (when candidate (push candidate found))))))))))

(defun shortest-name (other package)
  "The local nickname of OTHER in PACKAGE, or its name."
  (or (car (rassoc other (sb-ext:package-local-nicknames package)))
      (package-name other)))

(defun package-candidates (name package)
  (let ((found '()))
    (flet ((try (package-name other bonus)
             (let ((candidate (new-candidate name package-name bonus :package other)))
               (when candidate
                 (setf (candidate-text candidate) (concatenate 'string (candidate-text candidate) ":"))
                 (push candidate found)))))
      (dolist (other (visible-packages))
        (unless (inside-package-p other)
          (try (package-name other) other (if (user-package-p other) 20 -60))
          (dolist (nickname (package-nicknames other)) (try nickname other -70))))
      (loop for (nickname . other) in (sb-ext:package-local-nicknames package)
            unless (engine-package-p other)
              do (try nickname other 60)))
    found))

(defun keyword-parameter-candidates (request)
  "For a keyword: those that the call around takes."
  (let ((typed (field request "prefix")) (text (field request "text")) (offset (field request "offset")))
    (when (and text offset (plusp (length typed)) (char= #\: (char typed 0)))
      (let ((name (coerce (string-upcase (subseq typed 1)) 'simple-string)))
        (loop for parameter in (keywords-of-call text (character-offset text offset))
              for symbol = (find-symbol parameter '#:keyword)
              for candidate = (and symbol (new-candidate name parameter 400 :prefix ":" :symbol symbol))
              when candidate collect candidate)))))

(defun keywords-of-call (text offset)
  "Names of the keyword parameters of the innermost call around OFFSET that takes any."
  (let* ((nodes (read-nodes text)) (locals (locals-at nodes offset)))
    (loop for call in (calls-at nodes offset)
          for description = (described-call call text locals)
          for keywords = (and description (keyword-section (proper-part (description-lambda-list description))))
          when keywords return (mapcar #'string-of-keyword keywords))))

(defun keyword-candidates (name)
  (let ((found '()))
    (do-matching-names (symbol symbol-name name) (do-symbols (symbol '#:keyword))
      (unless (search "LISP-WORKBENCH" symbol-name)
        (let ((candidate (new-candidate name symbol-name 0 :prefix ":" :symbol symbol)))
          (when candidate (push candidate found)))))
    found))

(defun prefixed-candidates (name prefix home internal)
  "Symbols of HOME after PREFIX and one colon, or two for INTERNAL ones too."
  (let ((found '()) (written (concatenate 'string (string-upcase prefix) (if internal "::" ":"))))
    (flet ((try (symbol symbol-name)
             (let* ((used (used-name-p symbol))
                    (candidate (and (or used (user-package-p home))
                                    (new-candidate name symbol-name (if used 0 -150) :prefix written :symbol symbol))))
               (when candidate (push candidate found)))))
      (if internal
          (do-matching-names (symbol symbol-name name) (do-symbols (symbol home))
            (when (eq (symbol-package symbol) home) (try symbol symbol-name)))
          (do-matching-names (symbol symbol-name name) (do-external-symbols (symbol home))
            (try symbol symbol-name))))
    found))

;;; What is told

(defun completion-object (candidate down)
  (let* ((symbol (candidate-symbol candidate))
         (local (candidate-local candidate))
         (text (candidate-text candidate))
         (home (or (candidate-package candidate) (and symbol (symbol-package symbol)))))
    (object "text" (if (and down (not (find #\| text))) (string-downcase text) text)
            "kinds" (array-of (cond (local (list (if (eq (local-kind local) :variable) "local-variable" "local-function")))
                                    (symbol (ignore-errors (symbol-kinds symbol)))
                                    (t '("package"))))
            "lambdaList" (and symbol (not (keywordp symbol)) (ignore-errors (call-lambda-list-text symbol)))
            "package" (and home (package-name home))
            "documentation" (first-line (cond (symbol (symbol-documentation symbol))
                                              (home (ignore-errors (documentation home t)))))
            "score" (candidate-score candidate)
            "matches" (array-of (loop for (start . end) in (index-ranges (candidate-indexes candidate))
                                      collect (vector (utf-16-offset text start) (utf-16-offset text end)))))))
