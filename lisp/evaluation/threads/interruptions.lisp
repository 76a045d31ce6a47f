;;;; Delivers interruptions to a thread one at a time. SBCL 2.2.9 collects interruptions while a thread cannot be interrupted. If these
;;;; interruptions then unwind, SBCL serves them nested, and ends the process at the ninth ("maximum interrupt nesting depth (8) exceeded").
;;;; Therefore the engine passes at most one interruption at a time to SBCL. The others wait here; the clock sends the next one after the
;;;; previous one has had time to unwind.

(in-package #:lisp-workbench/evaluation)

(defstruct (interruptions (:copier nil) (:predicate nil))
  "The interruptions of THREAD. WAITING is the list of their functions in the order of service. SENT is true while SBCL has an interruption
that it has not served. SERVED is the internal real time at which the latest interruption was served."
  thread send (waiting '() :type list) (sent nil) (served 0 :type unsigned-byte))

(sb-ext:defglobal *interruptions* '() "The INTERRUPTIONS of each live thread that has been interrupted.")
(sb-ext:defglobal *interruptions-lock* (sb-thread:make-mutex :name "lisp-workbench interruptions"))

(defmacro with-interruptions-lock (() &body body)
  `(without-interrupts
     (sb-thread:with-mutex (*interruptions-lock*) ,@body)))

(defun interrupt-in-turn (original thread function)
  "Interrupt THREAD with ORIGINAL, SBCL's INTERRUPT-THREAD. Make THREAD call FUNCTION after the functions of earlier interruptions."
  (if (or (eq thread sb-thread:*current-thread*) (not (sb-thread:thread-alive-p thread)))
      (funcall original thread function)
      (let ((interruptions (with-interruptions-lock ()
                             (let ((known (interruptions-of thread original)))
                               (setf (interruptions-waiting known) (nconc (interruptions-waiting known) (list function)))
                               known))))
        (prog1 (send-next-interruption interruptions)
          (when (interruptions-waiting interruptions)
            (sb-ext:atomic-push interruptions (symbol-value '*interrupted*))
            (keep-clock-awake))))))

(defun interruptions-of (thread send)
  "Return the INTERRUPTIONS of THREAD; create them if necessary. The caller must hold the lock."
  (or (find thread *interruptions* :key #'interruptions-thread)
      (let ((new (make-interruptions :thread thread :send send)))
        (setf *interruptions*
              (cons new (remove-if-not #'sb-thread:thread-alive-p *interruptions* :key #'interruptions-thread)))
        new)))

(defun send-next-interruption (interruptions)
  "Make SBCL interrupt the thread for the next of INTERRUPTIONS. Do nothing if the previous interruption was not served yet, or may not have
unwound yet."
  (let ((thread (interruptions-thread interruptions)) (begun nil))
    (when (with-interruptions-lock ()
            (and (interruptions-waiting interruptions)
                 (not (interruptions-sent interruptions))
                 (> (- (get-internal-real-time) (interruptions-served interruptions)) (* +tick+ internal-time-units-per-second))
                 (setf (interruptions-sent interruptions) t)))
      (unwind-protect
           (prog1 (funcall (interruptions-send interruptions) thread (lambda () (serve-interruptions interruptions)))
             (setf begun t))
        (unless begun (setf (interruptions-sent interruptions) nil))))))

(defun serve-interruptions (interruptions)
  "Call the functions of INTERRUPTIONS one after the other. If a function unwinds, the functions after it continue to wait. Called in the
interrupted thread."
  ;; SENT is cleared only once: another interruption may be sent while a function runs, and SBCL leaves it pending until the function has
  ;; returned.
  (setf (interruptions-sent interruptions) nil)
  (loop for function = (with-interruptions-lock ()
                         (setf (interruptions-served interruptions) (get-internal-real-time))
                         (pop (interruptions-waiting interruptions)))
        while function
        do (funcall function)))

(defun forget-interruptions ()
  "Discard the interruptions sent to threads of the process from which this process was forked."
  (setf *interruptions* '()))

(defun send-waiting-interruptions ()
  "Send the next waiting interruption of each thread. Called by the clock."
  (loop for all = *interrupted*
        while all
        do (when (eq all (sb-ext:compare-and-swap (symbol-value '*interrupted*) all '()))
             (dolist (interruptions (remove-duplicates all))
               (when (sb-thread:thread-alive-p (interruptions-thread interruptions))
                 (ignore-errors (send-next-interruption interruptions))
                 (when (interruptions-waiting interruptions)
                   (sb-ext:atomic-push interruptions (symbol-value '*interrupted*)))))
             (return))))
