;;;; Octets and files that are pictures: PNG, JPEG or GIF, recognized by their first octets.

(in-package #:lisp-workbench/inspection)

(defparameter *picture-kinds*
  '(("image/png" #x89 #x50 #x4E #x47 #x0D #x0A #x1A #x0A) ("image/jpeg" #xFF #xD8 #xFF) ("image/gif" #x47 #x49 #x46 #x38))
  "Media types with the first octets of their files.")

(define-operation "inspect-picture" (:looking-up request)
  (multiple-value-bind (object found) (held-object (field request "handle"))
    (multiple-value-bind (picture problem)
        (if found (carefully (picture-of object (field request "limit"))) (values nil nil))
      (object "expired" (json-boolean (not found))
              "type" (first picture)
              "octets" (or (second picture) 0)
              "base64" (third picture)
              "problem" problem))))

(defun picture-type (object)
  "Return the media type of the picture in OBJECT, octets or a pathname; NIL if OBJECT is not a picture."
  (let ((start (typecase object
                 ((vector (unsigned-byte 8)) (subseq object 0 (min 8 (length object))))
                 (pathname (first-octets object 8)))))
    (and start
         (first (find-if (lambda (kind)
                           (and (>= (length start) (length (rest kind)))
                                (every #'= (rest kind) start)))
                         *picture-kinds*)))))

(defun first-octets (pathname count)
  (let ((file (plain-file pathname)))
    (and file
         (handler-case
             (with-regular-file (stream file :element-type '(unsigned-byte 8))
               (let ((octets (make-array count :element-type '(unsigned-byte 8))))
                 (subseq octets 0 (read-sequence octets stream))))
           (file-error () nil)))))

(defun picture-of (object limit)
  "Return three values: the media type of OBJECT; its number of octets; and the octets in base 64, or NIL if there are more than LIMIT."
  (let ((type (picture-type object)))
    (when type
      (let ((octets (if (pathnamep object)
                        (with-regular-file (stream (plain-file object) :element-type '(unsigned-byte 8))
                          (if (> (file-length stream) limit) (file-length stream) (first-octets object (file-length stream))))
                        object)))
        (cond ((integerp octets) (list type octets nil))
              ((> (length octets) limit) (list type (length octets) nil))
              (t (list type (length octets) (base64 octets))))))))

(defun base64 (octets)
  "Return OCTETS in base 64, with padding."
  (let* ((digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
         (length (length octets))
         (text (make-string (* 4 (ceiling length 3)) :element-type 'base-char :initial-element #\=)))
    (loop for start from 0 below length by 3
          for target from 0 by 4
          do (flet ((octet (offset) (if (< (+ start offset) length) (aref octets (+ start offset)) 0)))
               (let ((bits (logior (ash (octet 0) 16) (ash (octet 1) 8) (octet 2))))
                 (dotimes (digit (min 4 (1+ (- length start))))
                   (setf (char text (+ target digit)) (char digits (ldb (byte 6 (- 18 (* 6 digit))) bits)))))))
    text))
