;;;; The operations that make this image use a library tool. Each image does this when it starts, before the init file is loaded. A tool in
;;;; the project's folder is used only if the folder is trusted, because the setup file of qlot is code.

(in-package #:lisp-workbench/systems)

(define-run "set-up-libraries" (evaluation request)
  (setf *core-installs* (if (eq t (field request "clientsToo")) t :without-client)
        *dist-home* (sb-ext:parse-native-namestring (field request "distHome") nil *default-pathname-defaults* :as-directory t))
  (let ((wanted (or (preferred-tool (field request "preferred"))
                    (find-if (lambda (tool) (or (eq t (field request "trusted")) (string= (first tool) "quicklisp")))
                             (library-tools)))))
    (when wanted (use-library-tool (first wanted) (second wanted)))
    (let ((list (global-ocicl-list)))
      (when list (use-ocicl-list list)))
    (object "tool" (and wanted (object "kind" (first wanted) "path" (file-name (second wanted)))))))

(defun preferred-tool (record)
  "Return the tool that RECORD, an object with kind and path, means. Return NIL if RECORD is empty, or if its file does not exist any more."
  (let ((file (and record (existing (sb-ext:parse-native-namestring (field record "path"))))))
    (and file (list (field record "kind") file (client-at-p file)))))

(define-run "activate-libraries" (evaluation request)
  (use-library-tool (field request "kind") (sb-ext:parse-native-namestring (field request "path")))
  (object "kind" (field request "kind")
          "path" (field request "path")
          "quicklisp" (json-boolean (client-home))))

(defun use-library-tool (kind file)
  "Make the image use the tool KIND, whose setup file or list is FILE."
  (let ((*package* (find-package '#:common-lisp-user)))
    (cond ((string= kind "ocicl") (use-ocicl-list file))
          ((client-at-p file) (note-client-home (client-home)))
          ((client-home)
           (error "The image already uses the Quicklisp client in ~A. Restart the image to use ~A."
                  (file-name (client-home)) (file-name file)))
          (t (let ((*tells-loaded* nil)) (load file))
             (when (client-home)
               (note-client-home (client-home))
               (attach-to-client))))))

(defun use-ocicl-list (file)
  (unless (existing file)
    (error 'simple-file-error :pathname file :format-control "~A does not exist." :format-arguments (list (file-name file))))
  ;; A list that is used later has precedence over the user's own list.
  (unless (member file *ocicl-lists* :test #'equal)
    (setf *ocicl-lists* (if (equal file (global-ocicl-list))
                            (append *ocicl-lists* (list file))
                            (cons file *ocicl-lists*)))))
