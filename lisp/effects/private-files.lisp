;;;; Files without a name, which guarded code can neither open nor write to: what is looked at in one is what is used.

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *temporary-base* nil) ; native name of the folder in which the image's own one is made

(defun call-with-private-file (function)
  "Call FUNCTION with the descriptor of a new, empty file that has no name, which belongs to the engine meanwhile."
  (let ((descriptor (private-file)))
    (unwind-protect-without-interrupts (funcall function descriptor)
      (close-taken descriptor))))

(defun private-file ()
  "Return the descriptor of a new, empty file that has no name. CLOSE-TAKEN closes it."
  (without-guard
    (multiple-value-bind (descriptor name) (sb-posix:mkstemp (concatenate 'string (real-name *temporary-base*) "/lisp-workbench-file-XXXXXX"))
      (sb-posix:unlink name)
      (take-descriptor descriptor))))

(defun take-descriptor (descriptor)
  "Let DESCRIPTOR belong to the engine: guarded code may not use its number. Return it."
  (sb-ext:atomic-push descriptor (symbol-value '*own-descriptors*))
  descriptor)

(defun give-descriptor-back (descriptor)
  (sb-ext:atomic-update (symbol-value '*own-descriptors*) (lambda (held) (remove descriptor held :count 1))))

(defun close-taken (descriptor)
  "Close DESCRIPTOR, which was held."
  (without-guard (sb-posix:close descriptor))
  (give-descriptor-back descriptor))

(defun fill-file (octets descriptor)
  (without-guard
    (let ((stream (sb-sys:make-fd-stream descriptor :output t :element-type '(unsigned-byte 8) :buffering :full)))
      (write-sequence octets stream)
      (finish-output stream))))

(defconstant +most-octets+ 268435456 "The most octets of a compiled file that are held in memory, to be looked at.")

(defun octets-of-stream (stream)
  "Return what STREAM, of octets, still has; NIL when that is too much."
  (let ((parts '()) (total 0))
    (loop
      (let* ((part (make-array 65536 :element-type '(unsigned-byte 8))) (end (read-sequence part stream)))
        (push (if (= end (length part)) part (subseq part 0 end)) parts)
        (when (> (incf total end) +most-octets+) (return nil))
        (when (< end (length part))
          (return (let ((octets (make-array total :element-type '(unsigned-byte 8))) (start total))
                    (dolist (part parts octets)
                      (replace octets part :start1 (decf start (length part)))))))))))

(defun private-octets (descriptor)
  "Return what is in the file of DESCRIPTOR, from its beginning."
  (without-guard
    (sb-posix:lseek descriptor 0 sb-posix:seek-set)
    (octets-of-stream (sb-sys:make-fd-stream descriptor :input t :element-type '(unsigned-byte 8) :buffering :full))))

(defun digest-of-vector (octets)
  (let ((start 0))
    (digest-of-octets (lambda (buffer)
                        (let ((end (min (length buffer) (- (length octets) start))))
                          (replace buffer octets :start2 start :end2 (+ start end))
                          (incf start end)
                          end)))))
