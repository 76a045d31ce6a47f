;;;; Runs a program at a pseudo-terminal, for the terminal view of the window: `sbcl --script pty.lisp -- COLUMNS ROWS PROGRAM ARGUMENT…`.
;;;; The input is what is typed, the output what the program writes, and the exit code is that of the program. An octet of zero in the
;;;; input changes the size: columns and rows follow, two octets each, the higher first.
;;;; A script of its own, not part of the engine's core: it starts in a few hundredths of a second and knows nothing of images.

(defun octets (size)
  (make-array size :element-type '(unsigned-byte 8)))

(defun read-octets (descriptor buffer)
  "The number of octets that were read; zero or nil at the end. A pseudo-terminal whose program has ended gives an error."
  (sb-sys:with-pinned-objects (buffer)
    (sb-unix:unix-read descriptor (sb-sys:vector-sap buffer) (length buffer))))

(defun write-octets (descriptor buffer start end)
  (sb-sys:with-pinned-objects (buffer)
    (loop while (< start end)
          for written = (sb-unix:unix-write descriptor (sb-sys:vector-sap buffer) start (- end start))
          while written
          do (incf start written))))

(defun resize (descriptor columns rows)
  "Tells the terminal its size, and with that the program: TIOCSWINSZ."
  (let ((size (make-array 4 :element-type '(unsigned-byte 16) :initial-contents (list rows columns 0 0))))
    (sb-sys:with-pinned-objects (size)
      (sb-alien:alien-funcall
       (sb-alien:extern-alien "ioctl" (function sb-alien:int sb-alien:int sb-alien:unsigned-long sb-sys:system-area-pointer))
       descriptor #+linux #x5414 #-linux #x80087467 (sb-sys:vector-sap size)))))

(defun copy-input (descriptor)
  "Hands what is typed to the program, and obeys changes of the size."
  (let ((buffer (octets 4096)) (size '()) (waited 0))
    (loop for count = (read-octets 0 buffer)
          while (and count (plusp count))
          do (let ((start 0))
               (dotimes (index count)
                 (let ((octet (aref buffer index)))
                   (cond ((plusp waited)
                          (push octet size)
                          (setf start (1+ index))
                          (when (zerop (decf waited))
                            (destructuring-bind (columns-high columns rows-high rows) (reverse size)
                              (resize descriptor (+ (* 256 columns-high) columns) (+ (* 256 rows-high) rows)))))
                         ((zerop octet)
                          (write-octets descriptor buffer start index)
                          (setf size '() waited 4 start (1+ index))))))
               (write-octets descriptor buffer start count)))))

(destructuring-bind (columns rows program &rest arguments) (rest (member "--" sb-ext:*posix-argv* :test #'string=))
  (let* ((process (sb-ext:run-program program arguments :pty t :input t :output t :error t :wait nil))
         (descriptor (sb-sys:fd-stream-fd (sb-ext:process-pty process)))
         (buffer (octets 65536)))
    (resize descriptor (parse-integer columns) (parse-integer rows))
    (sb-thread:make-thread #'copy-input :arguments (list descriptor))
    (loop for count = (read-octets descriptor buffer)
          while (and count (plusp count))
          do (write-octets 1 buffer 0 count))
    (sb-ext:process-wait process)
    (let ((code (sb-ext:process-exit-code process)))
      (sb-ext:exit :code (if (eq (sb-ext:process-status process) :signaled) (+ 128 code) code) :abort t))))
