;;;; Places in the wire's format: file, range in UTF-16 code units, line and column.

(in-package #:lisp-workbench/compilation)

(defun place-fields (reading start end)
  "Return the place fields of a diagnostic for the characters from START to END of READING; all are null if READING is NIL. If the text is
part of a file, places are relative to that file."
  (if (null reading)
      (list "file" nil "start" nil "end" nil "line" nil "column" nil)
      (let* ((text (reading-text* reading))
             (start (min (or start 0) (length text)))
             (end (min (or end start) (length text)))
             (line-start (line-start text start))
             (source (and (of-text-p reading) (compilation-source *compilation*)))
             (base (if source (field source "offset") 0)))
        (list "file" (if (of-text-p reading) (and source (field source "file")) (reading-native reading))
              "start" (+ base (utf-16-offset text start))
              "end" (+ base (utf-16-offset text end))
              "line" (+ (if source (field source "line") 1) (count #\Newline text :end start))
              "column" (- (utf-16-offset text start) (utf-16-offset text line-start))))))

(defun of-text-p (reading)
  "Return true if READING is the reading of the text that was sent."
  (equal (reading-native reading) (compilation-text-file *compilation*)))

(defun line-start (text position)
  (let ((newline (position #\Newline text :end position :from-end t)))
    (if newline (1+ newline) 0)))

(defun narrow (reading place names)
  "Return the place of the first of NAMES that occurs as a symbol within PLACE, or PLACE if none does."
  (or (loop for name in names
            for token = (token-within reading place name)
            when token return token)
      place))

(defun token-within (reading place name)
  "Return the first place of the symbol NAME within PLACE."
  (let ((found nil))
    (loop for (symbol start . end) in (reading-tokens reading)
          when (and (eq symbol name) (<= (car place) start) (<= end (cdr place)))
            do (setf found (cons start end)))
    found))

(defun enclosing-forms (reading place)
  "Return the lists around PLACE, innermost first."
  (mapcar #'first
          (sort (loop for entry in (reading-forms reading)
                      for (nil start . end) = entry
                      when (and (<= start (car place)) (<= (cdr place) end)
                                (not (and (= start (car place)) (= end (cdr place)))))
                        collect entry)
                #'> :key #'second)))
