;;;; The folders where writing is allowed without being asked for: the image's own temporary folder, and of the cache of compiled
;;;; files what the compiler itself puts there. And what that compiler wrote.

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *cache* nil)          ; native name of the folder of compiled files
(sb-ext:defglobal *temporary-folder* nil)
(sb-ext:defglobal *secret* nil)         ; native name of the file by which Emacs may connect as the person, whether it is there or not
(sb-ext:defglobal *temporary-lock* (sb-thread:make-mutex :name "lisp-workbench temporary directory"))

(defun note-places ()
  "Note the folders. Called when the image starts, before any code could set the variables by which UIOP finds them."
  (flet ((name (pathname) (sb-ext:native-namestring pathname :as-file t)))
    (setf *cache* (ignore-errors (name (uiop:xdg-cache-home "common-lisp" :implementation)))
          *temporary-base* (ignore-errors (name (uiop:temporary-directory)))
          *secret* (ignore-errors (name (merge-pathnames ".slime-secret" (user-homedir-pathname))))
          *temporary-folder* nil))
  (forget-held)
  (remember-places))

(defun temporary-directory ()
  "A folder of this image's own, made when it is first asked for, into which code may write without being asked."
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
  "Note in the image's temporary folder that this process goes on with it. Called in a copy that has become the live image: the folder has the
name of the process that made it, and folders of processes that are over are removed."
  (when *temporary-folder*
    (ignore-errors
     (without-guard
       (sb-posix:mkdir (concatenate 'string *temporary-folder* ".process-" (princ-to-string (sb-posix:getpid))) #o700)))))

(defun allowed-folder (name)
  "Return the folder that allows writing the file of that real NAME; :SILENTLY for the engine's own work; NIL when somebody must be asked."
  (cond ((string= name "/dev/null") :silently)
        ((loop for (folder . thread) in *own-folders*
               thereis (and (eq thread sb-thread:*current-thread*) (within-p name (string-right-trim "/" folder))))
         :silently)
        ((in-cache-p name) (real-name *cache*))
        (t (let ((folder (and *temporary-folder* (string-right-trim "/" *temporary-folder*))))
             (and folder (within-p name folder) folder)))))

(defun lends-rights-p (effect)
  "True when EFFECT makes a file that reaches outside its folder when it is opened or run: a device, or a program with the rights of its
owner or group."
  (or (equal "new node" (effect-change effect))
      (let ((mode (cdr (assoc "new mode" (effect-facts effect) :test #'string=))))
        (and mode (logtest #o6000 (or (parse-integer mode :radix 8 :junk-allowed t) #o6000))))))

(defun in-cache-p (name)
  (and *cache* (within-p name (real-name *cache*))))

(defun allowed-p (effect)
  "True when everything that EFFECT touches is where writing is allowed, and stays there: no link is made, and no link is on the way, which
could lead elsewhere by the time of the call."
  (let ((path (effect-path effect)) (other (effect-other-path effect)))
    (and path
         (member (effect-kind effect) '("write" "delete" "rename" "create-folder" "attributes") :test #'string=)
         (allowed-folder path)
         (or (null other) (allowed-folder other))
         (notany #'allowed-folder (effect-links effect))
         (not (lends-rights-p effect))
         (or (not (or (in-cache-p path) (and other (in-cache-p other))))
             (compilers-work-p effect)))))

;;; The cache of compiled files. Other images load, without the guard, what stands in it under a source file's name.

(defvar *compiling* nil "The COMPILING of the call of COMPILE-FILE that this thread is in.")

(defstruct compiling
  source                                ; real name of the file that is compiled
  output                                ; real name of the file that COMPILE-FILE was told to write
  (opened nil)                          ; true once the compiler itself has opened that file in the cache, before it read any form
  (private nil)                         ; descriptor of the private file into which the compiler writes instead
  (destination nil)                     ; descriptor of the file that the compiler opened
  (stream nil))                         ; descriptor by which the compiler writes

(sb-ext:defglobal *compiled* (make-hash-table :test #'equal :synchronized t)
  "Real name of a file that COMPILE-FILE wrote → (source . identity).")

(sb-ext:defglobal *compiled-digests* (make-hash-table :test #'equal :synchronized t)
  "SHA-256 of a file that COMPILE-FILE wrote for guarded code → true.")

(defun compiled-here-p (octets)
  "True when OCTETS are what COMPILE-FILE wrote for guarded code in this image."
  (values (gethash (digest-of-vector octets) *compiled-digests*)))

(defun note-compiling (original input &rest keys &key output-file &allow-other-keys)
  "Call COMPILE-FILE and note the file that it makes. The noted source is the compiled one: the name of INPUT is looked up once, and the file
counts as made of it only if the source is still the same at the end."
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
  "Let the compiler, which has opened STREAM for what it compiles, write into a private file, so that what is known as its work is what it wrote:
other threads of guarded code may be able to write to the file that it opened."
  (without-guard
    (let ((descriptor (sb-sys:fd-stream-fd stream)))
      (when (eql 0 (ignore-errors (sb-posix:lseek descriptor 0 sb-posix:seek-cur)))
        (setf (compiling-destination *compiling*) (take-descriptor (sb-posix:dup descriptor))
              (compiling-private *compiling*) (private-file))
        (sb-posix:dup2 (compiling-private *compiling*) (take-descriptor descriptor))
        (setf (compiling-stream *compiling*) descriptor)))))

(defun keep-compiled (compiling)
  "Note what the compiler wrote, and put it into the file that it had opened."
  (let ((octets (and (compiling-private compiling) (private-octets (compiling-private compiling))))
        (destination (compiling-destination compiling)))
    (when octets
      (fill-file octets destination)
      (when (or *compiles-unseen* (agents-part-p))
        (mark-unasked destination (stat-of destination))
        (make-old destination)) ; the next image, which compiles it again, may know nothing of the agent
      (setf (gethash (digest-of-vector octets) *compiled-digests*) t))))

(defun compilers-output-p (path)
  "True when the compiler itself opens PATH, for what it compiles: first of all in each call. SBCL may add to the name that it was told."
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
  "Native names of the file that COMPILE-FILE is told to compile, and real name of the one that it is told to write. NIL for a source
without a type: another file may be meant."
  (let* ((source (held-name (lisp-name input))) (pathname (pathname-of source)))
    (refuse-nul source)
    (unless (eq :unspecific (pathname-type pathname))
      (values source
              (real-name (lisp-name (if output-file
                                        (compile-file-pathname pathname :output-file output-file)
                                        (compile-file-pathname pathname))))))))

(defun compilers-work-p (effect)
  "True when EFFECT, in the cache, is a step of ASDF's compiling: a new file of a passing name, into which the compiler writes, or the rename
of that file to the compiled file's name."
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
  "True when the compiler itself opens PATH now: once in each call, and in the place of its source's compiled file."
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
  "Return the name, without type, of the file in the cache into which ASDF compiles SOURCE by default. ASDF itself is not asked, since code
may have set other places."
  (concatenate 'string (real-name *cache*) (folder-of source) (if (string= "/" (folder-of source)) "" "/")
               (let* ((name (last-part source)) (dot (position #\. name :from-end t)))
                 (subseq name 0 dot))
               ".fasl"))

(defparameter *source-types* '("lisp" "cl" "lsp"))

(defun only-source-p (source)
  "True when no other file beside SOURCE would have the same compiled file, as a system's .asd and a .lisp of that name would."
  (let ((dot (1+ (position #\. source :from-end t))))
    (loop for type in *source-types*
          never (and (string/= type (subseq source dot))
                     (stat-of (concatenate 'string (subseq source 0 dot) type))))))

(defun passing-name-p (path)
  "True when PATH is named as UIOP names files that it will rename, and stands for no source file."
  (let ((name (last-part path)))
    (and (search "-tmp" name)
         (let* ((cache (real-name *cache*))
                (mirrored (subseq path (length cache)))
                (name (subseq mirrored 0 (position #\. mirrored :from-end t))))
           (and (null (stat-of name))
                (notany (lambda (type) (stat-of (concatenate 'string name "." type)))
                        (cons "asd" *source-types*)))))))

(defun compiled-source (path)
  "The source of which the compiler made PATH, if nobody wrote to it since."
  (let ((known (gethash path *compiled*)))
    (and known (cdr known) (equal (cdr known) (identity-of (stat-of path))) (car known))))

(defun replaced-p (path)
  "True when PATH is a compiled file of which the compiler has made a new version, still under its passing name beside it."
  (sb-ext:with-locked-hash-table (*compiled*)
    (loop for file being the hash-keys of *compiled* using (hash-value (source . identity))
          thereis (and identity
                       (string= path (cached-name source))
                       (equal identity (identity-of (stat-of file)))))))

(defun identity-of (stat)
  "Return the parts of STAT that tell one state of a file from another: device, inode, size and times; NIL when STAT is NIL."
  (and stat (list (stat-device stat) (stat-inode stat) (stat-size stat) (stat-modified stat) (stat-changed stat))))
