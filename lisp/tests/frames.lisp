(cl:in-package #:lisp-workbench/tests)

(defun source-in-pieces (octets size)
  "Return a source that delivers the octets in pieces of at most SIZE."
  (let ((at 0))
    (lambda (buffer start end)
      (let ((count (min size (- end start) (- (length octets) at))))
        (replace buffer octets :start1 start :start2 at :end2 (+ at count))
        (incf at count)
        count))))

(defun frames-of (values)
  (apply #'concatenate '(simple-array (unsigned-byte 8) (*))
         (mapcar (lambda (value)
                   (multiple-value-bind (octets start end) (encode-frame value) (subseq octets start end)))
                 values)))

(defun read-all-frames (octets size)
  (let ((reader (make-frame-reader (source-in-pieces octets size))))
    (loop for message = (multiple-value-bind (octets start end) (next-frame reader)
                          (if octets (parse-json octets start end) (loop-finish)))
          collect message)))

(deftest "Frames come back whole from pieces of any size"
  (let ((values (list (object "id" 1) (make-string 100000 :initial-element #\x) #() (string (code-char 955))
                      (object "text" (make-string 70000 :initial-element (code-char #x1f600))))))
    (dolist (size '(1 2 3 7 64 4096 65536 10000000))
      (is (equalp values (read-all-frames (frames-of values) size)) "in pieces of ~D" size))))

(deftest "A frame's length counts octets"
  (is (equalp (concatenate 'vector (octets "4
") (octets "\"λ\"")) (frames-of '("λ")))))

(deftest "A bad length is an error, a cut frame is the end of file"
  (dolist (text '("x" "
" "-1
{}" "1.5
" " 2
{}" "99999999999
"))
    (signals bad-length (read-all-frames (octets text) 100)))
  (is (null (read-all-frames (octets "12
\"cut") 100))))
