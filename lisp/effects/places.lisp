;;;; The folders where writing is allowed without being asked for: the image's own temporary folder, and of the cache of compiled
;;;; files what the compiler itself puts there.

(in-package #:lisp-workbench/effects)

(sb-ext:defglobal *cache* nil)          ; native name of the folder of compiled files
(sb-ext:defglobal *temporary-base* nil) ; native name of the folder in which the image's own one is made
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
                                                        (real-name *temporary-base*) (unix-getpid))))
                            "/"))))))

(defun allowed-folder (name)
  "Return the folder that allows writing the file of that real NAME; :SILENTLY for the engine's own work; NIL when somebody must be asked."
  (cond ((string= name "/dev/null") :silently)
        ((some (lambda (folder) (within-p name (string-right-trim "/" folder))) *own-folders*) :silently)
        ((in-cache-p name) (real-name *cache*))
        (t (let ((folder (and *temporary-folder* (string-right-trim "/" *temporary-folder*))))
             (and folder (within-p name folder) folder)))))

(defun lends-rights-p (effect)
  "True when EFFECT makes a file that reaches outside its folder when it is opened or run: a device, or a program with the rights of its
owner or group."
  (or (equal "new node" (effect-change effect))
      (let ((mode (cdr (assoc "new mode" (effect-facts effect) :test #'string=))))
        (and mode (logtest #o6000 (or (parse-integer mode :radix 8 :junk-allowed t) #o6000))))))

(defun unasked-place-p (name)
  "True when guarded code may have written the file NAME, or the source of which NAME is the compiled file, without anybody being asked."
  (handler-case (let* ((name (real-name name))
                       (source (if (in-cache-p name) (subseq name (length (real-name *cache*))) name))
                       (folder (and (plusp (length source)) (allowed-folder source))))
                  (and folder (not (in-cache-p source)) t))
    (unusable-name () t)))

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
  (opened nil))                         ; true once the compiler itself has opened that file, before it read any form

(sb-ext:defglobal *compiled* (make-hash-table :test #'equal :synchronized t)
  "Real name of a file that COMPILE-FILE wrote → (source . identity).")

(defun note-compiling (original input &rest keys &key output-file &allow-other-keys)
  "Call COMPILE-FILE and note the file that it makes. The noted source is the compiled one: the name of INPUT is looked up once, and the file
counts as made of it only if the source is still the same at the end."
  (if (not *guard*)
      (apply original input keys)
      (multiple-value-bind (source output) (ignore-errors (source-and-output input output-file))
        (let* ((identity (and source (identity-of (stat-of source))))
               (compiling (and identity (make-compiling :source (real-name source) :output output)))
               (*compiling* compiling))
          (multiple-value-prog1
              (cond ((null compiling) (apply original input keys))
                    (output-file (apply original (pathname-of source) :output-file (pathname-of output) keys))
                    (t (apply original (pathname-of source) keys)))
            (when (and compiling (compiling-opened compiling) (equal identity (identity-of (stat-of source))))
              (setf (gethash (compiling-output compiling) *compiled*)
                    (cons (compiling-source compiling) (identity-of (stat-of (compiling-output compiling)))))))))))

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
               (and (null (stat-of path)) (string= "OPEN" (effect-operator effect)) (passing-name-p path))))
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
         (let ((output (last-part (compiling-output compiling))) (name (last-part path)))
           (and (<= (length output) (length name)) (string= output name :end2 (length output)))) ; SBCL may add to it
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
