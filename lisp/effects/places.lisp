;;;; The places where writing needs no approval: the image's own temporary folder, the indexes of a Quicklisp client, and the cache of
;;;; compiled files, but only for the compiler's own output. Also tracks the files that this compiler wrote.

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *cache* nil)          ; native name of the cache folder of compiled files
(sb-ext:defglobal *temporary-folder* nil)
(sb-ext:defglobal *secret* nil)         ; native name of SWANK's secret file, with which Emacs may connect as the person; the file may not
                                        ; exist
(sb-ext:defglobal *temporary-lock* (sb-thread:make-mutex :name "lisp-workbench temporary directory"))

(defun note-places ()
  "Record the folders. Called when the image starts, before code can set the variables with which UIOP finds these folders."
  (flet ((name (pathname) (sb-ext:native-namestring pathname :as-file t)))
    (setf *cache* (ignore-errors (name (uiop:xdg-cache-home "common-lisp" :implementation)))
          *temporary-base* (ignore-errors (name (uiop:temporary-directory)))
          *secret* (ignore-errors (name (merge-pathnames ".slime-secret" (user-homedir-pathname))))
          *temporary-folder* nil))
  (forget-held)
  (remember-places))

(defun temporary-directory ()
  "Return this image's own temporary folder, where code may write without approval. Create it on first use."
  (sb-thread:with-mutex (*temporary-lock*)
    (sb-ext:parse-native-namestring
     (or (and *temporary-folder* (stat-of *temporary-folder*) *temporary-folder*)
         (setf *temporary-folder*
               (concatenate 'string
                            (without-guard
                              (sb-posix:mkdtemp (format nil "~A/lisp-workbench-~D-XXXXXX"
                                                        (real-name *temporary-base*) (sb-posix:getpid))))
                            "/"))))))

