;;; Emacs in batch with SLIME for tests: evaluates a form of each line of its standard input, and answers with a line.

(require 'cl-lib)
(require 'slime)
(setq inhibit-message t
      indent-tabs-mode nil
      slime-protocol-version 'ignore
      slime-kill-without-query-p t
      enable-local-variables nil)
(slime-setup '(slime-fancy))

(defun await (what true-p)
  "Let processes speak until TRUE-P returns true, and return that; give up after a minute."
  (let ((end (+ (float-time) 60)) (result nil))
    (while (not (setq result (funcall true-p)))
      (when (> (float-time) end) (error "Emacs waited in vain for %s" what))
      (accept-process-output nil 0.02))
    result))

(defun connect-slime (port)
  (slime-connect "127.0.0.1" port)
  (await "the REPL" (lambda () (and (slime-connected-p) (slime-connection-output-buffer))))
  (slime-lisp-implementation-name))

(defun visit (file text)
  "Write TEXT to FILE, and visit it as a person would."
  (with-temp-buffer (insert text) (write-region (point-min) (point-max) file nil 'quiet))
  (switch-to-buffer (find-file-noselect file))
  (lisp-mode)
  (slime-mode 1)
  (buffer-name))

(defun go-behind (text)
  (goto-char (point-min))
  (search-forward text)
  (line-number-at-pos))

(defun eval-last-expression-there ()
  "What C-x C-e says in the echo area."
  (let ((said nil))
    (cl-letf (((symbol-function 'message) (lambda (&rest args) (when (car args) (setq said (apply #'format args))))))
      (slime-eval-last-expression)
      (await "the value" (lambda () (and said (string-match-p "=>" said)))))
    said))

(defun compile-defun-there ()
  "What C-c C-c comes to: t, or the notes of the compiler."
  (setq slime-last-compilation-result nil)
  (slime-compile-defun)
  (await "the compilation" (lambda () slime-last-compilation-result))
  (slime-compilation-result.successp slime-last-compilation-result))

(defun compile-file-there ()
  (setq slime-last-compilation-result nil)
  (slime-compile-and-load-file)
  (await "the compilation" (lambda () slime-last-compilation-result))
  (slime-compilation-result.successp slime-last-compilation-result))

(defun definition-of (name)
  "File and line that M-. leads to."
  (slime-edit-definition name)
  (await "the definition" (lambda () (buffer-file-name)))
  (list (buffer-file-name) (line-number-at-pos)))

(defun repl (text)
  "What the REPL prints for TEXT."
  (with-current-buffer (slime-output-buffer)
    (goto-char (point-max))
    (let ((start (point)))
      (insert text)
      (slime-repl-return)
      (await "the prompt" (lambda () (and (> (marker-position slime-repl-input-start-mark) (+ start (length text)))
                                          (not (slime-busy-p)))))
      (buffer-substring-no-properties start (point-max)))))

(defun debugged (text)
  "The condition in SLIME's debugger after the evaluation of TEXT, which is then left."
  (slime-eval-async (list 'swank:interactive-eval text))
  (let ((buffer (await "the debugger" (lambda () (car (sldb-buffers))))))
    (await "the frames" (lambda () (with-current-buffer buffer (> (buffer-size) 0))))
    (with-current-buffer buffer
      (prog1 (buffer-substring-no-properties (point-min) (save-excursion (goto-char (point-min)) (line-end-position)))
        (sldb-quit)
        (await "the end of the debugger" (lambda () (null (sldb-buffers))))))))

(let ((coding-system-for-read 'utf-8))
  (while t
    (let ((answer (condition-case problem
                      (list :ok (eval (read (read-from-minibuffer "")) t))
                    (end-of-file (kill-emacs 0))
                    (error (list :error (error-message-string problem))))))
      (let ((print-escape-newlines t))
        (princ (format "%S\n" answer))))))
