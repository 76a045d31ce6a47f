;;;; Integers with very many digits. The time that SBCL takes to print an integer grows with the square of its length: a million digits take
;;;; seconds, ten million take minutes. The first digits and the number of digits can be computed at once.

(in-package #:lisp-workbench/evaluation)

(defconstant +long-integer+ 200000
  "The maximum length, in bits, of an integer that is printed in full within another object. A longer integer becomes a label. Printing an
integer of this length takes some hundredths of a second.")
(defconstant +longest-integer+ 1000000
  "The maximum length, in bits, of an integer that is printed in full as a value. For a longer integer, only the first digits are printed.
Printing an integer of this length takes half a second.")
(defconstant +shown-digits+ 20000)
(defconstant +label-digits+ 50)

(defun long-integer-p (object)
  (and (integerp object)
       (not (typep object 'fixnum))
       (> (integer-length object) +long-integer+)))

(defun long-number-p (object)
  (typecase object
    (fixnum nil)
    (integer (long-integer-p object))
    (ratio (or (long-integer-p (numerator object)) (long-integer-p (denominator object))))))

(defun long-number-label (number)
  "Return the label printed instead of NUMBER within another object, such as #<integer of 1,000,001 digits: 7205…>."
  (let ((*print-base* 10) (*print-radix* nil))
    (etypecase number
      (integer (multiple-value-bind (digits count) (leading-digits number +label-digits+ 10)
                 (format nil "#<integer of ~:D digits: ~A…>" (if (minusp number) (1- count) count) digits)))
      (ratio (format nil "#<ratio of ~:D by ~:D digits>"
                     (digit-count (numerator number)) (digit-count (denominator number)))))))

(defun digit-count (integer)
  (nth-value 1 (leading-digits (abs integer) 2 10)))

(defun leading-digits (integer most base)
  "Return two values for INTEGER, which is not 0: its first digits in BASE, with its sign, in at most MOST characters; and the length of the
complete number in characters. Compute the digits from as many leading bits as they need. If these bits do not determine the digits, as in
999…9, use all bits."
  (let* ((magnitude (abs integer))
         (sign (if (minusp integer) "-" ""))
         (wanted (max 2 (- most (length sign)))) ; with a single digit, the count could be one too high
         (precision (+ 128 (ceiling (* wanted (log base 2d0)))))
         (count (estimated-digits magnitude base)))
    ;; The estimate is right or off by one; if it is off, there is one digit too many or too few.
    (loop
      (let* ((shown (min wanted count))
             (text (let ((*print-base* base) (*print-radix* nil))
                     (princ-to-string (divided-by-power magnitude base (- count shown) precision)))))
        (cond ((= (length text) shown)
               (let ((all (concatenate 'string sign text)))
                 (return (values (subseq all 0 (min most (length all))) (+ count (length sign))))))
              ((> (length text) shown) (incf count))
              (t (decf count)))))))

(defun estimated-digits (magnitude base)
  "Return the number of digits of MAGNITUDE in BASE, correct to within one."
  (multiple-value-bind (bits shift) (leading-bits magnitude 60)
    (1+ (floor (/ (+ shift (log (coerce bits 'double-float) 2d0)) (log base 2d0))))))

(defun divided-by-power (magnitude base power precision)
  "Return the integer part of MAGNITUDE divided by BASE to the POWER. Use only the first PRECISION bits of both numbers if those are enough."
  (multiple-value-bind (dividend dividend-exponent) (leading-bits magnitude precision)
    (multiple-value-bind (divisor divisor-exponent) (power-bits base power precision)
      (flet ((quotient (dividend divisor)
               (let ((shift (- dividend-exponent divisor-exponent)))
                 (values (floor (ash dividend (max 0 shift)) (ash divisor (max 0 (- shift))))))))
        ;; The dropped bits add less than 1 to the dividend. Together with the errors of all multiplications, the bits dropped from the
        ;; divisor add less than MORE to it.
        (let* ((more (if (zerop divisor-exponent) 0 (1+ (ash divisor (- 64 precision)))))
               (least (quotient dividend (+ divisor more)))
               (most (quotient (if (zerop dividend-exponent) dividend (1+ dividend)) divisor)))
          (if (= least most)
              least
              (values (floor magnitude (expt base power)))))))))

(defun leading-bits (integer precision)
  "Return two values: the first bits of INTEGER, at most PRECISION, as an integer; and the exponent of the power of two by which to multiply
that integer."
  (let ((shift (max 0 (- (integer-length integer) precision))))
    (values (ash integer (- shift)) shift)))

(defun power-bits (base power precision)
  "Return LEADING-BITS of BASE to the POWER. The result is slightly too small if multiplications drop bits."
  (let ((result 1) (exponent 0))
    (flet ((multiply (factor times)
             (multiple-value-bind (bits shift) (leading-bits (* result factor) precision)
               (setf result bits
                     exponent (+ (* times exponent) shift)))))
      (loop for bit downfrom (1- (integer-length power)) to 0
            do (multiply result 2)
               (when (logbitp bit power) (multiply base 1))))
    (values result exponent)))
