;;;; Frames. A frame consists of the payload's length in octets as decimal digits, a line feed, and the payload. Frames are read with
;;;; read(2) into the engine's own buffer, so that evaluated code cannot disrupt this by redefining READ-BYTE or closing streams.

(in-package #:lisp-workbench/protocol)

(defconstant +header-room+ 12 "The number of octets reserved before a payload for the header.")

(defconstant +longest-frame+ (* 256 1024 1024) "The maximum length of a frame, in octets. A longer frame is treated as having a bad length.")

(define-condition bad-length (error) ()
  (:report "The length of a frame is not a number.")
  (:documentation "Signalled for a frame whose length is not a number. The start of the next frame cannot be found then, so the process must
end."))

(defstruct (frame-reader (:constructor make-frame-reader
                             (source &aux (octets (make-array 65536 :element-type '(unsigned-byte 8))))))
  "A reader of frames from SOURCE. SOURCE is a function with three arguments: an octet vector, a start and an end. It stores octets between
these positions and returns the number of stored octets, which is 0 at the end of the file."
  source
  (octets nil :type octets)
  (start 0 :type index)
  (end 0 :type index))

(defun next-frame (reader)
  "Return three values: a vector of octets that contains the next payload, and the payload's start and end. They are valid until the next
call. Return NIL at the end of the file. Signal BAD-LENGTH if a length is wrong."
  (let ((length (next-length reader)))
    (when length
      (cond ((<= length (held reader)))
            ((<= length (length (frame-reader-octets reader)))
             (move-to-front reader)
             (loop while (< (held reader) length)
                   do (unless (fill-more reader) (return-from next-frame nil))))
            (t (return-from next-frame (next-long-frame reader length))))
      (let ((start (frame-reader-start reader)))
        (incf (frame-reader-start reader) length)
        (values (frame-reader-octets reader) start (+ start length))))))

(defun next-length (reader)
  (let ((length nil))
    (loop
      (when (and (zerop (held reader)) (not (fill-more reader)))
        (return nil))
      (let ((octet (aref (frame-reader-octets reader) (frame-reader-start reader))))
        (incf (frame-reader-start reader))
        (cond ((<= 48 octet 57)
               (setf length (+ (* 10 (or length 0)) (- octet 48)))
               (when (> length +longest-frame+) (error 'bad-length)))
              ((and (= octet 10) length) (return length))
              (t (error 'bad-length)))))))

(defun next-long-frame (reader length)
  "Read a payload that is longer than the buffer into a separate vector."
  (let* ((octets (make-array length :element-type '(unsigned-byte 8)))
         (filled (held reader)))
    (replace octets (frame-reader-octets reader) :start2 (frame-reader-start reader) :end2 (frame-reader-end reader))
    (setf (frame-reader-start reader) (frame-reader-end reader))
    (loop while (< filled length)
          do (let ((count (funcall (frame-reader-source reader) octets filled length)))
               (when (zerop count) (return-from next-long-frame nil))
               (incf filled count)))
    (values octets 0 length)))

(defun frame-begun-p (reader)
  "Return true if READER has read a frame only partly."
  (plusp (held reader)))

(defun held (reader)
  (- (frame-reader-end reader) (frame-reader-start reader)))

(defun move-to-front (reader)
  (let ((octets (frame-reader-octets reader)))
    (replace octets octets :start2 (frame-reader-start reader) :end2 (frame-reader-end reader))
    (setf (frame-reader-end reader) (held reader)
          (frame-reader-start reader) 0)))

(defun fill-more (reader)
  "Read the available octets, at least one. Return NIL at the end of file."
  (when (zerop (held reader))
    (setf (frame-reader-start reader) 0
          (frame-reader-end reader) 0))
  (let* ((octets (frame-reader-octets reader))
         (count (funcall (frame-reader-source reader) octets (frame-reader-end reader) (length octets))))
    (incf (frame-reader-end reader) count)
    (plusp count)))

(defun descriptor-source (descriptor)
  "Return a source for MAKE-FRAME-READER that reads from a file descriptor. A failed read counts as the end of the file."
  (lambda (octets start end)
    (declare (type octets octets) (type index start end))
    (loop
      (multiple-value-bind (count errno)
          (with-pinned-objects (octets)
            (unix-read descriptor (sap+ (vector-sap octets) start) (- end start)))
        (cond (count (return count))
              ((/= errno sb-posix:eintr) (return 0)))))))

(defun finish-frame (buffer)
  "Write the header of the frame whose payload follows +HEADER-ROOM+ octets in BUFFER. Return the index at which the frame starts."
  (let* ((octets (octet-buffer-octets buffer))
         (length (- (octet-buffer-fill buffer) +header-room+))
         (at (1- +header-room+)))
    (setf (aref octets at) 10)
    (loop do (multiple-value-bind (quotient digit) (truncate length 10)
               (setf (aref octets (decf at)) (+ 48 digit)
                     length quotient))
          until (zerop length))
    at))

(defun encode-frame (value)
  "Return VALUE as a frame, in three values: octets, start and end."
  (let ((buffer (make-octet-buffer)))
    (setf (octet-buffer-fill buffer) +header-room+)
    (encode-json value buffer)
    (values (octet-buffer-octets buffer) (finish-frame buffer) (octet-buffer-fill buffer))))
