;;; ai-kb-test-helper.el --- What the ERT files share  -*- lexical-binding: t; -*-

;; Copyright (C) 2026  ai-kb contributors

;; Author: ai-kb contributors
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; A directory for each test, and a way to run ai-kb-batch.el as the
;; command line does: another Emacs, asked over pipes.

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'subr-x)

(defconst ai-kb-test-root
  (expand-file-name "../../" (file-name-directory
                              (or load-file-name buffer-file-name)))
  "The top directory of the project.")

(defvar ai-kb-test-directory nil
  "The directory of the running test, with a slash at its end.")

(defmacro ai-kb-test-with-directory (&rest body)
  "Run BODY in a new `ai-kb-test-directory'.
It is removed, unless BODY fails: then it is kept and its name printed.
\(Emacs 28 has no `ert-with-temp-directory', and that keeps nothing.)"
  (declare (indent 0) (debug t))
  `(ai-kb-test--call-with-directory (lambda () ,@body)))

(defun ai-kb-test--call-with-directory (function)
  "Call FUNCTION as `ai-kb-test-with-directory' does its body."
  (let* ((ai-kb-test-directory
          (file-name-as-directory
           (file-truename (make-temp-file "ai-kb test é " t))))
         (default-directory ai-kb-test-directory)
         (passed nil))
    (unwind-protect
        (prog1 (funcall function)
          (setq passed t))
      (if passed
          (delete-directory ai-kb-test-directory t)
        (message "Kept for a look: %s" ai-kb-test-directory)))))

(defun ai-kb-test-write (name &rest lines)
  "Write LINES to the file NAME of the test's directory; return its full name."
  (let ((path (expand-file-name name ai-kb-test-directory))
        (coding-system-for-write 'utf-8-unix)
        ;; Names such as x.gpg are names, here too.
        (file-name-handler-alist nil))
    (make-directory (file-name-directory path) t)
    (with-temp-file path
      (dolist (line lines)
        (insert line "\n")))
    path))

(defun ai-kb-test-tree ()
  "Return all files of the test's directory with their times, sorted."
  (mapcar (lambda (path)
            (cons path (file-attribute-modification-time
                        (file-attributes path))))
          (directory-files-recursively ai-kb-test-directory "" t)))

;;;; The worker

(defvar ai-kb-test-environment nil
  "What the worker's environment has besides a HOME and a TMPDIR of its own.")

(defun ai-kb-test-start-worker ()
  "Start the worker; the value is its process.
Its output is collected, as bytes, in the process's buffer."
  (let* ((home (expand-file-name "home" ai-kb-test-directory))
         (process-environment
          (append ai-kb-test-environment
                  (list (concat "HOME=" home)
                        (concat "TMPDIR=" home)
                        "XDG_CACHE_HOME" "XDG_CONFIG_HOME" "XDG_DATA_HOME")
                  process-environment)))
    (make-directory home t)
    (make-process
     :name "ai-kb-batch"
     :buffer (generate-new-buffer " *ai-kb-batch output*")
     :stderr (get-buffer-create "*ai-kb-batch errors*")
     :coding 'binary
     :connection-type 'pipe
     :noquery t
     :sentinel #'ignore
     :command (list (expand-file-name invocation-name invocation-directory)
                    "-Q" "--batch" "-l"
                    (expand-file-name "elisp/ai-kb-batch.el" ai-kb-test-root)
                    "-f" "ai-kb-batch-serve"))))

(defun ai-kb-test-worker-lines (process)
  "Return what PROCESS has printed, as bytes, in whole lines."
  (with-current-buffer (process-buffer process)
    (split-string (buffer-string) "\n" t)))

(defun ai-kb-test-wait (condition)
  "Wait for a non-nil value of the function CONDITION, at most 30 seconds."
  (with-timeout (30 (ert-fail "Waited in vain"))
    (while (not (funcall condition))
      (accept-process-output nil 0.02))))

(defun ai-kb-test-form (line)
  "Return the form that LINE, in bytes, is.
Fail when it has an escape that Python's sexpdata does not undo."
  (let ((string (decode-coding-string line 'utf-8-unix)))
    (with-temp-buffer
      (insert string)
      (goto-char (point-min))
      (while (search-forward "\\" nil t)
        (should (looking-at-p "[\\\"bfnrt]"))
        (forward-char)))
    (car (read-from-string string))))

(defun ai-kb-test-worker-finish (process)
  "Close the input of PROCESS and return all forms that it has printed."
  (process-send-eof process)
  (ai-kb-test-wait (lambda () (not (process-live-p process))))
  (accept-process-output process 0.05)
  (should (equal (process-exit-status process) 0))
  (prog1 (mapcar #'ai-kb-test-form (ai-kb-test-worker-lines process))
    (kill-buffer (process-buffer process))))

(defun ai-kb-test-ask (&rest paths)
  "Return the worker's answers for PATHS, after a look at the frame around."
  (let ((process (ai-kb-test-start-worker)))
    (dolist (path paths)
      (process-send-string process
                           (encode-coding-string (concat path "\n")
                                                 'utf-8-unix)))
    (let* ((forms (ai-kb-test-worker-finish process))
           (answers (butlast (cdr forms))))
      (should (eq (car-safe (car forms)) 'ready))
      (should (equal (car (last forms)) (list 'done (length paths))))
      (should (equal (mapcar #'cadr answers) paths))
      answers)))

(defun ai-kb-test-get (answer key)
  "Return the value of KEY in ANSWER, which must be no error."
  (should-not (plist-get (cddr answer) :error))
  (plist-get (cddr answer) key))

(defun ai-kb-test-read (&rest lines)
  "Return the worker's answer for a file of LINES."
  (car (ai-kb-test-ask (apply #'ai-kb-test-write "note.org" lines))))

(provide 'ai-kb-test-helper)
;;; ai-kb-test-helper.el ends here
