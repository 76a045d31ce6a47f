;;;; Open files of a frozen copy. A copy that kept them would keep them open for everybody: a pipe would never end, a
;;;; connection never close, a lock never fall. So it lets go of all, with /dev/null in their places lest a number be used
;;;; twice; when it is woken it opens again what has a name, at the place where the file stood.

(in-package #:lisp-workbench/control)

(defconstant +descriptors-searched+ 1024)

(sb-ext:defglobal *inherited* '())      ; descriptors that were open when the image started: somebody else's business
(sb-ext:defglobal *let-go* '())         ; what this copy had open: (descriptor name flags place)

(defun note-inherited-descriptors ()
  "Called when the image starts."
  (setf *inherited* (loop for descriptor from (1+ +output-descriptor+) below +descriptors-searched+
                          when (descriptor-flags descriptor) collect descriptor)))

(defun descriptor-flags (descriptor)
  "NIL when it is not open. No condition is made: most possible numbers are not, and all are asked."
  (let ((flags (sb-alien:alien-funcall
                (sb-alien:extern-alien "fcntl" (function sb-alien:int sb-alien:int sb-alien:int))
                descriptor sb-posix:f-getfl)))
    (unless (minusp flags) flags)))

(defun open-descriptors (but)
  "What this process has open, but for the wire, inherited ones and BUT: (descriptor name flags place) each. Asked before the
copy is made, which shares the place in a file with the process that lives on."
  (loop for descriptor from (1+ +output-descriptor+) below +descriptors-searched+
        for flags = (unless (or (eql descriptor but) (member descriptor *inherited*)) (descriptor-flags descriptor))
        when flags
          collect (list descriptor (descriptor-name descriptor) flags
                        (ignore-errors (sb-posix:lseek descriptor 0 sb-posix:seek-cur)))))

(defun let-go-of-descriptors (open)
  "Of OPEN, entries of OPEN-DESCRIPTORS."
  (setf *let-go* open)
  (let ((null-device (sb-posix:open "/dev/null" sb-posix:o-rdwr)))
    (loop for (descriptor) in open
          do (sb-posix:dup2 null-device descriptor))
    (sb-posix:close null-device)))

(defun descriptor-name (descriptor)
  "The file that is open there; NIL when that is a pipe, a connection or a deleted file."
  (let ((name (ignore-errors (sb-posix:readlink (format nil "/proc/self/fd/~D" descriptor)))))
    (when (and name (char= #\/ (char name 0)) (ignore-errors (sb-posix:stat name)))
      name)))

(defun take-descriptors-back ()
  "Open again what can be opened; *LET-GO* then holds what could not."
  (setf *let-go* (remove-if #'open-again *let-go*)))

(defun open-again (entry)
  (destructuring-bind (descriptor name flags place) entry
    (when name
      (let ((opened (ignore-errors
                     (sb-posix:open name (logand flags (logior sb-posix:o-rdonly sb-posix:o-wronly sb-posix:o-rdwr
                                                               sb-posix:o-append sb-posix:o-nonblock))))))
        (when opened
          (sb-posix:dup2 opened descriptor)
          (sb-posix:close opened)
          (sb-posix:fcntl descriptor sb-posix:f-setfd 1)
          (when place (ignore-errors (sb-posix:lseek descriptor place sb-posix:seek-set)))
          t)))))
