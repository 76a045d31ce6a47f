;;;; A stream that retains only the end of its output, because code may write any amount before it asks a question.

(in-package #:lisp-workbench/debugger)

(defclass last-text-stream (sb-gray:fundamental-character-output-stream)
  ((most :initarg :most :reader most-kept)      ; the number of characters to retain
   (written :initform 0 :accessor characters-written) ; the number of characters written since the text was last taken
   (text :initform (make-array 200 :element-type 'character :adjustable t :fill-pointer 0) :reader kept-text))
  (:documentation "An output stream that retains only the last characters, in constant space."))

(defun make-last-text-stream (most)
  (make-instance 'last-text-stream :most most))

(defun take-last-text (stream)
  "Return two values: the retained part of the output since the last call, and the number of omitted characters before it."
  (let* ((text (kept-text stream))
         (taken (subseq text (max 0 (- (length text) (most-kept stream)))))
         (left-out (- (characters-written stream) (length taken))))
    (setf (fill-pointer text) 0
          (characters-written stream) 0)
    (values taken left-out)))

(defmethod sb-gray:stream-write-char ((stream last-text-stream) character)
  (let ((text (kept-text stream)))
    (incf (characters-written stream))
    (vector-push-extend character text)
    (when (> (length text) (* 2 (most-kept stream))) (drop-first stream))
    character))

(defmethod sb-gray:stream-write-string ((stream last-text-stream) string &optional (start 0) end)
  (let* ((end (or end (length string)))
         (first (max start (- end (most-kept stream)))))
    (incf (characters-written stream) (- first start))
    (loop for index from first below end
          do (sb-gray:stream-write-char stream (char string index)))
    string))

(defmethod sb-gray:stream-line-column ((stream last-text-stream))
  (let* ((text (kept-text stream)) (newline (position #\Newline text :from-end t)))
    (if newline (- (length text) newline 1) (length text))))

(defun drop-first (stream)
  (let* ((text (kept-text stream)) (dropped (- (length text) (most-kept stream))))
    (replace text text :start2 dropped)
    (setf (fill-pointer text) (most-kept stream))))
