;;;; A thread whose control stack is exhausted stands on the guard page, which SBCL has opened for it: what is left is this page, and
;;;; who goes beyond it ends the image. SBCL puts the guard back when the thread touches the page above, after it has gone back from
;;;; there. Until then the thread waits, and others do what needs room.

(in-package #:lisp-workbench/evaluation)

(defconstant +least-left+ 16000
  "Octets that a thread must have left to wait in the debugger: it takes 5,000, a signal that comes meanwhile as many again.")

(defun room-to-wait-p (condition)
  "True when this thread can wait in the debugger because of CONDITION: enough of its stack is left, or it is not exhausted."
  (cond ((stack-exhaustion-p condition) (and (exhausted-p condition) (enough-left-p)))
        (*exhausted* (enough-left-p))
        (t t)))

(defun exhausted-p (condition)
  "True when CONDITION is that this thread's control stack is exhausted, in a SBCL where a thread can wait with such a stack."
  (and (not (lacking "debugging after stack exhaustion"))
       (typep condition 'control-stack-exhausted)))

(defun enough-left-p ()
  (> (stack-left) +least-left+))

(defun stack-start ()
  "Return the lowest address of this thread's control stack, which grows down to it: its first page may never be reached."
  (get-lisp-obj-address *control-stack-start*))

(defun stack-page ()
  (sb-alien:extern-alien "os_vm_page_size" sb-alien:unsigned))

(defun stack-left ()
  "Return the number of octets between the top of this thread's control stack and the page that may never be reached."
  (- (sb-sys:sap-int (current-sp)) (stack-start) (stack-page)))

(defun beyond-return-p (address)
  "True when ADDRESS is in the control stack of this thread, so near to its end that code which goes on there would find no guard."
  ;; The page that may never be reached, the guard, and the page whose touch puts the guard back.
  (< (stack-start) address (+ (stack-start) (* 4 (stack-page)))))

(defun put-guard-back ()
  "Touch the page whose touch puts the guard back, should it be away. A thread that ends without a guard leaves its stack so to the next
one that gets the same memory, and SBCL ends when that one grows as far. For call when the stack is unwound: cleanup forms still stand
where the unwinding began."
  (unless (lacking "debugging after stack exhaustion")
    (unless (beyond-return-p (sb-sys:sap-int (current-sp)))
      (setf (sb-sys:sap-ref-8 (sb-sys:int-sap (+ (stack-start) (* 2 (stack-page)))) 0) 0))))

(defvar *nested-tag* nil "The tag to throw a failure to that ends what runs in the debugger of such a thread.")
(defvar *end-of-thread* nil "The tag to throw to for the end of a thread that evaluated code made.")

(defun call-to-end-of-thread (function)
  "Call FUNCTION, the work of a thread that evaluated code made, and see to the guard whichever way it ends. Its restart ABORT stands for that
of SBCL, which would end the thread on what is left of its stack."
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
  "End this thread, which evaluated code made."
  (if *end-of-thread*
      (throw *end-of-thread* nil)
      (sb-thread:abort-thread)))

(defun call-with-room (function)
  "Call FUNCTION and return its values: in a thread of its own while the stack of this one is exhausted."
  (if *exhausted*
      (call-on-fresh-stack function)
      (funcall function)))

(defun call-on-fresh-stack (function)
  "Call FUNCTION in a thread of its own, with this thread's variables, and return its values. An error that it does not handle ends
what this thread does by it. Code that reads finds the end of file."
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
  "Start a thread of no evaluation, whoever starts it. Interrupts are off meanwhile: one for this thread's evaluation would not find it."
  (without-interrupts
    (let ((*evaluation* nil) (*guard* nil))
      (sb-thread:make-thread function :name name))))

(defun refuse (message)
  "End what the evaluation's code does in this thread with MESSAGE, without a further debugger."
  (end-with-failure (report-object "ERROR" message '() "evaluation" nil)))

(defun end-with-failure (failure)
  "End what the evaluation's code does in this thread, with FAILURE as its condition where that can be told."
  (cond ((eq (evaluation-thread *evaluation*) sb-thread:*current-thread*)
         (throw (evaluation-tag *evaluation*) (list :failed failure)))
        (*nested-tag* (throw *nested-tag* failure))
        (t (abort))))
