;;;; Prove. Its checks are forms of a file, so none is a test that could be listed or run alone.

(in-package #:lisp-workbench/testing)

(defclass prove (framework) ()
  (:default-initargs :name "prove" :package '#:prove.suite))

(defclass prove-part (framework) ()
  (:documentation "A further package of Prove, for its names."))

(defvar *prove-reports* (make-instance 'prove-part :name "prove" :package '#:prove.report))

(add-framework (make-instance 'prove))

(defmethod list-tests ((framework prove)) '())

(defmethod run-listed ((framework prove) listed debug)
  (declare (ignore listed debug))
  (error "Prove has no tests that can be run by name."))