(defun claim-temporary-folder ()
  "Mark the image's temporary folder as used by this process. Called in a checkpoint that has become the live image. The folder's name
contains the pid of the process that created it, and folders of ended processes are removed."
  (when *temporary-folder*
    (ignore-errors
     (without-guard
       (sb-posix:mkdir (concatenate 'string *temporary-folder* ".process-" (princ-to-string (sb-posix:getpid))) #o700)))))

(defun allowed-folder (name)
  "Return the folder in which the file with the real NAME may be written without approval. Return :SILENTLY for the engine's own work, and
NIL if approval is needed."
  (cond ((string= name "/dev/null") :silently)
        ((loop for (folder . thread) in *own-folders*
               thereis (and (eq thread sb-thread:*current-thread*) (within-p name (string-right-trim "/" folder))))
         :silently)
        ((in-cache-p name) (real-name *cache*))
        ((bookkeeping-home name))
        (t (let ((folder (and *temporary-folder* (string-right-trim "/" *temporary-folder*))))
             (and folder (within-p name folder) folder)))))

(defun lends-rights-p (effect)
  "Return true if EFFECT creates a file that can have effects outside its folder when it is opened or run: a device, or a program with its
owner's or group's rights."
  (or (equal "new node" (effect-change effect))
      (let ((mode (cdr (assoc "new mode" (effect-facts effect) :test #'string=))))
        (and mode (logtest #o6000 (or (parse-integer mode :radix 8 :junk-allowed t) #o6000))))))

(defun in-cache-p (name)
  (and *cache* (within-p name (real-name *cache*))))

(defun allowed-p (effect)
  "Return true if every file that EFFECT affects is in a folder where writing is allowed, and stays there. EFFECT must not create a link,
and there must be no link on the path, because a link could lead elsewhere by the time of the call."
  (let ((path (effect-path effect)) (other (effect-other-path effect)))
    (and path
         (member (effect-kind effect) '("write" "delete" "rename" "create-folder" "attributes") :test #'string=)
         (allowed-folder path)
         (or (null other) (allowed-folder other))
         (notany #'allowed-folder (effect-links effect))
         (not (lends-rights-p effect))
         (or (not (or (in-cache-p path) (and other (in-cache-p other))))
             (compilers-work-p effect)))))

;;; The cache of compiled files. Other images find a compiled file in it by the source file's name and load it without the guard.

(defvar *compiling* nil "The COMPILING structure of the COMPILE-FILE call that is running in this thread.")

(defstruct compiling
  source                                ; real name of the file being compiled
  output                                ; real name of the requested output file
  (opened nil)                          ; true once the compiler itself has opened the output file in the cache, which it does before it
                                        ; reads any form
  (private nil)                         ; descriptor of the private file to which the compiler writes instead
  (destination nil)                     ; descriptor of the output file that the compiler opened
  (stream nil))                         ; descriptor through which the compiler writes

(sb-ext:defglobal *compiled* (make-hash-table :test #'equal :synchronized t)
  "real name of a file that COMPILE-FILE wrote → (source . identity)")

(sb-ext:defglobal *compiled-digests* (make-hash-table :test #'equal :synchronized t)
  "SHA-256 of a file that COMPILE-FILE wrote for guarded code → true")

(defun compiled-here-p (octets)
  "Return true if OCTETS are the output of COMPILE-FILE for guarded code in this image."
  (values (gethash (digest-of-vector octets) *compiled-digests*)))

(defun note-compiling (original input &rest keys &key output-file &allow-other-keys)
  "Call COMPILE-FILE and record its output file. The name of INPUT is resolved only once, so that the recorded source is the file that is
compiled. The output is recorded only if the source has not changed during the compilation."
  (if (not (asked-p))
      (let ((*compiles-unseen* (ignore-errors (written-unasked-file-p (lisp-name input)))))
        (apply original input keys))
      (multiple-value-bind (source output) (ignore-errors (source-and-output input output-file))
        (let* ((identity (and source (identity-of (stat-of source))))
               (compiling (and identity (make-compiling :source (real-name source) :output output)))
               (*compiling* compiling)
               (*compiles-unseen* (or (null compiling) (written-unasked-file-p (compiling-source compiling)))))
          (if (null compiling)
              (apply original input keys)
              (unwind-protect-without-interrupts
                   (let ((results (multiple-value-list
                                   (if output-file
                                       (apply original (pathname-of source) :output-file (pathname-of output) keys)
                                       (apply original (pathname-of source) keys)))))
                     (when (first results) (keep-compiled compiling))
                     (when (and (compiling-opened compiling) (equal identity (identity-of (stat-of source))))
                       (setf (gethash (compiling-output compiling) *compiled*)
                             (cons (compiling-source compiling) (identity-of (stat-of (compiling-output compiling))))))
                     (values-list results))
                (when (compiling-private compiling)
                  (give-descriptor-back (compiling-stream compiling))
                  (close-taken (compiling-private compiling))
                  (close-taken (compiling-destination compiling)))))))))

(defun write-privately (stream)
  "Redirect the compiler, which has opened STREAM for its output, to a private file, so that the recorded output is exactly the compiler's.
Other threads that run guarded code may be able to write to the file that the compiler opened."
  (without-guard
    (let ((descriptor (sb-sys:fd-stream-fd stream)))
      (when (eql 0 (ignore-errors (sb-posix:lseek descriptor 0 sb-posix:seek-cur)))
        (setf (compiling-destination *compiling*) (take-descriptor (sb-posix:dup descriptor))
              (compiling-private *compiling*) (private-file))
        (sb-posix:dup2 (compiling-private *compiling*) (take-descriptor descriptor))
        (setf (compiling-stream *compiling*) descriptor)))))

(defun keep-compiled (compiling)
  "Record the compiler's output, and copy it into the file that the compiler had opened."
  (let ((octets (and (compiling-private compiling) (private-octets (compiling-private compiling))))
        (destination (compiling-destination compiling)))
    (when octets
      (fill-file octets destination)
      (when (or *compiles-unseen* (agents-part-p))
        (mark-unasked destination (stat-of destination))
        (make-old destination)) ; a later image may not know about the agent, so the file's time is changed to make it look outdated, and
                                ; that image compiles the source again
      (setf (gethash (digest-of-vector octets) *compiled-digests*) t))))

(defun compilers-output-p (path)
  "Return true if the compiler itself opens PATH for its output, which is its first action in each call. SBCL may append a suffix to the
requested name."
  (let ((compiling *compiling*))
    (and compiling
         (null (compiling-private compiling))
         (compilers-name-p compiling path))))

(defun compilers-name-p (compiling path)
  (let ((output (compiling-output compiling)))
    (and (string= (folder-of path) (folder-of output))
         (<= (length output) (length path))
         (string= output path :end2 (length output)))))

(defun source-and-output (input output-file)
  "Return two values: the native name of the file that COMPILE-FILE compiles, and the real name of its output file. Return NIL if the
source's name has no type, because COMPILE-FILE may then choose another file."
  (let* ((source (held-name (lisp-name input))) (pathname (pathname-of source)))
    (refuse-nul source)
    (unless (eq :unspecific (pathname-type pathname))
      (values source
              (real-name (lisp-name (if output-file
                                        (compile-file-pathname pathname :output-file output-file)
                                        (compile-file-pathname pathname))))))))

(defun compilers-work-p (effect)
  "Return true if EFFECT, in the cache, is a step of ASDF's compilation: creating a file with a temporary name for the compiler's output, or
renaming that file to the compiled file's name."
  (let ((path (effect-path effect)) (other (effect-other-path effect)) (kind (effect-kind effect)))
    (cond ((string= kind "create-folder") t)
          ((string= kind "write")
           (or (compilers-file-p path)
               (and (null (stat-of path)) (effect-opens effect) (passing-name-p path))))
          ((string= kind "rename")
           (let ((source (compiled-source path)))
             (and source (only-source-p source) (string= other (cached-name source)))))
          ((string= kind "delete")
           (or (null (stat-of path nil))
               (compiled-source path)
               (replaced-p path)
               (and (passing-name-p path) (let ((stat (stat-of path))) (and stat (zerop (stat-size stat))))))))))

(defun compilers-file-p (path)
  "Return true if the compiler itself opens PATH now: once in each call, and only in the cache folder of its source, under the name of the
compiled file or a temporary name."
  (let ((compiling *compiling*))
    (and compiling
         (not (compiling-opened compiling))
         (string= (folder-of path) (folder-of (cached-name (compiling-source compiling))))
         (compilers-name-p compiling path)
         (or (and (only-source-p (compiling-source compiling))
                  (string= (compiling-output compiling) (cached-name (compiling-source compiling))))
             (passing-name-p (compiling-output compiling)))
         (setf (compiling-opened compiling) t))))

(defun cached-name (source)
  "Return the name of the file in the cache into which ASDF compiles SOURCE by default. Do not call ASDF for this, because code may have
configured other locations."
  (concatenate 'string (real-name *cache*) (folder-of source) (if (string= "/" (folder-of source)) "" "/")
               (let* ((name (last-part source)) (dot (position #\. name :from-end t)))
                 (subseq name 0 dot))
               ".fasl"))

(defparameter *source-types* '("lisp" "cl" "lsp"))

(defun only-source-p (source)
  "Return true if SOURCE is the only file in its folder with this compiled file. For example, a system's .asd file and a .lisp file with the
same name have the same compiled file."
  (let ((dot (1+ (position #\. source :from-end t))))
    (loop for type in *source-types*
          never (and (string/= type (subseq source dot))
                     (stat-of (concatenate 'string (subseq source 0 dot) type))))))

(defun passing-name-p (path)
  "Return true if PATH has the form of UIOP's temporary names and does not correspond to a source file."
  (let ((name (last-part path)))
    (and (search "-tmp" name)
         (let* ((cache (real-name *cache*))
                (mirrored (subseq path (length cache)))
                (name (subseq mirrored 0 (position #\. mirrored :from-end t))))
           (and (null (stat-of name))
                (notany (lambda (type) (stat-of (concatenate 'string name "." type)))
                        (cons "asd" *source-types*)))))))

(defun compiled-source (path)
  "Return the source from which the compiler created PATH, if PATH has not been written since."
  (let ((known (gethash path *compiled*)))
    (and known (cdr known) (equal (cdr known) (identity-of (stat-of path))) (car known))))

(defun replaced-p (path)
  "Return true if PATH is a compiled file of which the compiler has created a new version. The new version is next to PATH and still has its
temporary name."
  (sb-ext:with-locked-hash-table (*compiled*)
    (loop for file being the hash-keys of *compiled* using (hash-value (source . identity))
          thereis (and identity
                       (string= path (cached-name source))
                       (equal identity (identity-of (stat-of file)))))))

(defun identity-of (stat)
  "Return the fields of STAT that distinguish states of a file: device, inode, size and times; NIL if STAT is NIL."
  (and stat (list (stat-device stat) (stat-inode stat) (stat-size stat) (stat-modified stat) (stat-changed stat))))
