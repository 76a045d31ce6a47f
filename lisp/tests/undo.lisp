(cl:in-package #:lisp-workbench/tests)
