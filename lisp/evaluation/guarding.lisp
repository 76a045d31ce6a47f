;;;; Whose effects outside the image are asked for. What the code does is decided in effects/; here is only who does it, since
;;;; every part of the engine that starts a thread or runs code has to say so.

(in-package #:lisp-workbench/evaluation)

(defvar *guard* nil
  "Whether what this thread does outside the image is asked for first. MAIN sets the global value to true: code that nobody vouches
for, such as a finalizer's, counts as an agent's. Bound to false in the engine's own threads and in what the person evaluates.")

(defvar *may-wait* t
  "False in code that interrupts a thread: what it tries is denied at once, since that thread must go on.")

(sb-ext:defglobal *own-folders* '())    ; real names of folders that the engine made for its own work just now

(defmacro without-guard (&body body)
  "For the engine's own work in the midst of guarded code. BODY must run nothing of the user's."
  `(let ((*guard* nil)) ,@body))
