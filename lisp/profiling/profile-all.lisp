;;;; The operations `start-profile`, `stop-profile` and `profile-state`. They profile all threads from start to stop, regardless of which
;;;; code runs.

(in-package #:lisp-workbench/profiling)

(sb-ext:defglobal *profile-of-all* nil) ; the active SAMPLING of all threads, or NIL

(define-operation "start-profile" (:looking-up request)
  (object "problem" (handler-case (progn (start-profile-of-all (mode-named (field request "mode"))) nil)
                      (error (condition) (print-report condition 500)))))

(define-operation "stop-profile" (:looking-up request)
  (let ((sampling *profile-of-all*))
    (object "profile" (and sampling
                           (unwind-protect (profile-of-all sampling (field request "limit"))
                             (forget-profile-of-all))))))

(define-operation "profile-state" (:looking-up request)
  request
  (let ((sampling *profile-of-all*))
    (object "elapsedMs" (and sampling (/ (- (microseconds) (sampling-started sampling)) 1000)))))

(defun start-profile-of-all (mode)
  (claim-profiler :all)
  (let ((sampling (make-sampling :mode mode :interval 1/200 :started (microseconds))) (started nil))
    (unwind-protect
         (progn (start-sampling sampling)
                (setf *profile-of-all* sampling
                      started t))
      (unless started (forget-profile-of-all)))))

(defun forget-profile-of-all ()
  (setf *profile-of-all* nil)
  (sb-ext:compare-and-swap (symbol-value '*profiler*) :all nil))

(defun profile-of-all (sampling limit)
  (let ((elapsed (- (microseconds) (sampling-started sampling))))
    (stop-sampling sampling)
    (when (sampling-problem sampling) (error "~A" (sampling-problem sampling)))
    (profile-object (or (sampling-stacks sampling) (make-hash-table :test #'equal)) elapsed '() limit)))

(defun profiling-reason ()
  "Return a sentence that says that a profile of all threads is being taken; NIL if none is. During such a profile the image cannot be
forked, because the profiler's signals would reach the forked process."
  (and *profile-of-all* "A profile of all threads is being recorded."))

(defun stack-in-thread (thread trace)
  "Return the stack of THREAD in TRACE, root first: the text \"all threads\", the thread's name, and the names of the user's frames. Omit
the frames of SBCL and the engine that lead to the user's code. Return NIL if there are no user frames, as in the engine's idle threads."
  (let ((names '()) (count 0))
    (map-trace-pc-locs (lambda (info place)
                         (declare (ignore place))
                         (let ((name (frame-name info)))
                           (when (and name (< count +deepest-stack+) (not (engine-frame-name-p name))
                                      (or names (not (beginning-name-p name))))
                             (incf count)
                             (push name names))))
                       trace)
    (loop while (and names (allocation-name-p (first names))) do (pop names))
    (and names
         (list* "all threads"
                (format nil "thread ~A" (let ((name (sb-thread:thread-name thread))) (if (stringp name) name "(unnamed)")))
                (nreverse names)))))

(defun beginning-name-p (name)
  "Return true if a frame called NAME, at the root of a stack, belongs to foreign code or SBCL."
  (typecase name
    (string t)
    (symbol (let ((package (symbol-package name)))
              (or (null package) (eq package (find-package '#:common-lisp)) (prefixed-p "SB-" (package-name package)))))
    (cons (let ((symbol (find-if #'named-by-package-p (flat-names name))))
            (or (null symbol) (beginning-name-p symbol))))
    (t nil)))

(defun flat-names (name)
  "Return the symbols in NAME, such as (FLET SEND :IN SERVE), last first."
  (let ((found '()))
    (labels ((walk (part)
               (cond ((consp part) (walk (car part)) (walk (cdr part)))
                     ((and part (symbolp part)) (push part found)))))
      (ignore-errors (walk name)))
    found))

(defun named-by-package-p (symbol)
  "Return true if the package of SYMBOL indicates who wrote the code. Return false for symbols that can occur in any such name, such as
FLET."
  (not (or (keywordp symbol) (member symbol '(lambda flet labels setf method)) (member symbol lambda-list-keywords))))
