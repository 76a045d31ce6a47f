;;; Re-indents files as SLIME does: Emacs in batch, connected to a Swank server whose image holds the libraries.
;;; Called by compare.mjs with PORT, and a file that lists pairs of lines: the file to read, the file to write.

(require 'cl-lib)
(require 'slime)
(setq inhibit-message t
      indent-tabs-mode nil
      slime-protocol-version 'ignore
      enable-local-variables nil)
(slime-setup '(slime-fancy))

(defun await (what true-p)
  "Let processes speak until TRUE-P returns true; give up after two minutes."
  (let ((end (+ (float-time) 120)))
    (while (not (funcall true-p))
      (when (> (float-time) end) (error "Emacs waited in vain for %s" what))
      (accept-process-output nil 0.05))))

(defun learned () (hash-table-count common-lisp-system-indentation))

(cl-destructuring-bind (port list) command-line-args-left
  (setq command-line-args-left nil)
  (slime-connect "127.0.0.1" (string-to-number port))
  (await "the connection" (lambda () (and (slime-connected-p) (member "SWANK-INDENTATION" (slime-lisp-modules)))))
  (slime-eval '(swank:update-indentation-information))
  (await "the indentation of macros" (lambda () (> (learned) 100)))
  (let ((before 0))
    ;; The macros come in one message or several; two looks that are equal mean that the last has been taken.
    (while (/= before (learned))
      (setq before (learned))
      (slime-eval '(swank:update-indentation-information))
      (accept-process-output nil 1)))
  (let (pairs)
    (with-temp-buffer
      (insert-file-contents list)
      (while (not (eobp))
        (push (buffer-substring (line-beginning-position) (line-end-position)) pairs)
        (forward-line 1)))
    (setq pairs (nreverse pairs))
    (while pairs
      (let ((from (pop pairs)) (to (pop pairs)) (coding-system-for-read 'utf-8) (coding-system-for-write 'utf-8))
        (with-temp-buffer
          (insert-file-contents from)
          (lisp-mode)
          (slime-mode 1)
          (setq indent-tabs-mode nil)
          (indent-region (point-min) (point-max))
          (write-region (point-min) (point-max) to nil 'quiet))))))
(kill-emacs 0)
