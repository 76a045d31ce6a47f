;;;; Prove. Its checks are forms in a file, so there are no tests that could be listed or run individually.

(in-package #:lisp-workbench/testing)

(defclass prove (framework) ()
  (:default-initargs :name "prove" :package '#:prove.suite))

(defclass prove-part (framework) ()
  (:documentation "An adapter for another package of Prove, used only to look up its names."))

(defvar *prove-reports* (make-instance 'prove-part :name "prove" :package '#:prove.report))

(add-framework (make-instance 'prove))

(defmethod list-tests ((framework prove)) '())

(defmethod run-listed ((framework prove) listed debug)
  (declare (ignore listed debug))
  (error "Prove has no tests that can be run by name."))
