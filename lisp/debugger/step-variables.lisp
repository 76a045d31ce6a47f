;;;; The variables of a frame that stopped before a form which is compiled in line. SBCL notes there only the variables that live as long as
;;;; their function: its instruction for steps saves none, so that none is counted as live. They are all in their places none the less:
;;;; code that has places for steps keeps each variable of its own throughout the function.

(in-package #:lisp-workbench/debugger)

(defun variables-at-step (record variables)
  "Return those of VARIABLES, of RECORD's frame, that have a value where it stopped before a form compiled in line although SBCL notes none."
  (unless (lacking "which code can be stepped through")
    (ignore-errors
     (let* ((frame (frame-record-frame record)) (location (frame-code-location frame)))
       (fill-in-code-location location)
       (when (and (step-location-p location) (eq :internal-error (compiled-code-location-kind location)))
         (multiple-value-bind (same others) (locations-around location (frame-debug-fun frame))
           (let ((names (names-bound-at record location)))
             (remove-if-not
              (lambda (variable)
                (or (some (lambda (at) (valid-at-p variable at)) same)
                    ;; SBCL vouches elsewhere that it has a place, and its name stands for no other.
                    (and (member (symbol-name (debug-var-symbol variable)) names :test #'string=)
                         (= 1 (count (debug-var-symbol variable) variables :key #'debug-var-symbol))
                         (some (lambda (at) (valid-at-p variable at)) others))))
              variables))))))))

(defun locations-around (location debug-fun)
  "Return the locations in the block of LOCATION from there on that are of the same form, and all locations of DEBUG-FUN."
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
  "Return the names of the variables that are bound around the running form in its text, as far as that tells."
  (multiple-value-bind (text top node) (ignore-errors (running-form (frame-record-name record) location))
    (declare (ignore text))
    (and node
         (loop for local in (locals-at (list top) (node-start node))
               when (eq :variable (local-kind local)) collect (local-name local)))))

(defun among-variables-at-step (record form)
  "Return FORM so that it is evaluated with those variables of RECORD's frame, too, that SBCL does not count as live where it stopped."
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
