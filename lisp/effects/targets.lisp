;;;; What a call would do outside the image, told from its arguments before it is done. Each function takes the arguments of the
;;;; operators that the table gives it and returns an EFFECT, or NIL when that call does nothing outside.

(in-package #:lisp-workbench/effects)

(defconstant +longest-target+ 20000 "Characters.")
(defconstant +longest-fact+ 2000 "Characters.")

(defstruct (effect (:constructor make-effect (target &key path other-path facts links change)))
  "PATH and OTHER-PATH are real names, LINKS those of the links on the way to them. KIND and OPERATOR come from the table. CHANGE is
what is done to a file, in one word or two: a rule that was made for one is not for another. FACTS is a list of (name . value): all
that was shown, which must still be so when the call is made. REFUSED is a reason for which nobody is asked. HELD, where the path
alone does not tell it, is a function of the arguments that gives those with which the call is made: they mean what was shown."
  kind operator target path other-path facts links change (refused nil) (held nil))

(defvar *name-reader* 'lisp-name "Function that gives the native name for an argument: SB-POSIX takes strings as they are.")

(defun file-effect (argument &key (follow t) change facts)
  "What is done to the file that ARGUMENT names. CHANGE says how, FACTS what else is told: both may be functions of the file's
status, which is NIL when it does not exist."
  (multiple-value-bind (path links) (real-name (funcall *name-reader* argument) follow)
    (let ((stat (stat-of path follow)))
      (flet ((of-stat (what) (if (functionp what) (funcall what stat) what)))
        (let ((change (of-stat change)))
          (make-effect path :path path :links links :change change
                            :facts (append (and change (list (cons "change" change)))
                                           (of-stat facts)
                                           (file-facts stat path follow))))))))

(defun file-facts (stat path follow)
  (when stat
    (let ((link (and (not follow) (link-target path))) (names (sb-posix:stat-nlink stat)))
      (list* (cond (link (cons "link to" link))
                   ((folder-p stat) (cons "directory" "yes"))
                   (t (cons "size" (format nil "~D" (sb-posix:stat-size stat)))))
             (cons "modified" (timestamp (sb-posix:stat-mtime stat)))
             (cons "inode" (format nil "~D:~D" (sb-posix:stat-dev stat) (sb-posix:stat-ino stat)))
             ;; The path does not tell where else its bytes are.
             (if (and (not link) (not (folder-p stat)) (> names 1))
                 (list (cons "hard links" (format nil "~D: the same file has other names elsewhere" names)))
                 '())))))

(defun timestamp (unix-time)
  "As ISO 8601 has it, UTC."
  (multiple-value-bind (second minute hour day month year)
      (decode-universal-time (+ unix-time #.(encode-universal-time 0 0 0 1 1 1970 0)) 0)
    (format nil "~4,'0D-~2,'0D-~2,'0DT~2,'0D:~2,'0D:~2,'0DZ" year month day hour minute second)))

(defun two-files (effect other)
  "EFFECT with a second file."
  (setf (effect-other-path effect) (effect-path other)
        (effect-target effect) (format nil "~A -> ~A" (effect-path effect) (effect-path other))
        (effect-links effect) (append (effect-links effect) (effect-links other))
        (effect-change effect) (if (stat-of (effect-path other) nil) "overwrites" "new file")
        (effect-facts effect) (append (effect-facts effect)
                                      (list (cons "change" (effect-change effect)))
                                      (loop for (name . value) in (effect-facts other)
                                            collect (cons (format nil "overwritten ~A" name) value))))
  effect)

;;; Files, as CL has them

(defun look-at-open (filename &key (direction :input) (if-exists nil if-exists-given)
                                (if-does-not-exist nil if-does-not-exist-given)
                     &allow-other-keys)
  (cond ((and (member direction '(:output :io))
              (or (and if-exists-given (null if-exists) (stat-of (funcall *name-reader* filename)))
                  (and if-does-not-exist-given (null if-does-not-exist) (null (stat-of (funcall *name-reader* filename))))))
         nil)                           ; gives NIL, see CALL-WITHOUT-EFFECT
        ((member direction '(:output :io))
         (file-effect filename
                      :change (lambda (stat)
                                (cond ((null stat) "new file")
                                      ((eq if-exists :append) "appends")
                                      ((and (eq if-exists :overwrite) if-exists-given) "changes in place")
                                      (t "overwrites")))
                      :facts (lambda (stat)
                               (and stat (member if-exists '(:rename :rename-and-delete))
                                    '(("kept as" . "a copy beside it; one of before is replaced"))))))
        ((and (eq if-does-not-exist :create) (null (stat-of (funcall *name-reader* filename))))
         (file-effect filename :change "new file"))))

(defun look-at-name (file &rest more)
  "The name itself goes, a link's and not what it leads to."
  (declare (ignore more))
  (file-effect file :follow nil))

(defun look-at-renaming (file new-name)
  (two-files (file-effect file :follow nil)
             (file-effect (merge-pathnames new-name (merge-pathnames file)) :follow nil)))

(defun look-at-new-folder (pathspec &rest more)
  (declare (ignore more))
  (let* ((file (translate-logical-pathname (merge-pathnames (pathname pathspec))))
         (name (absolute-name (sb-ext:native-namestring (make-pathname :name nil :type nil :version nil :defaults file)))))
    (unless (folder-p (stat-of name))
      (multiple-value-bind (path links) (real-name name)
        (make-effect path :path path :links links)))))

(defun look-at-folder (pathspec &key recursive)
  (file-effect pathspec :change (if recursive "deletes a folder with its contents" "deletes a folder")
                        :facts (and recursive '(("contents" . "deleted too")))))

;;; Files, as POSIX has them

(defun look-at-file (file &rest more)
  (declare (ignore more))
  (file-effect file))

(defun look-at-making (file &optional mode)
  "What makes a file or empties it."
  (file-effect file :change (lambda (stat) (if stat "overwrites" "new file")) :facts (new-file-facts mode)))

(defun new-file-facts (mode)
  "A function of a file's status: what is told of the MODE that a file is made with, where that lends rights."
  (lambda (stat)
    (and (null stat) mode (logtest #o6000 mode) (mode-facts mode))))

(defun look-at-posix-open (file flags &optional mode)
  (when (logtest flags (logior sb-posix:o-wronly sb-posix:o-rdwr sb-posix:o-creat sb-posix:o-trunc sb-posix:o-append))
    (file-effect file :change (lambda (stat)
                                (cond ((null stat) "new file")
                                      ((logtest flags sb-posix:o-trunc) "overwrites")
                                      ((logtest flags sb-posix:o-append) "appends")
                                      (t "changes in place")))
                      :facts (new-file-facts mode))))

(defun look-at-pipe (file mode)
  (file-effect file :change "new pipe" :facts (mode-facts mode)))

(defun look-at-node (file mode &optional device)
  (file-effect file :change "new node" :facts (append (mode-facts mode) (list (cons "device" (format nil "~A" device))))))

(defun look-at-cutting (file &optional length)
  (file-effect file :change "cuts off" :facts (list (cons "new size" (format nil "~A" length)))))

(defun look-at-two-names (old new)
  (two-files (file-effect old :follow nil) (file-effect new :follow nil)))

(defun look-at-link (to name)
  "A symbolic link: only its own name is written."
  (file-effect name :follow nil :change "symbolic link" :facts (list (cons "link to" (princ-to-string to)))))

(defun look-at-hard-link (old new)
  (two-files (file-effect old) (file-effect new :follow nil)))

(defun mode-facts (mode)
  (list (cons "new mode" (format nil "~O" mode))))

(defun owner-facts (owner group)
  (list (cons "new owner" (format nil "~D:~D" owner group))))

(defun look-at-mode (file mode)
  (file-effect file :change "mode" :facts (mode-facts mode)))

(defun look-at-owner (file owner group)
  (file-effect file :change "owner" :facts (owner-facts owner group)))

(defun look-at-links-owner (file owner group)
  (file-effect file :follow nil :change "owner" :facts (owner-facts owner group)))

(defun look-at-times (file &rest more)
  (file-effect file :change "times" :facts (and more (list (cons "new times" (format nil "~{~A~^, ~}" more))))))

(defun descriptor-effect (descriptor &key change facts)
  (let ((name (descriptor-name descriptor)))
    (if name
        (let ((effect (let ((*name-reader* 'identity)) (file-effect name :change change :facts facts))))
          ;; Another thread can put another file behind the descriptor: never unasked, wherever the file is.
          (push (effect-path effect) (effect-links effect))
          effect)
        (make-effect (format nil "file descriptor ~D" (sb-posix:file-descriptor descriptor))
                     :change change :facts (append (and change (list (cons "change" change))) facts)))))

(defun look-at-descriptor (descriptor &rest more)
  (declare (ignore more))
  (descriptor-effect descriptor))

(defun look-at-cutting-descriptor (descriptor &optional length)
  (descriptor-effect descriptor :change "cuts off" :facts (list (cons "new size" (format nil "~A" length)))))

(defun look-at-descriptors-mode (descriptor mode)
  (descriptor-effect descriptor :change "mode" :facts (mode-facts mode)))

(defun look-at-descriptors-owner (descriptor owner group)
  (descriptor-effect descriptor :change "owner" :facts (owner-facts owner group)))

(defun look-at-log-file (file)
  "The argument of (SETF SB-EXT:GC-LOGFILE): SBCL appends to it at each collection."
  (when file
    (let ((effect (file-effect file :change (lambda (stat) (if stat "appends" "new file"))
                                    :facts '(("when" . "at each garbage collection from now on")))))
      (setf (effect-held effect) (lambda (arguments)
                                   (declare (ignore arguments))
                                   (list (pathname-of (effect-path effect)))))
      effect)))

(defun look-at-simple-stream (stream options)
  "A stream of SB-SIMPLE-STREAMS that is about to open what OPTIONS name."
  (declare (ignore stream))
  (let ((file (getf options :filename)))
    (when (loop for (nil value) on options by #'cddr thereis (and (typep value '(or integer stream)) (own-descriptor-p value)))
      (return-from look-at-simple-stream (own-connection)))
    (when file
      (let ((effect (apply #'look-at-open file (loop for (key value) on options by #'cddr
                                                     when (member key '(:direction :if-exists :if-does-not-exist))
                                                       append (list key value)))))
        (when effect
          (setf (effect-held effect) (lambda (arguments)
                                       (list (first arguments)
                                             (list* :filename (pathname-of (effect-path effect)) (second arguments))))))
        effect))))

(defun simple-stream-slot (stream name)
  "What the slot NAME, a string, of a stream of SB-SIMPLE-STREAMS holds; NIL when it has none."
  (let ((slot (find-symbol name "SB-SIMPLE-STREAMS")))
    (and slot (slot-exists-p stream slot) (slot-boundp stream slot) (slot-value stream slot))))

(defun look-at-own-simple-stream (stream &rest more)
  (declare (ignore more))
  (when (some (lambda (slot) (let ((handle (simple-stream-slot stream slot)))
                               (and (typep handle '(or integer stream)) (own-descriptor-p handle))))
              '("INPUT-HANDLE" "OUTPUT-HANDLE"))
    (own-connection)))

(defun look-at-closing-simple-stream (stream abort)
  "Such a stream deletes its file, or puts the one of before back, when it is aborted, or removes that one: by the names in its slots,
which code can set."
  (or (look-at-own-simple-stream stream)
      (let ((file (simple-stream-slot stream "FILENAME")) (original (simple-stream-slot stream "ORIGINAL")))
        (when (and file (or (and abort (output-stream-p stream)) (simple-stream-slot stream "DELETE-ORIGINAL")))
          (let ((effect (file-effect file :follow nil)))
            (if original (two-files effect (file-effect original :follow nil)) effect))))))

;;; Network, foreign code

(defun look-at-connection (socket &rest peer)
  (if (abstract-socket-p socket)
      (make-effect (format nil "abstract socket ~A" (if (stringp (first peer))
                                                        (first peer)
                                                        (map 'string #'code-char (first peer)))))
      (peer-effect peer)))

(defun abstract-socket-p (socket)
  "Whether the names of SOCKET are no files: where the system has such sockets."
  (let ((class (find-symbol "LOCAL-ABSTRACT-SOCKET" "SB-BSD-SOCKETS")))
    (and class (find-class class nil) (typep socket class))))

(defun look-at-listening (socket &rest more)
  (declare (ignore more))
  (peer-effect (multiple-value-list (ignore-errors (sb-bsd-sockets:socket-name socket)))))

(defun look-at-datagram (socket buffer length &key address &allow-other-keys)
  (or (look-at-own-socket socket)
      (when address
        (let ((effect (apply #'look-at-connection socket address)))
          (push (cons "size" (format nil "~D" (or length (length buffer)))) (effect-facts effect))
          effect))))

(defun peer-effect (peer)
  (destructuring-bind (&optional address port) peer
    (if (typep address '(or string pathname))
        (multiple-value-bind (path links kernels) (real-name (posix-name address))
          (let ((effect (make-effect path :path path :links links)))
            ;; The system takes no long names for sockets: a short one stays, unless it could lead elsewhere.
            (when (or kernels (not (stringp address)))
              (setf (effect-held effect) (lambda (arguments) (substitute path address arguments :test #'eq))))
            effect))
        (make-effect (format nil "~A:~A" (address-text address) port)))))

(defun look-at-name-query (host &rest more)
  "The resolver sends the name, or the address, to a server: a way out for whatever is written into it."
  (declare (ignore more))
  (make-effect (format nil "name server, asking for ~A" (if (stringp host) host (address-text host)))))

(defun address-text (address)
  (cond ((null address) "?")
        ((= (length address) 4) (format nil "~{~D~^.~}" (coerce address 'list)))
        (t (format nil "[~(~{~X~^:~}~)]" (loop for index from 0 below (length address) by 2
                                              collect (+ (* 256 (elt address index)) (elt address (1+ index))))))))

(defun look-at-library (pathname &rest more)
  (declare (ignore more))
  (let ((name (sb-ext:native-namestring pathname :as-file t)))
    (if (or (find #\/ name) (stat-of (absolute-name name)))
        (let ((effect (file-effect pathname)) (held (held-name (posix-name name))))
          (setf (effect-held effect) (lambda (arguments) (cons (pathname-of held) (rest arguments))))
          effect)
        (make-effect name))))

(defun held-name (name)
  "The absolute native NAME as it is where it means the same file from now on, for what goes by the name under which it was called;
its real name where one of the kernel's links is on the way."
  (multiple-value-bind (real links kernels) (real-name name)
    (declare (ignore links))
    (if kernels real name)))

;;; The image's process

(defun look-at-variable (name &optional (value nil value-given) overwrite)
  (make-effect (if value-given (format nil "~A=~A" name value) name)
               :facts (list (cons "before" (or (sb-ext:posix-getenv name) "not set"))
                            (cons "overwrite" (if (or (not value-given) (not (eql overwrite 0))) "yes" "no")))))

(defun look-at-assignment (string)
  (make-effect string))

(defun look-at-core (name &rest more)
  (declare (ignore more))
  (file-effect name))

(defun look-at-exit (&key code abort &allow-other-keys)
  (unless *exit-in-progress*
    (make-effect (format nil "with code ~D" (or code (if abort 1 0)))
                 :facts (and abort '(("unwinding" . "no"))))))

(defun look-at-exit-code (&optional (code 1) &key abort)
  (look-at-exit :code code :abort abort))

(defun look-at-numbers (&rest arguments)
  "What the process is from now on: its user, its group, its session."
  (make-effect (format nil "~{~A~^ ~}" (or (mapcar (lambda (each) (print-short each 200)) arguments) '("this image")))))

(defun look-at-mask (mask)
  (make-effect (format nil "file mode creation mask ~O" mask)
               :facts (list (cons "what it does" "every file that the image makes from now on lacks these rights"))))

(defun look-at-log (&rest arguments)
  (make-effect (format nil "system log~{ ~A~}" (mapcar (lambda (each) (if (stringp each) each (print-short each 200))) arguments))))

(defun look-at-listener (name &rest more)
  (declare (ignore more))
  (make-effect (format nil "~A" name)))

;;; Descriptors

(defparameter *own-descriptors* '(3 4) "On which the image speaks with the workbench.")

(defun own-descriptor-p (descriptor)
  (member (if (integerp descriptor) descriptor (ignore-errors (sb-posix:file-descriptor descriptor))) *own-descriptors*))

(defun look-at-own-descriptor (&rest arguments)
  "Only what concerns the connection with the workbench is an effect."
  (when (some #'own-descriptor-p (remove-if-not (lambda (each) (typep each '(or integer stream)))
                                                (subseq arguments 0 (min 2 (length arguments)))))
    (own-connection)))

(defun own-connection ()
  (let ((effect (make-effect "the connection between this image and the workbench")))
    (setf (effect-refused effect) "What speaks there for the image is not for code to touch")
    effect))

(defun look-at-own-socket (socket &rest more)
  (declare (ignore more))
  (if (plain-descriptor-p socket)
      (when (member (sb-bsd-sockets:socket-file-descriptor socket) *own-descriptors*)
        (own-connection))
      (let ((effect (make-effect "a socket")))
        (setf (effect-refused effect)
              "Code of its own tells which descriptor this socket has, and could tell another one when it is used")
        effect)))

(defmethod shared-initialize :before ((socket sb-bsd-sockets:socket) slots &key descriptor &allow-other-keys)
  "A socket of the connection with the workbench would close that when it is collected."
  (declare (ignore slots))
  (when (and *guard* descriptor (own-descriptor-p descriptor))
    (let ((effect (own-connection)))
      (setf (effect-kind effect) "process" (effect-operator effect) "MAKE-INSTANCE")
      (deny-effect effect (effect-refused effect)))))

(defun look-at-setting-socket (new socket)
  (declare (ignore new))
  (look-at-own-socket socket))

(defun plain-descriptor-p (socket)
  "Whether SOCKET-FILE-DESCRIPTOR gives what is in its slot: nobody put a method of their own before that."
  (let ((methods (compute-applicable-methods #'sb-bsd-sockets:socket-file-descriptor (list socket))))
    (and (eq (find-class 'standard-class) (class-of (class-of socket)))
         (null (rest methods))
         (typep (first methods) 'sb-mop:standard-reader-method))))

(defun copied-socket (socket)
  "A socket of the same class with what is in the slots of SOCKET now."
  (let ((copy (allocate-instance (class-of socket))))
    (dolist (slot (sb-mop:class-slots (class-of socket)) copy)
      (let ((name (sb-mop:slot-definition-name slot)))
        (when (and (eq :instance (sb-mop:slot-definition-allocation slot)) (slot-boundp socket name))
          (setf (slot-value copy name) (slot-value socket name)))))))

(defun look-at-descriptor-stream (descriptor &key file original &allow-other-keys)
  "MAKE-FD-STREAM with the private arguments of OPEN: CLOSE unlinks or renames what they name."
  (or (look-at-own-descriptor descriptor)
      (when (or file original)
        (let ((effect (make-effect (format nil "~A" (or file original)))))
          (setf (effect-refused effect) "Closing a stream that is told to have this file would delete or rename it: use OPEN")
          effect))))

(defun held-descriptors (gate arguments)
  "ARGUMENTS with the numbers of the descriptors that they stand for, and with sockets that nobody else knows: what is judged is what
is used."
  (flet ((number (designator) (if (integerp designator) designator (sb-posix:file-descriptor designator))))
    (case (gate-look gate)
      ((look-at-first-descriptor look-at-descriptor look-at-cutting-descriptor look-at-descriptors-mode look-at-descriptors-owner
        look-at-control)
       (cons (number (first arguments)) (rest arguments)))
      (look-at-own-descriptor (mapcar #'number arguments))
      ((look-at-own-socket look-at-datagram)
       (if (and (plain-descriptor-p (first arguments))
                (not (eq (gate-operator gate) 'sb-bsd-sockets:socket-close)))
           (cons (copied-socket (first arguments)) (rest arguments))
           arguments))
      (t arguments))))

(defun look-at-first-descriptor (descriptor &rest more)
  (declare (ignore more))
  (look-at-own-descriptor descriptor))

(defun look-at-control (descriptor &rest arguments)
  "ioctl and the like: of a terminal they can type, of other devices do anything."
  (let ((effect (descriptor-effect descriptor)))
    (push (cons "arguments" (format nil "~{~A~^ ~}" (mapcar (lambda (each) (print-short each 200)) arguments)))
          (effect-facts effect))
    effect))
