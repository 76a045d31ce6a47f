;;;; The variables of a frame that stopped before a form compiled inline. There SBCL records only variables that live as long as their
;;;; function: its step instruction saves no variables, so the other variables do not count as live. Their values can still be found,
;;;; because code with step points keeps each variable in the same place throughout the function.

(in-package #:lisp-workbench/debugger)

(defun variables-at-step (record variables)
  "RECORD's frame has stopped before a form compiled inline. Return those of its VARIABLES that have a value although SBCL does not record
them as live."
  (unless (lacking "finding code that can be stepped through")
    (ignore-errors
     (let* ((frame (frame-record-frame record)) (location (frame-code-location frame)))
       (fill-in-code-location location)
       (when (and (step-location-p location) (eq :internal-error (compiled-code-location-kind location)))
         (multiple-value-bind (same others) (locations-around location (frame-debug-fun frame))
           (let ((names (names-bound-at record location)))
             (remove-if-not
              (lambda (variable)
                (or (some (lambda (at) (valid-at-p variable at)) same)
                    ;; SBCL records a place for the variable at another code location, and no other variable has its name.
                    (and (member (symbol-name (debug-var-symbol variable)) names :test #'string=)
                         (= 1 (count (debug-var-symbol variable) variables :key #'debug-var-symbol))
                         (some (lambda (at) (valid-at-p variable at)) others))))
              variables))))))))

(defun locations-around (location debug-fun)
  "Return two values: the locations in LOCATION's block, from LOCATION on, that belong to the same form; and all locations of DEBUG-FUN."
  (let ((same '()) (all '()))
    (do-debug-fun-blocks (block debug-fun)
      (let ((here nil))
        (do-debug-block-locations (each block)
          (fill-in-code-location each)
          (push each all)
          (when (= (compiled-code-location-pc each) (compiled-code-location-pc location)) (setf here t))
          (when (and here
                     (= (code-location-form-number each) (code-location-form-number location))
                     (equal (compiled-code-location-step-info each) (compiled-code-location-step-info location)))
            (push each same)))))
    (values same all)))

(defun names-bound-at (record location)
  "Return the names of the variables that are bound around the running form, as far as the text of the code shows them."
  (multiple-value-bind (text top node) (ignore-errors (running-form (frame-record-name record) location))
    (declare (ignore text))
    (and node
         (loop for local in (locals-at (list top) (node-start node))
               when (eq :variable (local-kind local)) collect (local-name local)))))

(defun among-variables-at-step (record form)
  "Return FORM, wrapped so that it can also use the variables of RECORD's frame that SBCL does not record as live at the stop."
  (let* ((frame (frame-record-frame record))
         (variables (variables-of (frame-debug-fun frame)))
         (live (remove-if (lambda (variable)
                            (or (valid-at-p variable (frame-code-location frame))
                                (not (eq :unknown (info :variable :kind (debug-var-symbol variable))))))
                          (variables-at-step record variables))))
    (if live
        `(symbol-macrolet ,(loop for variable in live
                                 collect `(,(debug-var-symbol variable) (debug-var-value ',variable ',frame)))
           ,form)
        form)))
