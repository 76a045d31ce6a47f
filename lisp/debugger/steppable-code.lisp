;;;; Code that can be stepped through, because the compiler inserted step points in it.

(in-package #:lisp-workbench/debugger)

(defun steps-in-p (debug-fun)
  "Return true if a step can stop in the code of DEBUG-FUN, or if this SBCL cannot determine that."
  (or (lacking "finding code that can be stepped through")
      (handler-case
          (progn
            (do-debug-fun-blocks (block debug-fun)
              (do-debug-block-locations (location block)
                (fill-in-code-location location)
                (when (step-location-p location) (return-from steps-in-p t))))
            nil)
        (debug-condition () nil)
        (error () nil))))

(defun step-location-p (location)
  "Return true if LOCATION is a step point."
  (plusp (length (compiled-code-location-step-info location))))

(defun steppable-code-p (function)
  "Return true if a step can stop in the code of FUNCTION or of a local function within it."
  (or (lacking "finding code that can be stepped through")
      (and (compiled-function-p function)
           (let ((code (fun-code-header (%fun-fun function))) (seen '()))
             ;; Not every version of SBCL lists the functions in a code component, so the functions are found by their addresses.
             (loop for pc from 0 below (%code-text-size code) by 8
                   for debug-fun = (ignore-errors (debug-fun-from-pc code pc))
                   thereis (and debug-fun
                                (not (member debug-fun seen :test #'eq))
                                (progn (push debug-fun seen)
                                       (and (not (top-level-name-p (debug-fun-name debug-fun)))
                                            (steps-in-p debug-fun)))))))))

(defun top-level-name-p (name)
  "Return true if NAME is the name of a top-level form's code. Such code is in the same component as the functions that the form defines."
  (and (consp name) (eq (first name) 'lambda) (null (second name))
       (let ((owner (getf (cddr name) :in))) (or (null owner) (stringp owner)))))

;;; Where steps from a debugger can stop

(defun steps-object (debugger)
  "Return an object that specifies which steps from DEBUGGER will be able to stop: `within` for \"step into\" and \"step over\", and `out`
for \"step out\". If DEBUGGER stopped at a step, both are true. Otherwise they are true only if the stack contains code that was compiled
for stepping."
  (let ((condition (debugger-condition debugger)))
    (if (typep condition 'sb-ext:step-condition)
        (object "within" t "out" t)
        (let* ((frames (remove-if-not #'relevant-name-p (debugger-frames debugger) :key #'frame-record-name))
               (outer (and (plusp (length frames)) (some #'steppable-frame-p (subseq frames 1)))))
          (object "within" (json-boolean (or outer
                                             (some #'steppable-frame-p frames)
                                             (and (typep condition 'function-entered) (enters-steps-p condition))))
                  "out" (json-boolean outer))))))

(defun steppable-frame-p (record)
  (and (null (frame-record-entered record))
       (steps-in-p (frame-debug-fun (frame-record-frame record)))))

(defun enters-steps-p (condition)
  "Return true if the function at whose entry CONDITION stopped can be stepped through, now or after it is compiled for debugging."
  (some (lambda (body)
          (or (steppable-code-p (body-code body))
              (ignore-errors (if (typep body 'method) (method-definition body) (source-form body)))))
        (bodies-of (entered-name condition) (entered-arguments condition))))
