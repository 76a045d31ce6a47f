;;;; Finds the positions of octets that are invalid in the encoding of their file. SBCL does not report the position of an octet that the
;;;; reader could not decode, so the file is searched for such octets.

(in-package #:lisp-workbench/compilation)

(defun undecodable-place (condition file)
  "Return start and end, in characters of the text of FILE, of the octets that CONDITION is about. Return NIL for other conditions, and for
encodings other than UTF-8, in which nearly every octet is a character."
  (let ((from (typecase condition
                (stream-decoding-error 0)
                (character-decoding-error-in-comment (or (ignore-errors (decoding-error-in-comment-position condition)) 0)))))
    (and from
         (let ((start (ignore-errors (undecodable-character file from))))
           (and start (values start (1+ start)))))))

(defun undecodable-character (file from)
  "Return the index of the first character of FILE, a native name, whose octets are not valid UTF-8. Consider only characters that begin at
the octet FROM or later."
  (with-regular-file (stream file :element-type '(unsigned-byte 8))
    (let ((octets (make-array (file-length stream) :element-type '(unsigned-byte 8))))
      (read-sequence octets stream)
      (loop with at = 0
            for index from 0
            while (< at (length octets))
            do (let ((length (encoded-length octets at)))
                 (when (and (null length) (>= at from)) (return index))
                 (incf at (or length 1)))))))

(defun encoded-length (octets at)
  "Return the number of octets of the UTF-8 character at AT; NIL if it is invalid."
  (let* ((first (aref octets at))
         (length (cond ((< first #x80) 1)
                       ((<= #xc2 first #xdf) 2)
                       ((<= #xe0 first #xef) 3)
                       ((<= #xf0 first #xf4) 4))))
    (and length
         (<= (+ at length) (length octets))
         (loop for next from (1+ at) below (+ at length)
               always (<= #x80 (aref octets next) #xbf))
         length)))
