;;;; Releases of a Quicklisp dist that the image lacks. The image does not download them itself: it asks the core, which verifies each archive
;;;; and installs it in the client's folder. The client then finds them installed. Without a client, the core also determines which releases
;;;; a system needs, and ASDF finds them through a search function of the engine.

(in-package #:lisp-workbench/systems)

(defstruct wanted
  "A request that is waiting for the core. PROBLEM is :NONE until the core has answered; then it is NIL, or the reason of the failure. ANSWER is the
core's message."
  id (problem :none) (answer nil))

(sb-ext:defglobal *wanted* '())
(sb-ext:defglobal *wanted-count* 0)
(sb-ext:defglobal *wanted-lock* (sb-thread:make-mutex :name "lisp-workbench libraries"))
(sb-ext:defglobal *wanted-settled* (sb-thread:make-waitqueue :name "lisp-workbench libraries"))

(sb-ext:defglobal *core-installs* nil
  "True if the core installs releases for this image: T also in the folder of its client, :WITHOUT-CLIENT only if it has none.")

(sb-ext:defglobal *dist-home* nil
  "The directory in which the core installs releases for an image without a Quicklisp client; NIL if the image cannot use it.")

(sb-ext:defglobal *library-guard* 'call-unguarded
  "A function of FUNCTION, a list of releases, the name of the system that needs them, the names of the missing systems, and the projects that are
installed already. It calls FUNCTION with the first three of these arguments once that is allowed.")

(sb-ext:defglobal *dist-guard* 'change-unguarded
  "A function of FUNCTION, a kind of change of the dists, its object, a title, and texts about what changes. It calls FUNCTION with the first three of
these arguments once that is allowed.")

(defun change-unguarded (function change to title facts)
  (declare (ignore facts))
  (funcall function change to title))

(sb-ext:defglobal *guarded-p* (constantly nil) "A function that returns true if effects of the running code need approval.")

(defun call-unguarded (function releases system names installed)
  (declare (ignore installed))
  (funcall function releases system names))

(defun client-function (name &optional (package '#:ql-dist))
  "Return the client's function NAME, or NIL."
  (let* ((package (find-package package)) (symbol (and package (find-symbol name package))))
    (and symbol (fboundp symbol) symbol)))

(defun call-client (name &rest arguments)
  (apply (client-function name) arguments))

;;; Attaching to the client

(defun attach-to-client ()
  "Make the image's Quicklisp client request missing releases from the core, for all releases of a system at once. The client downloads nothing
itself then, except where no core listens, as in a program that was saved from an image."
  (let ((apply-strategy (client-function "APPLY-LOAD-STRATEGY" '#:quicklisp-client))
        (install (client-function "INSTALL")))
    (when (and apply-strategy install)
      (install-advice apply-strategy 'lisp-workbench #'request-releases-of-strategy)
      (install-advice install 'lisp-workbench #'request-release)))
  (let ((update (client-function "UPDATE-IN-PLACE"))
        (update-to-newest (client-function "UPDATE-DIST" '#:quicklisp-client))
        (subscribe (client-function "INSTALL-DIST")))
    (when update (install-advice update 'lisp-workbench #'request-update))
    (when update-to-newest (install-advice update-to-newest 'lisp-workbench #'request-newest))
    (when subscribe (install-advice subscribe 'lisp-workbench #'request-dist))))

(defun core-installs-p ()
  "Return true if the core installs releases for the running code. While the init file is loaded, the core is not ready for that."
  (and *core-installs* *evaluation* (or (eq t *core-installs*) (not (client-home))) (not (prefixed-p "init-" (evaluation-id *evaluation*)))))

(defun request-releases-of-strategy (original strategy)
  (when (core-installs-p)
    (install-releases (funcall (client-function "QUICKLISP-RELEASES" '#:quicklisp-client) strategy)
                      (call-client "NAME" strategy)))
  (funcall original strategy))

(defun request-release (original object)
  "Make the core install OBJECT if it is a release. Other objects are systems, whose releases are installed, and dists."
  (let ((release-class (find-class (find-symbol "RELEASE" '#:ql-dist) nil)))
    (cond ((not (and (core-installs-p) release-class (typep object release-class))) (funcall original object))
          (t (install-releases (list object) (call-client "NAME" object))
             object))))

(defun request-update (original old new)
  "Make the core change the dist OLD to the version NEW, with everything that is installed from it."
  (if (core-installs-p)
      (update-dist (call-client "NAME" old) (call-client "VERSION" new))
      (funcall original old new)))

(defun request-newest (original dist &rest options)
  "If the running code is guarded, make the core change DIST, a dist or its name, to its newest version. Otherwise let the client look for it, and
ask the person."
  (if (and (core-installs-p) (funcall *guarded-p*))
      (update-dist (if (stringp dist) dist (call-client "NAME" dist)) nil)
      (apply original dist options)))

(defun update-dist (name version)
  "Make the core change the dist NAME to VERSION, or to its newest version if VERSION is NIL."
  (let* ((answer (ask-core "dist-change-sought" name "dist" name "version" version))
         (target (field answer "version")))
    (cond (target
           (funcall *dist-guard* 'change-dist "update" (format nil "~A ~A" name target)
                    (format nil "the dist ~A ~A" name target) (coerce (field answer "notes") 'list))
           ;; ASDF must look up the systems at their new places.
           (forget-moved-systems))
          (t (format t "~&; The dist ~A is up to date.~%" name)))))

(defun request-dist (original url &rest options)
  "Make the core subscribe to the dist at URL, a string."
  (if (and (core-installs-p) (stringp url))
      (funcall *dist-guard* 'change-dist "subscribe" url (format nil "the dist at ~A" url) '())
      (apply original url options)))

(defun change-dist (change to title)
  "Make the core change the dists: CHANGE is \"update\", with TO a name and a version, or \"subscribe\", with TO an address."
  (format t "~&; ~A~%" title)
  (finish-output)
  (ask-core "dist-change-wanted" to "change" change "to" to))

(defun forget-moved-systems ()
  "Make ASDF forget the libraries whose definition files do not exist any more, because their dist was updated. Loaded code stays."
  (let ((home (file-name (or (client-home) *dist-home*))))
    (dolist (name (and home (asdf:registered-systems)))
      (let ((file (ignore-errors (asdf:system-source-file (asdf:registered-system name)))))
        (when (and file (prefixed-p home (file-name file)) (not (existing file)))
          (asdf:clear-system name))))))

;;; Requests

(defstruct release-facts
  "A release that the core can install. SYSTEMS are the names of its systems that are needed; NIL if they are unknown."
  dist version project prefix size md5 licence systems)

(defstruct plan
  "The result of a dry run: the releases that would be installed, and the needed projects that are installed."
  (releases '()) (installed '()))

(defvar *planned* nil "The plan of a dry run, which installs nothing; NIL for a real installation.")

(defun guard-or-plan (releases system names installed)
  "Make the core install RELEASES once that is allowed, or note them in the plan of a dry run."
  (cond (*planned*
         (setf (plan-releases *planned*)
               (remove-duplicates (append (plan-releases *planned*) releases)
                                  :key #'release-facts-prefix :test #'string= :from-end t)
               (plan-installed *planned*)
               (remove-duplicates (append (plan-installed *planned*) installed) :test #'string= :from-end t)))
        (t (funcall *library-guard* 'fetch-releases releases system names installed))))

(defun object-of-release (release)
  (object "dist" (release-facts-dist release) "version" (release-facts-version release)
          "project" (release-facts-project release) "prefix" (release-facts-prefix release)
          "size" (release-facts-size release) "md5" (release-facts-md5 release)
          "licence" (release-facts-licence release)))

(defun install-releases (releases system &optional (names (list system)))
  "Make the core install those RELEASES, objects of the client, that are not installed. The system SYSTEM needs them, because the systems NAMES are
missing."
  (let ((missing (remove-if (lambda (release) (call-client "INSTALLEDP" release))
                            (remove-duplicates releases :key (lambda (release) (call-client "PREFIX" release))
                                                        :test #'equal :from-end t))))
    (when missing
      (multiple-value-bind (facts installed)
          (releases-of-core system "projects" (array-of (mapcar (lambda (release) (call-client "PROJECT-NAME" release)) missing)))
        (guard-or-plan (loop for release in missing
                             for known = (find (call-client "PREFIX" release) facts :key #'release-facts-prefix :test #'string=)
                             collect (facts-of-client release (and known (release-facts-licence known))))
                       system names installed)))))

(defun facts-of-client (release licence)
  (let ((dist (call-client "DIST" release)))
    (make-release-facts :dist (call-client "NAME" dist) :version (call-client "VERSION" dist)
                        :project (call-client "PROJECT-NAME" release) :prefix (call-client "PREFIX" release)
                        :size (call-client "ARCHIVE-SIZE" release) :md5 (call-client "ARCHIVE-MD5" release)
                        :licence licence)))

(defun install-systems (system names)
  "In an image without a client, make the core install the releases that the systems NAMES need and that ASDF does not find. The system SYSTEM needs
them. Systems that no dist has are left out."
  (multiple-value-bind (facts installed) (releases-of-core system "systems" (array-of names))
    (let ((missing (remove-if (lambda (release)
                                (let ((systems (release-facts-systems release)))
                                  (and systems (every (lambda (name) (ignore-errors (asdf:find-system name nil))) systems))))
                              facts)))
      (when missing
        (guard-or-plan missing system names installed)))))

(defun releases-of-core (system field names)
  "Return the releases that the core finds for NAMES, an array of strings, and the names of the needed projects that are installed already. FIELD
tells whether they are names of systems or of projects. The system SYSTEM needs them."
  (let ((answer (ask-core "libraries-sought" system field names)))
    (values (map 'list (lambda (record)
                         (make-release-facts :dist (field record "dist") :version (field record "version")
                                             :project (field record "project") :prefix (field record "prefix")
                                             :size (field record "size") :md5 (field record "md5")
                                             :licence (field record "licence")
                                             :systems (coerce (field record "systems") 'list)))
                 (field answer "releases"))
            (coerce (field answer "installed") 'list))))

(defvar *fetched* '() "The projects whose releases were installed during the running operation.")

(defun fetch-releases (releases system names)
  "Make the core install RELEASES, and wait. Signal an error with the core's reason if that fails."
  (declare (ignore names))
  (format t "~&; Installing ~{~A~^, ~}~%" (mapcar #'release-facts-project releases))
  (finish-output)
  (ask-core "libraries-wanted" system
            "releases" (array-of (mapcar #'object-of-release releases)))
  (setf *fetched* (append *fetched* (mapcar #'release-facts-project releases))))

(defun ask-core (event system &rest fields)
  "Send EVENT with FIELDS, names and values, wait for the core's answer, and return it. The system SYSTEM needs libraries. Signal an error with the core's reason if
it failed."
  (let ((wanted (make-wanted :id (sb-thread:with-mutex (*wanted-lock*) (format nil "l~D" (incf *wanted-count*)))))
        (over nil))
    (unwind-protect
         (progn
           (sb-thread:with-mutex (*wanted-lock*) (push wanted *wanted*))
           (apply #'send-event event
                  "request" (wanted-id wanted)
                  "subject" system
                  "evaluation" (and *evaluation* (evaluation-id *evaluation*))
                  "actor" (and *evaluation* (evaluation-actor *evaluation*))
                  "home" (file-name (or (client-home) *dist-home*))
                  fields)
           (with-parked-worker () (wait-until-settled wanted))
           (setf over t))
      (sb-thread:with-mutex (*wanted-lock*) (setf *wanted* (remove wanted *wanted*)))
      (unless over (send-event "libraries-abandoned" "request" (wanted-id wanted))))
    (when (wanted-problem wanted)
      (error (if (prefixed-p "dist-" event) "The dist ~A was not changed. ~A" "The libraries for ~A were not installed. ~A")
             system (wanted-problem wanted)))
    (wanted-answer wanted)))

(defun wait-until-settled (wanted)
  "Wait until the core has answered WANTED. Allow interrupts only while this thread does not hold the lock, because a thread that entered the
debugger with the lock would block the thread that delivers the answer."
  (without-interrupts
    (sb-thread:with-mutex (*wanted-lock*)
      (loop while (eq (wanted-problem wanted) :none)
            do (allow-with-interrupts (sb-thread:condition-wait *wanted-settled* *wanted-lock*))))))

(define-operation "settle-libraries" (:control request)
  (sb-thread:with-mutex (*wanted-lock*)
    (let ((wanted (find (field request "request") *wanted* :key #'wanted-id :test #'equal)))
      (when wanted
        (setf (wanted-answer wanted) request
              (wanted-problem wanted) (field request "problem"))
        (sb-thread:condition-broadcast *wanted-settled*))
      (object "found" (json-boolean wanted)))))

;;; Without a client

(defun installs-without-client-p ()
  "Return true if the core installs releases for the running code, and the image has no Quicklisp client."
  (and *dist-home* (not (client-home)) (core-installs-p)))

(defun find-in-dists (name)
  "Return the file of the installed release that defines the system NAME; NIL if none does, or if the image has a client. A search function of
ASDF."
  (when (and *dist-home* (not (client-home)))
    (loop for dist in (dists-by-preference)
          for record = (trimmed-text-of (merge-pathnames (make-pathname :directory '(:relative "installed" "systems")
                                                                        :name (asdf:primary-system-name name) :type "txt")
                                                         dist))
          for file = (and (plusp (length record))
                          (existing (merge-pathnames (sb-ext:parse-native-namestring record) *dist-home*)))
          when file return file)))

(defun dists-by-preference ()
  "Return the directories of the enabled dists, the preferred one first."
  (flet ((preference (dist)
           (or (parse-integer (trimmed-text-of (merge-pathnames "preference.txt" dist)) :junk-allowed t) 0)))
    (stable-sort (remove-if-not (lambda (dist) (existing (merge-pathnames "enabled.txt" dist)))
                                (listed (merge-pathnames "dists/" *dist-home*) "*/"))
                 #'> :key #'preference)))
