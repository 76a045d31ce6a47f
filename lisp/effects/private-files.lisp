;;;; Files without a name. Guarded code can neither open nor write to such files, so the content that is used is certain to be the content
;;;; that was checked.

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *temporary-base* nil) ; native name of the folder that contains the image's temporary folder

(defun call-with-private-file (function)
  "Call FUNCTION with the descriptor of a new, empty file without a name. During the call the descriptor belongs to the engine."
  (let ((descriptor (private-file)))
    (unwind-protect-without-interrupts (funcall function descriptor)
      (close-taken descriptor))))

(defun private-file ()
  "Return the descriptor of a new, empty file without a name. CLOSE-TAKEN closes it."
  (without-guard
    (multiple-value-bind (descriptor name) (sb-posix:mkstemp (concatenate 'string (real-name *temporary-base*) "/lisp-workbench-file-XXXXXX"))
      (sb-posix:unlink name)
      (take-descriptor descriptor))))

(defun take-descriptor (descriptor)
  "Reserve DESCRIPTOR for the engine, so that guarded code may not use its number. Return DESCRIPTOR."
  (sb-ext:atomic-push descriptor (symbol-value '*own-descriptors*))
  descriptor)

(defun give-descriptor-back (descriptor)
  (sb-ext:atomic-update (symbol-value '*own-descriptors*) (lambda (held) (remove descriptor held :count 1))))

(defun close-taken (descriptor)
  "Close DESCRIPTOR and end its reservation for the engine."
  (without-guard (sb-posix:close descriptor))
  (give-descriptor-back descriptor))

(defun fill-file (octets descriptor)
  (without-guard
    (let ((stream (sb-sys:make-fd-stream descriptor :output t :element-type '(unsigned-byte 8) :buffering :full)))
      (write-sequence octets stream)
      (finish-output stream))))

(defconstant +most-octets+ 268435456 "The maximum size, in octets, of a compiled file that is read into memory to check it.")

(defun octets-of-stream (stream)
  "Return the remaining octets of STREAM; NIL if there are more than +MOST-OCTETS+."
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
  "Return the whole content of DESCRIPTOR's file."
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
