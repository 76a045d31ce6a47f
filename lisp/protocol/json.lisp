;;;; Converts JSON to and from octets. It does not use the Lisp reader or printer, so evaluated code that changes *READTABLE*, *PRINT-BASE*
;;;; or PRINT-OBJECT has no effect here.
;;;;
;;;; In Lisp, an object is (OBJECT key value …), an array is a vector (ARRAY-OF creates one from a list), NIL is null, T is true, :FALSE is
;;;; false. Parsed objects are also lists (:OBJECT key value …); null and false both become NIL.

(in-package #:lisp-workbench/protocol)

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype index () '(integer 0 #.(ash most-positive-fixnum -4)))

(defun object (&rest keys-and-values)
  "Return a JSON object. The keys are strings."
  (cons :object keys-and-values))

(defun array-of (list)
  "Return a JSON array of the elements of LIST."
  (coerce list 'simple-vector))

(defun json-boolean (generalized-boolean)
  (if generalized-boolean t :false))

(defun field (object key)
  "Return the value of KEY in a parsed object, or NIL if there is none."
  (declare (optimize speed))
  (loop for (name value) on (the list (rest object)) by #'cddr
        when (same-key-p name key) return value))

(defun same-key-p (one other)
  (declare (optimize speed))
  (if (and (typep one '(simple-array character (*))) (typep other '(simple-array character (*))))
      (and (= (length one) (length other))
           (loop for char across one
                 for other-char across other
                 always (char= char other-char)))
      (string= (the string one) (the string other))))

;;; Writing

(defstruct (octet-buffer (:constructor make-octet-buffer (&optional (size 512)
                                                          &aux (octets (make-array size :element-type '(unsigned-byte 8))))))
  (octets nil :type octets)
  (fill 0 :type index))

(defun reserve (buffer count)
  "Make room for COUNT more octets in BUFFER, and return its vector."
  (declare (type octet-buffer buffer) (type index count) (optimize speed))
  (let* ((octets (octet-buffer-octets buffer))
         (needed (+ (octet-buffer-fill buffer) count)))
    (declare (type index needed))
    (if (<= needed (length octets))
        octets
        (setf (octet-buffer-octets buffer)
              (replace (make-array (max needed (* 2 (length octets))) :element-type '(unsigned-byte 8)) octets
                       :end2 (octet-buffer-fill buffer))))))

(declaim (inline put-octet))
(defun put-octet (buffer octet)
  (declare (type octet-buffer buffer) (type (unsigned-byte 8) octet))
  (let ((octets (octet-buffer-octets buffer))
        (fill (octet-buffer-fill buffer)))
    (setf (aref (the octets (if (< fill (length octets)) octets (reserve buffer 1))) fill) octet
          (octet-buffer-fill buffer) (1+ fill))))

(defun put-ascii (buffer string)
  (declare (type simple-string string))
  (loop for char across string do (put-octet buffer (char-code char))))

(defun put-integer (buffer integer)
  (if (typep integer '(integer 0 9))
      (put-octet buffer (+ 48 integer))
      (put-digits buffer integer)))

(defun put-digits (buffer integer)
  (when (minusp integer)
    (put-octet buffer (char-code #\-))
    (setf integer (- integer)))
  (let ((digits '()))
    (loop do (multiple-value-bind (quotient remainder) (truncate integer 10)
               (push remainder digits)
               (setf integer quotient))
          until (zerop integer))
    (dolist (digit digits) (put-octet buffer (+ 48 digit)))))

(defun put-rational (buffer number)
  "Write NUMBER with up to three decimal places, which is precise enough for times and sizes."
  (let ((thousandths (round (* 1000 (rational number)))))
    (when (minusp thousandths)
      (put-octet buffer (char-code #\-))
      (setf thousandths (- thousandths)))
    (multiple-value-bind (whole rest) (floor thousandths 1000)
      (put-integer buffer whole)
      (unless (zerop rest)
        (put-octet buffer (char-code #\.))
        (loop for unit in '(100 10 1)
              until (zerop rest)
              do (multiple-value-bind (digit remainder) (floor rest unit)
                   (put-octet buffer (+ 48 digit))
                   (setf rest remainder)))))))

(defun hexadecimal-digit (number)
  (declare (type (unsigned-byte 4) number))
  (if (< number 10) (+ 48 number) (+ 87 number)))

(defun put-string (buffer string)
  "Write STRING as a JSON string in UTF-8. A lone surrogate, which UTF-8 cannot represent, is written as \\udXXX."
  (declare (type string string) (type octet-buffer buffer))
  (when (typep string '(simple-array character (*)))
    (return-from put-string (put-characters buffer string 0 (length string))))
  (put-characters buffer (coerce string '(simple-array character (*))) 0 (length string)))

(defun put-characters (buffer data start end)
  (declare (type (simple-array character (*)) data) (type index start end) (type octet-buffer buffer)
           (optimize speed))
  (let* ((octets (reserve buffer (+ 2 (* 6 (- end start)))))
         (fill (octet-buffer-fill buffer)))
    (declare (type octets octets) (type index fill))
    (macrolet ((put (octet) `(progn (setf (aref octets fill) (logand 255 ,octet)) (incf fill))))
      (flet ((put-escape (code)
               (declare (type (unsigned-byte 16) code))
               (put 92) (put 117)
               (put (hexadecimal-digit (ldb (byte 4 12) code)))
               (put (hexadecimal-digit (ldb (byte 4 8) code)))
               (put (hexadecimal-digit (ldb (byte 4 4) code)))
               (put (hexadecimal-digit (ldb (byte 4 0) code)))))
        (put 34)
        (loop for at of-type index from start below end
              for code = (char-code (aref data at))
              do (cond ((= code 34) (put 92) (put 34))
                       ((= code 92) (put 92) (put 92))
                       ((= code 10) (put 92) (put 110))
                       ((< code 32) (put-escape code))
                       ((< code 128) (put code))
                       ((< code #x800)
                        (put (logior #xC0 (ash code -6)))
                        (put (logior #x80 (logand code #x3F))))
                       ((<= #xD800 code #xDFFF) (put-escape code))
                       ((< code #x10000)
                        (put (logior #xE0 (ash code -12)))
                        (put (logior #x80 (logand (ash code -6) #x3F)))
                        (put (logior #x80 (logand code #x3F))))
                       (t
                        (put (logior #xF0 (ash code -18)))
                        (put (logior #x80 (logand (ash code -12) #x3F)))
                        (put (logior #x80 (logand (ash code -6) #x3F)))
                        (put (logior #x80 (logand code #x3F))))))
        (put 34)
        (setf (octet-buffer-fill buffer) fill)))))

(defun encode-json (value buffer)
  "Append VALUE, encoded as JSON, to BUFFER."
  (etypecase value
    (null (put-ascii buffer "null"))
    ((eql t) (put-ascii buffer "true"))
    ((eql :false) (put-ascii buffer "false"))
    (string (put-string buffer value))
    (integer (put-integer buffer value))
    (real (put-rational buffer value))
    (vector (put-octet buffer (char-code #\[))
     (loop for element across value
           for first = t then nil
           do (unless first (put-octet buffer (char-code #\,)))
              (encode-json element buffer))
     (put-octet buffer (char-code #\])))
    ((cons (eql :object))
     (put-octet buffer (char-code #\{))
     (loop for (key element) on (rest value) by #'cddr
           for first = t then nil
           do (unless first (put-octet buffer (char-code #\,)))
              (put-string buffer key)
              (put-octet buffer (char-code #\:))
              (encode-json element buffer))
     (put-octet buffer (char-code #\}))))
  buffer)
