;;;; Loading of files. LOAD, ASDF and other loaders all use two SBCL functions that load a stream; the advice on these functions checks the
;;;; stream itself. If guarded code may have written a file without approval, the file's code belongs to the agent, whichever actor loads
;;;; it. Such a compiled file is loaded only if the engine's own compiler wrote it. Otherwise it is recompiled from its source. If there is
;;;; no source, the load needs approval, because code that was compiled elsewhere lacks the guard.

(in-package #:lisp-workbench/effects)

(defun install-loading ()
  "Install the engine's advice on the SBCL functions that load and compile files. Called once, when the core is built."
  (unless (lacking "guarding code that agents load from files")
    (surround 'load-as-source 'lisp-workbench #'load-source)
    (surround 'load-as-fasl 'lisp-workbench #'load-compiled)
    (surround 'sub-compile-file 'lisp-workbench
              (lambda (original &rest arguments)
                (call-as-unasked *compiles-unseen* (lambda () (apply original arguments)))))))

(defun call-as-unasked (unseen function)
  "Call FUNCTION, which loads or compiles a file. If UNSEEN is true and FUNCTION is called for the person, turn the guard on."
  (if (and unseen (not *guard*))
      (with-guard-of ((unknown-author)) (funcall function))
      (call-sharing-libraries unseen function)))

(defun load-source (original stream &rest more)
  (let ((unseen (unseen-stream-p stream)))
    (call-as-unasked unseen
                     (lambda ()
                       (let ((*loading* (make-loading unseen)))
                         (apply original stream more))))))

(defun load-compiled (original stream verbose print)
  (let ((unseen (unseen-stream-p stream)))
    (flet ((call (stream)
             (let ((*loading* (make-loading unseen)))
               (funcall original stream verbose print))))
      (call-as-unasked unseen (lambda () (if unseen (load-checked #'call stream) (call stream)))))))

(defun unseen-stream-p (stream)
  "Return true if guarded code may have written the content of STREAM without approval. A stream that is not from a file belongs to the code
that loads it, which is either the person's or guarded code."
  (let* ((descriptor (opened-descriptor stream))
         (stat (and descriptor (stat-of descriptor)))
         (name (and stat (opened-name stream descriptor stat))))
    (cond ((null name) (and *guard* t))
          ((unseen-file-p name descriptor stat))
          ((not (regular-p stat)) (and *guard* t))
          (t (and (find name *unseen-files* :test #'string=) t)))))

(defun opened-name (stream descriptor stat)
  "Return the real name of the file that STREAM has open; NIL if unknown. If the system does not report the name of a descriptor, return the
name under which the file was opened, if it still denotes the same file."
  (or (descriptor-name descriptor)
      (let* ((name (and (typep stream 'sb-sys:fd-stream) (fd-stream-file stream)))
             (named (and name (stat-of name))))
        (and named
             (= (stat-device named) (stat-device stat))
             (= (stat-inode named) (stat-inode stat))
             (real-name name)))))

;;; Compiled files

(sb-ext:defglobal *load-gate* (make-gate 'load "foreign" 'look-at-compiled-code nil))

(defun load-checked (load stream)
  "Call LOAD with a stream of STREAM's compiled code, or of code that was newly compiled from its source. Load the checked octets from a
private file of the engine, because another thread may write to STREAM's file in the meantime."
  (let* ((name (let ((descriptor (opened-descriptor stream)))
                 (and descriptor (opened-name stream descriptor (stat-of descriptor)))))
         (octets (or (octets-of-stream stream) (error "~A is too large for a compiled file." stream))))
    (flet ((load-octets (octets &rest more)
             (declare (ignore more))
             (call-with-private-file
              (lambda (descriptor)
                (fill-file octets descriptor)
                (without-guard (sb-posix:lseek descriptor 0 sb-posix:seek-set))
                (funcall load (without-guard
                                (sb-sys:make-fd-stream descriptor :input t :element-type '(unsigned-byte 8) :buffering :full :file name)))))))
      (if (compiled-here-p octets)
          (load-octets octets)
          (let ((again (and name (compiled-again name))))
            (cond (again (load-octets again))
                  (*at-gate* (deny-within-gate *load-gate*))
                  (t (call-decided *load-gate* (look *load-gate* (list octets name)) #'load-octets (list octets name)))))))))

(defun look-at-compiled-code (octets name)
  (make-effect (or name "compiled code that is not in a file") :path name
               :facts (list (cons "size" (format nil "~D" (length octets)))
                            (cons "SHA-256" (digest-of-vector octets))
                            (cons "compiled by" "another program; the guard does not check who calls this code"))))

(defun compiled-again (name)
  "Compile the source of the compiled file NAME and return the compiler's output. Return NIL if there is no source or the source does not
compile. Check the output too, because another thread may replace it before it is read."
  (let ((file (or (compile-component-again name)
                  (let ((source (source-beside name))) (and source (compile-source-again source))))))
    (when file
      (let ((octets (with-open-file (stream (pathname-of file) :element-type '(unsigned-byte 8)) (octets-of-stream stream))))
        (and octets (compiled-here-p octets) octets)))))

(defun source-beside (name)
  (let ((dot (position #\. name :from-end t)))
    (and dot
         (loop for type in *source-types*
               for source = (concatenate 'string (subseq name 0 (1+ dot)) type)
               when (and (string/= source name) (regular-p (stat-of source))) return source))))

(sb-ext:defglobal *compiled-again-count* 0)

(defun compile-source-again (source)
  (let ((file (concatenate 'string (sb-ext:native-namestring (temporary-directory)) "again-"
                           (princ-to-string (incf *compiled-again-count*)) ".fasl")))
    (and (compile-file (pathname-of source) :output-file (pathname-of file) :verbose nil :print nil)
         file)))
