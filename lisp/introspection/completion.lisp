;;;; The operation `complete`: completions of a partly typed name. One pass with a quick test collects the names. Details are computed only
;;;; for the few names that are sent.

(in-package #:lisp-workbench/introspection)

(defstruct candidate
  name prefix                           ; the completed name, and the text before it
  suffix                                ; the text after the completed name
  score
  symbol                                ; the completed symbol, or NIL
  local                                 ; the completed local binding, or NIL
  clause                                ; true if the candidate is a LOOP keyword
  package)                              ; the package whose name is completed, or NIL

(defstruct completion
  text                                  ; the text to insert, before it is converted to the case of the typed text
  candidate)

;; Candidates are all names that can be written at the position: keyword arguments of the call, LOOP keywords, local names of the
;; surrounding form, symbols accessible in the package, external symbols of other packages with their prefix, and packages.
(define-operation "complete" (:looking-up request)
  (with-request-package (package request)
    (let* ((typed (field request "prefix"))
           (completions (best-completions (nconc (keyword-parameter-candidates request)
                                                 (loop-word-candidates request)
                                                 (candidates typed package (locals-of-request request)))
                                          (field request "limit")))
           (name (typed-name typed))
           (down (down-case-p typed)))
      (object "completions" (array-of (loop for completion in completions
                                            collect (completion-object completion name down)))))))

(defun locals-of-request (request)
  (let ((text (field request "text")) (offset (field request "offset")))
    (when (and text offset)
      (locals-at (read-nodes text) (character-offset text offset)))))

(defun typed-name (typed)
  "Return the part of TYPED after the package prefix, in upper case."
  (let ((colon (position #\: typed)))
    (coerce (string-upcase (if colon (string-left-trim ":" (subseq typed colon)) typed)) 'simple-string)))

(defun down-case-p (typed)
  "Return true if the inserted text must be in lower case. This is always the case unless TYPED is in upper case."
  (or (some #'lower-case-p typed) (notany #'upper-case-p typed)))

;;; Choosing

;; After the first key press nearly all names are candidates. Therefore texts are created and compared only for the best candidates.
(defun best-completions (candidates limit)
  "Return the LIMIT best of CANDIDATES as completions, best first and without duplicate texts."
  (loop with all = (length candidates)
        for wanted = limit then (* 2 wanted)
        for chosen = (if (< wanted all) (highest candidates wanted) candidates)
        for completions = (without-doubles chosen)
        when (or (>= (length completions) limit) (>= wanted all))
          return (let ((sorted (sort completions #'completion-before-p)))
                   (subseq sorted 0 (min limit (length sorted))))))

(defun highest (candidates count)
  "Return the COUNT best-scored elements of CANDIDATES, and all other candidates whose score equals the lowest score among these."
  (let ((scores (make-hash-table)))
    (dolist (candidate candidates) (incf (gethash (candidate-score candidate) scores 0)))
    (let ((least (loop for score in (sort (loop for score being the hash-keys of scores collect score) #'>)
                       sum (gethash score scores) into better
                       when (>= better count) return score)))
      (remove least candidates :key #'candidate-score :test #'>))))

(defun without-doubles (candidates)
  "Return the completions of CANDIDATES without duplicate texts. If several candidates have the same text, use the one with the highest
score."
  (let ((best (make-hash-table :test #'equal)))
    (dolist (candidate candidates)
      (let* ((text (candidate-text candidate)) (known (gethash text best)))
        (when (or (null known) (> (candidate-score candidate) (candidate-score known)))
          (setf (gethash text best) candidate))))
    (loop for text being the hash-keys of best using (hash-value candidate)
          collect (make-completion :text text :candidate candidate))))

(defun candidate-text (candidate)
  (concatenate 'string (candidate-prefix candidate) (quoted-name (candidate-name candidate)) (candidate-suffix candidate)))

(defun completion-before-p (one other)
  (let ((score (candidate-score (completion-candidate one))) (other-score (candidate-score (completion-candidate other))))
    (cond ((/= score other-score) (> score other-score))
          (t (string< (completion-text one) (completion-text other))))))

;;; Collecting

(defun candidates (typed package locals)
  (let* ((colon (position #\: typed))
         (name (typed-name typed))
         (prefix (and colon (subseq typed 0 colon))))
    (cond ((null colon)
           (nconc (local-candidates name locals)
                  (accessible-candidates name package)
                  (and (> (length name) 1) (elsewhere-candidates name package))
                  (and (plusp (length name)) (package-candidates name package))))
          ;; After a colon alone, offer only the keywords of the call, because the image has thousands of keywords.
          ((string= prefix "") (and (plusp (length name)) (keyword-candidates name)))
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

(defun new-candidate (typed name bonus &key (prefix "") (suffix "") symbol local clause package)
  "Return a candidate, or NIL if NAME does not match TYPED."
  (let ((score (match-name typed name)))
    (and score
         (make-candidate :name name :prefix prefix :suffix suffix :score (+ score bonus)
                         :symbol symbol :local local :clause clause :package package))))

(defun quoted-name (name)
  "Return NAME in the form that the reader accepts, between bars if necessary."
  (if (or (some #'lower-case-p name)
          (find-if (lambda (char) (or (blank-p char) (find char "()\"';`,|\\:#"))) name))
      (let ((*package* (find-package '#:keyword)) (*print-case* :upcase))
        (let ((text (prin1-to-string (make-symbol name))))
          (if (and (> (length text) 2) (string= "#:" text :end2 2)) (subseq text 2) text)))
      name))

(defmacro do-matching-names ((symbol name typed) iteration &body body)
  "Run BODY for each SYMBOL of ITERATION whose NAME contains the characters of TYPED in this order."
  `(,@iteration
    (let ((,name (symbol-name ,symbol)))
      (declare (type simple-string ,name))
      (when (in-order-p ,typed ,name)
        ,@body))))

(defun accessible-candidates (name package)
  "Return candidates for NAME that can be written without a prefix. Include symbols without definitions that are used in code, such as &KEY,
OTHERWISE, and quoted symbols."
  (let ((found '()) (own package))
    (do-matching-names (symbol symbol-name name) (do-symbols (symbol package))
      (let ((home (symbol-package symbol)))
        (unless (or (null home) (engine-package-p home))
          (let ((candidate (new-candidate name symbol-name
                                          (cond ((not (used-name-p symbol)) -150) ((eq home own) 100) (t 50))
                                          :symbol symbol)))
            (when candidate (push candidate found))))))
    found))

(defun elsewhere-candidates (name package)
  "Return candidates from the external symbols of packages that PACKAGE does not use."
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
  "Return the local nickname of OTHER in PACKAGE, or its name."
  (or (car (rassoc other (sb-ext:package-local-nicknames package)))
      (package-name other)))

(defun package-candidates (name package)
  (let ((found '()))
    (flet ((try (package-name other bonus)
             (let ((candidate (new-candidate name package-name bonus :suffix ":" :package other)))
               (when candidate (push candidate found)))))
      (dolist (other (visible-packages))
        (unless (inside-package-p other)
          (try (package-name other) other (if (user-package-p other) 20 -60))
          (dolist (nickname (package-nicknames other)) (try nickname other -70))))
      (loop for (nickname . other) in (sb-ext:package-local-nicknames package)
            unless (engine-package-p other)
              do (try nickname other 60)))
    found))

(defun keyword-parameter-candidates (request)
  "Return candidates for a keyword argument: the keyword parameters of the call around the position."
  (let ((typed (field request "prefix")) (text (field request "text")) (offset (field request "offset")))
    (when (and text offset (plusp (length typed)) (char= #\: (char typed 0)))
      (let ((name (coerce (string-upcase (subseq typed 1)) 'simple-string)))
        (loop for parameter in (keywords-of-call text (character-offset text offset))
              for symbol = (find-symbol parameter '#:keyword)
              for candidate = (and symbol (new-candidate name parameter 400 :prefix ":" :symbol symbol))
              when candidate collect candidate)))))

(defun keywords-of-call (text offset)
  "Return the names of the keyword parameters of the innermost call around OFFSET that accepts keywords."
  (let* ((nodes (read-nodes text)) (locals (locals-at nodes offset)))
    (loop for call in (calls-at nodes offset)
          for description = (described-call call text locals)
          for keywords = (and description (keyword-section (proper-part (description-lambda-list description))))
          when keywords return (mapcar #'string-of-keyword keywords))))

;; If two LOOP keywords have the same meaning, only the shorter one is offered.
(defparameter *loop-words*
  '("NAMED" "WITH" "FOR" "AND" "IN" "ON" "ACROSS" "FROM" "DOWNFROM" "TO" "DOWNTO" "BELOW" "ABOVE" "BY" "BEING" "THE" "EACH"
    "HASH-KEYS" "HASH-VALUES" "SYMBOLS" "PRESENT-SYMBOLS" "EXTERNAL-SYMBOLS" "OF" "USING" "THEN" "WHILE" "UNTIL" "REPEAT"
    "ALWAYS" "NEVER" "THEREIS" "COLLECT" "APPEND" "NCONC" "SUM" "COUNT" "MAXIMIZE" "MINIMIZE" "INTO" "DO" "INITIALLY"
    "FINALLY" "RETURN" "IF" "WHEN" "UNLESS" "ELSE" "END" "OF-TYPE")
  "The LOOP keywords that are offered.")

(defun loop-word-candidates (request)
  "Return candidates for a LOOP keyword if the innermost list around the position is a LOOP."
  (let ((name (typed-name (field request "prefix"))) (text (field request "text")) (offset (field request "offset")))
    (when (and text offset (plusp (length name)) (not (find #\: (field request "prefix"))))
      (let ((around (find :list (nodes-around (read-nodes text) (character-offset text offset))
                          :key #'node-kind :from-end t)))
        (when (and around (equal "LOOP" (operator-name around)))
          (loop for word in *loop-words*
                for candidate = (new-candidate name word 200 :clause t)
                when candidate collect candidate))))))

(defun keyword-candidates (name)
  (let ((found '()))
    (do-matching-names (symbol symbol-name name) (do-symbols (symbol '#:keyword))
      (unless (search "LISP-WORKBENCH" symbol-name)
        (let ((candidate (new-candidate name symbol-name 0 :prefix ":" :symbol symbol)))
          (when candidate (push candidate found)))))
    found))

(defun prefixed-candidates (name prefix home internal)
  "Return candidates that begin with PREFIX. After one colon, these are the external symbols of HOME; after two colons, all symbols
accessible in HOME. Inherited symbols come last."
  (let ((found '()) (written (concatenate 'string (string-upcase prefix) (if internal "::" ":"))))
    (flet ((try (symbol symbol-name bonus)
             (let ((candidate (new-candidate name symbol-name (+ bonus (if (used-name-p symbol) 0 -150))
                                             :prefix written :symbol symbol)))
               (when candidate (push candidate found)))))
      (if internal
          (do-matching-names (symbol symbol-name name) (do-symbols (symbol home))
            (unless (engine-symbol-p symbol)
              (try symbol symbol-name (if (eq (symbol-package symbol) home) 0 -400))))
          (do-matching-names (symbol symbol-name name) (do-external-symbols (symbol home))
            (unless (engine-symbol-p symbol)
              (try symbol symbol-name 0)))))
    found))

;;; The reply

(defun completion-object (completion typed down)
  (let* ((candidate (completion-candidate completion))
         (text (completion-text completion))
         (symbol (candidate-symbol candidate))
         (local (candidate-local candidate))
         (home (or (candidate-package candidate) (and symbol (symbol-package symbol)))))
    (object "text" (if (and down (not (find #\| text))) (string-downcase text) text)
            "kinds" (array-of (cond (local (list (if (eq (local-kind local) :variable) "local-variable" "local-function")))
                                    ((candidate-clause candidate) '("loop-word"))
                                    (symbol (ignore-errors (symbol-kinds symbol)))
                                    (t '("package"))))
            "lambdaList" (and symbol (not (keywordp symbol)) (ignore-errors (call-lambda-list-text symbol)))
            "package" (and home (package-name home))
            "documentation" (first-line (cond (symbol (symbol-documentation symbol))
                                              (home (ignore-errors (documentation home t)))))
            "score" (candidate-score candidate)
            "matches" (array-of (loop for (start . end) in (index-ranges (matched-places candidate typed))
                                      collect (vector (utf-16-offset text start) (utf-16-offset text end)))))))

(defun matched-places (candidate typed)
  "Return the indexes of the characters of TYPED in the text of CANDIDATE."
  (let ((before (length (candidate-prefix candidate))))
    (mapcar (lambda (index) (+ index before)) (nth-value 1 (match-name typed (candidate-name candidate))))))
