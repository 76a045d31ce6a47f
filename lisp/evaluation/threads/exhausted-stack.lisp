;;;; Waiting in the debugger with an exhausted control stack. The stack pointer of such a thread is on the guard page, which SBCL has
;;;; unprotected. Only this page is left; using more stack would end the image. SBCL protects the guard page again when the stack has
;;;; unwound and the thread touches the page above it. Until then the thread waits, and other threads do all work that needs more stack.

(in-package #:lisp-workbench/evaluation)

(defconstant +least-left+ 16000
  "The number of octets that a thread needs to wait in the debugger: waiting takes 5,000, and a signal during the wait takes another 5,000.")

(defun room-to-wait-p (condition)
  "Return true if this thread can wait in the debugger because of CONDITION: its stack is not exhausted, or enough stack is left."
  (cond ((stack-exhaustion-p condition) (and (exhausted-p condition) (enough-left-p)))
        (*exhausted* (enough-left-p))
        (t t)))

(defun exhausted-p (condition)
  "Return true if CONDITION means that this thread's control stack is exhausted, in a version of SBCL in which a thread can wait with such a
stack."
  (and (not (lacking "debugging after stack exhaustion"))
       (typep condition 'control-stack-exhausted)))

(defun enough-left-p ()
  (> (stack-left) +least-left+))

(defun stack-start ()
  "Return the lowest address of this thread's control stack, which grows down. The thread must never reach the lowest page of the stack."
  (get-lisp-obj-address *control-stack-start*))

(defun stack-page ()
  (sb-alien:extern-alien "os_vm_page_size" sb-alien:unsigned))

(defun stack-left ()
  "Return the number of octets between the top of this thread's control stack and the page that must never be reached."
  (- (sb-sys:sap-int (current-sp)) (stack-start) (stack-page)))

(defun beyond-return-p (address)
  "Return true if ADDRESS is so near the end of this thread's control stack that code resumed there would run without a guard page."
  ;; The page that must never be reached, the guard page, and the page that restores the guard page when it is touched.
  (< (stack-start) address (+ (stack-start) (* 4 (stack-page)))))

(defun put-guard-back ()
  "If the guard page is unprotected, restore it by touching the page that triggers this. If a thread ended without a guard page, the next
thread that gets the same memory would have none either, and SBCL would end if that thread's stack were exhausted. Call this after the stack
is unwound, because cleanup forms still run at the depth where the unwinding began."
  (unless (lacking "debugging after stack exhaustion")
    (unless (beyond-return-p (sb-sys:sap-int (current-sp)))
      (setf (sb-sys:sap-ref-8 (sb-sys:int-sap (+ (stack-start) (* 2 (stack-page)))) 0) 0))))

(defvar *nested-tag* nil "The tag to which a failure is thrown. The throw ends the code that runs in the debugger of a thread with an
exhausted stack.")
(defvar *end-of-thread* nil "The tag to throw to in order to end a thread that evaluated code created.")

(defun call-to-end-of-thread (function)
  "Call FUNCTION, the work of a thread that evaluated code created. Afterwards, always restore the guard page. The ABORT restart established
here replaces SBCL's, which would end the thread while its stack is still exhausted."
  (let ((outer (length (compute-restarts)))
        (tag (list nil)))
    (catch tag
      (return-from call-to-end-of-thread
        (multiple-value-prog1
            (let ((*outer-restarts* outer) (*end-of-thread* tag))
              (restart-case (funcall function)
                (abort ()
                  :report (lambda (stream) (format stream "Abort the thread ~A." (thread-label)))
                  (throw tag nil))))
          (put-guard-back))))
    (put-guard-back)
    (sb-thread:abort-thread)))

(defun end-user-thread ()
  "End this thread, which evaluated code created."
  (if *end-of-thread*
      (throw *end-of-thread* nil)
      (sb-thread:abort-thread)))

(defun call-with-room (function)
  "Call FUNCTION and return its values. If this thread's stack is exhausted, call FUNCTION in a new thread."
  (if *exhausted*
      (call-on-fresh-stack function)
      (funcall function)))

(defun call-on-fresh-stack (function)
  "Call FUNCTION in a new thread with this thread's variables, and return its values. An error that FUNCTION does not handle ends the code
that this thread runs. In the new thread, code that reads input gets an end of file."
  (let* ((variables (append *inherited-variables* *stream-variables* '(*evaluation* *guard* *lends* *persons-code* *author* *form-authors*)))
         (values (mapcar #'symbol-value variables))
         (failed nil)
         (results '())
         (thread (start-engine-thread
                  (lambda ()
                    (progv variables values
                      (let ((*ask-in-place* (constantly nil)))
                        (handler-case (setf results (multiple-value-list (funcall function)))
                          (serious-condition (condition)
                            (setf failed (condition-object condition '() "evaluation" nil))))))
                    (put-guard-back))
                  "lisp-workbench room for an exhausted stack")))
    (unwind-protect (with-parked-worker () (sb-thread:join-thread thread :default nil))
      (when (sb-thread:thread-alive-p thread) (ignore-errors (sb-thread:terminate-thread thread))))
    (if failed
        (end-with-failure failed)
        (values-list results))))

(defun start-engine-thread (function name)
  "Start a thread that belongs to no evaluation. Interrupts are disabled while the thread is created: the creating thread has no evaluation
during that time, so an interrupt for its evaluation would find none."
  (without-interrupts
    (let ((*evaluation* nil) (*guard* nil))
      (sb-thread:make-thread function :name name))))

(defun refuse (message)
  "End the code of the evaluation that runs in this thread. Report MESSAGE, and do not enter another debugger."
  (end-with-failure (report-object "ERROR" message '() "evaluation" nil)))

(defun end-with-failure (failure)
  "End the code of the evaluation that runs in this thread, with FAILURE as its condition if that can be reported."
  (cond ((eq (evaluation-thread *evaluation*) sb-thread:*current-thread*)
         (throw (evaluation-tag *evaluation*) (list :failed failure)))
        (*nested-tag* (throw *nested-tag* failure))
        (t (abort))))
