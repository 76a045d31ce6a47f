;;;; SHA-256 (FIPS 180-4), used to verify that content has not changed since it was first checked: files, inputs, compiled code.

(in-package #:lisp-workbench/evaluation)

(deftype word () '(unsigned-byte 32))

(sb-ext:defglobal +round-constants+
  (coerce '(#x428a2f98 #x71374491 #xb5c0fbcf #xe9b5dba5 #x3956c25b #x59f111f1 #x923f82a4 #xab1c5ed5
            #xd807aa98 #x12835b01 #x243185be #x550c7dc3 #x72be5d74 #x80deb1fe #x9bdc06a7 #xc19bf174
            #xe49b69c1 #xefbe4786 #x0fc19dc6 #x240ca1cc #x2de92c6f #x4a7484aa #x5cb0a9dc #x76f988da
            #x983e5152 #xa831c66d #xb00327c8 #xbf597fc7 #xc6e00bf3 #xd5a79147 #x06ca6351 #x14292967
            #x27b70a85 #x2e1b2138 #x4d2c6dfc #x53380d13 #x650a7354 #x766a0abb #x81c2c92e #x92722c85
            #xa2bfe8a1 #xa81a664b #xc24b8b70 #xc76c51a3 #xd192e819 #xd6990624 #xf40e3585 #x106aa070
            #x19a4c116 #x1e376c08 #x2748774c #x34b0bcb5 #x391c0cb3 #x4ed8aa4a #x5b9cca4f #x682e6ff3
            #x748f82ee #x78a5636f #x84c87814 #x8cc70208 #x90befffa #xa4506ceb #xbef9a3f7 #xc67178f2)
          '(simple-array (unsigned-byte 32) (64))))

(declaim (inline rotated))
(defun rotated (word count)
  "Return WORD rotated to the right by COUNT bits."
  (declare (type word word) (type (integer 1 31) count))
  (logior (ash word (- count)) (ldb (byte 32 0) (ash word (- 32 count)))))

(defun digest-block (state octets start schedule)
  "Update STATE with the 64 octets of OCTETS from START."
  (declare (type (simple-array (unsigned-byte 32) (8)) state) (type (simple-array (unsigned-byte 8) (*)) octets)
           (type (simple-array (unsigned-byte 32) (64)) schedule) (type (unsigned-byte 32) start)
           (optimize speed (safety 0)))
  (dotimes (i 16)
    (let ((at (+ start (* 4 i))))
      (declare (type (unsigned-byte 40) at))
      (setf (aref schedule i) (logior (ash (aref octets at) 24) (ash (aref octets (+ at 1)) 16)
                                      (ash (aref octets (+ at 2)) 8) (aref octets (+ at 3))))))
  (loop for i of-type (integer 16 64) from 16 below 64
        do (let* ((x (aref schedule (- i 15))) (y (aref schedule (- i 2)))
                  (s0 (logxor (rotated x 7) (rotated x 18) (ash x -3)))
                  (s1 (logxor (rotated y 17) (rotated y 19) (ash y -10))))
             (setf (aref schedule i)
                   (ldb (byte 32 0) (+ (aref schedule (- i 16)) s0 (aref schedule (- i 7)) s1)))))
  (let ((a (aref state 0)) (b (aref state 1)) (c (aref state 2)) (d (aref state 3))
        (e (aref state 4)) (f (aref state 5)) (g (aref state 6)) (h (aref state 7)))
    (declare (type word a b c d e f g h))
    (dotimes (i 64)
      (let* ((s1 (logxor (rotated e 6) (rotated e 11) (rotated e 25)))
             (choice (logxor (logand e f) (logand (logxor e #xffffffff) g)))
             (one (ldb (byte 32 0) (+ h s1 choice (aref (the (simple-array (unsigned-byte 32) (64)) +round-constants+) i)
                                      (aref schedule i))))
             (s0 (logxor (rotated a 2) (rotated a 13) (rotated a 22)))
             (majority (logxor (logand a b) (logand a c) (logand b c)))
             (two (ldb (byte 32 0) (+ s0 majority))))
        (declare (type word s1 choice one s0 majority two))
        (setf h g g f f e e (ldb (byte 32 0) (+ d one)) d c c b b a a (ldb (byte 32 0) (+ one two)))))
    (macrolet ((add (&rest names)
                 `(setf ,@(loop for name in names for i from 0
                                append `((aref state ,i) (ldb (byte 32 0) (+ (aref state ,i) ,name)))))))
      (add a b c d e f g h))))

(defun digest-of-octets (read &optional (size 65536))
  "Return the digest in hexadecimal. READ fills a vector of SIZE octets, a multiple of 64, and returns the index at which the input ends."
  (let ((state (coerce '(#x6a09e667 #xbb67ae85 #x3c6ef372 #xa54ff53a #x510e527f #x9b05688c #x1f83d9ab #x5be0cd19)
                       '(simple-array (unsigned-byte 32) (8))))
        (schedule (make-array 64 :element-type '(unsigned-byte 32)))
        (octets (make-array size :element-type '(unsigned-byte 8)))
        (total 0))
    (loop
      (let ((end (funcall read octets)))
        (incf total end)
        (if (= end (length octets))
            (loop for start from 0 below end by 64 do (digest-block state octets start schedule))
            (let* ((padded (* 64 (ceiling (+ end 9) 64)))
                   (last (make-array padded :element-type '(unsigned-byte 8) :initial-element 0)))
              (replace last octets :end2 end)
              (setf (aref last end) #x80)
              (dotimes (i 8) (setf (aref last (- padded 1 i)) (ldb (byte 8 (* 8 i)) (* 8 total))))
              (loop for start from 0 below padded by 64 do (digest-block state last start schedule))
              (return (hexadecimal state))))))))

(defun hexadecimal (words)
  "Return WORDS in lowercase hexadecimal. The printer is not used, because code can define print methods on integers."
  (let ((text (make-string (* 8 (length words)))))
    (loop for word across words
          for start from 0 by 8
          do (dotimes (digit 8)
               (setf (char text (+ start digit)) (char "0123456789abcdef" (ldb (byte 4 (* 4 (- 7 digit))) word)))))
    text))

(defun text-digest (text)
  (let ((octets (sb-ext:string-to-octets text :external-format :utf-8)) (start 0))
    (digest-of-octets (lambda (buffer)
                        (let ((end (min (length buffer) (- (length octets) start))))
                          (replace buffer octets :start2 start :end2 (+ start end))
                          (incf start end)
                          end))
                      (* 64 (1+ (floor (min (length octets) 65535) 64))))))
