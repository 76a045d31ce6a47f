;;;; The stream from which evaluated code reads the person's input.

(in-package #:lisp-workbench/evaluation)

(define-port input-port ((input-read-char "IN") (input-read-octet "BIN") (input-read-octets "N-BIN") (input-misc "MISC"))
  "The standard input of evaluated code. It requests input from the person when its text is used up (see ASK-FOR-INPUT). Without an
EVALUATION, it is at the end of the file."
  (evaluation nil :read-only t)
  (text "" :type simple-string)
  (position 0 :type fixnum)
  (octets '() :type list))

(defmethod print-object ((port input-port) stream)
  ;; The report of END-OF-FILE contains this text. main/core/tools recognizes it, and explains why the input ended.
  (print-unreadable-object (port stream)
    (write-string "standard input" stream)))

(defun input-left-p (port)
  (< (input-port-position port) (length (input-port-text port))))

(defun input-read-char (port eof-error-p eof-value)
  (cond ((or (input-left-p port) (fill-port port))
         (prog1 (char (input-port-text port) (input-port-position port))
           (incf (input-port-position port))))
        (eof-error-p (error 'end-of-file :stream port))
        (t eof-value)))

(defun input-read-octet (port eof-error-p eof-value)
  "Return the next octet of the characters of PORT, encoded in UTF-8."
  (unless (input-port-octets port)
    (let ((character (input-read-char port eof-error-p nil)))
      (unless character (return-from input-read-octet eof-value))
      (setf (input-port-octets port) (coerce (sb-ext:string-to-octets (string character) :external-format :utf-8) 'list))))
  (pop (input-port-octets port)))

(defun input-read-octets (port buffer &rest more)
  "Read octets into the vector BUFFER, as READ-SEQUENCE does, until there are no more. Return the number of octets read. The last elements
of MORE are the start, the wanted number, and true if reading fewer octets is an error. Newer versions of SBCL pass another argument before
these."
  (destructuring-bind (start wanted eof-error-p) (last more 3)
    (loop for count from 0 below wanted
          for octet = (input-read-octet port eof-error-p nil)
          while octet
          do (setf (aref buffer (+ start count)) octet)
          finally (return count))))

(defun input-misc (port operation argument)
  (declare (ignore argument))
  (answer-question operation
    (:listen (cond ((input-left-p port) t) ((input-port-evaluation port) nil) (t :eof)))
    (:unread (when (plusp (input-port-position port)) (decf (input-port-position port))) nil)
    (:clear-input (setf (input-port-position port) (length (input-port-text port))) nil)
    (:element-type 'character)
    (:element-mode :bivalent)
    (:external-format :utf-8)
    (:close t)))

(defun fill-port (port)
  "Request a line from the person. Return false at the end of file."
  (let ((text (and (input-port-evaluation port) (ask-for-input (input-port-evaluation port)))))
    (setf (input-port-position port) 0
          (input-port-text port) (coerce (or text "") 'simple-string))
    (plusp (length (input-port-text port)))))

(defun as-line (text)
  "Return TEXT with a newline at its end."
  (if (and (plusp (length text)) (char= #\Newline (char text (1- (length text)))))
      text
      (format nil "~A~%" text)))
