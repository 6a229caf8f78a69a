;;; ai-kb-process.el --- Run the ai-kb program  -*- lexical-binding: t -*-

;; Copyright (C) 2026 ai-kb contributors

;; Author: ai-kb contributors
;; SPDX-License-Identifier: GPL-3.0-or-later

;; This program is free software: you can redistribute it and/or modify
;; it under the terms of the GNU General Public License as published by
;; the Free Software Foundation, either version 3 of the License, or
;; (at your option) any later version.
;;
;; This program is distributed in the hope that it will be useful,
;; but WITHOUT ANY WARRANTY; without even the implied warranty of
;; MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
;; GNU General Public License for more details.
;;
;; You should have received a copy of the GNU General Public License
;; along with this program.  If not, see <https://www.gnu.org/licenses/>.

;;; Commentary:

;; The only file that runs the ai-kb program.  The program can ask
;; nobody anything, since its input is closed or given, and its time is
;; bounded.  Commands that write are run by ai-kb-queue.el.

;;; Code:

(require 'ai-kb-core)
(require 'cl-lib)
(require 'subr-x)

(declare-function json-read "json")
(defvar json-array-type)
(defvar json-false)
(defvar json-key-type)
(defvar json-null)
(defvar json-object-type)

(define-error 'ai-kb-process-error "ai-kb" 'ai-kb-error)

(defcustom ai-kb-program "ai-kb"
  "The program that checks and writes nodes.
A name is looked for in variable `exec-path', then in ~/.local/bin."
  :type 'string
  :group 'ai-kb
  :package-version '(ai-kb . "0.1.0"))

(defcustom ai-kb-read-timeout 10
  "Seconds after which a command that only reads is ended.
See also `ai-kb-write-timeout'."
  :type 'number
  :group 'ai-kb
  :package-version '(ai-kb . "0.1.0"))

(cl-defstruct (ai-kb-process-job (:copier nil))
  "One run of the program."
  arguments input callback timeout
  (key nil :documentation "Jobs with an equal one that wait are one job.")
  (store nil :documentation "The store's directory.")
  (process nil) (timer nil)
  (settled nil :documentation "Non-nil once the callback has been called."))

;;;; Answers and errors

(defun ai-kb-process-error (message &optional hint findings code answer)
  "Return an error of ours with MESSAGE, HINT, FINDINGS, CODE and ANSWER."
  (list 'ai-kb-process-error message hint findings code answer))

(defun ai-kb-process-error-findings (err)
  "Return the findings, alists, that ERR carries."
  (nth 3 err))

(defun ai-kb-process-error-answer (err)
  "Return all that the program said with ERR, an alist."
  (nth 5 err))

(defun ai-kb-process-error-code (err)
  "Return the kebab-case name of what kind of error ERR is."
  (nth 4 err))

(defun ai-kb-process-describe (err)
  "Return the sentence and the hint of ERR."
  (if (eq (car err) 'ai-kb-process-error)
      (string-join (delq nil (list (nth 1 err) (nth 2 err))) ".  ")
    (error-message-string err)))

(defun ai-kb-process--parse-json ()
  "Return the JSON object that the current buffer is, as an alist, or nil.
Arrays become lists; null and false become nil."
  (goto-char (point-min))
  (condition-case nil
      (let ((value
             (if (json-available-p)
                 (json-parse-buffer :object-type 'alist :array-type 'list
                                    :null-object nil :false-object nil)
               (require 'json)
               (let ((json-object-type 'alist)
                     (json-array-type 'list)
                     (json-key-type 'symbol)
                     (json-null nil)
                     (json-false nil))
                 (json-read)))))
        (skip-chars-forward " \t\n")
        (and (eobp) (consp value) value))
    (error nil)))

(defun ai-kb-process--outcome (job)
  "Return what the ended JOB has to say: a list of an answer and an error.
One of the two is nil.  An answer may still be a refusal: see its `ok'."
  (let* ((process (ai-kb-process-job-process job))
         (answer (with-current-buffer (process-buffer process)
                   (ai-kb-process--parse-json)))
         (failure (alist-get 'error answer)))
    (cond
     (failure
      (list nil (ai-kb-process-error (alist-get 'message failure)
                                     (alist-get 'hint failure)
                                     (alist-get 'findings answer)
                                     (alist-get 'code failure)
                                     answer)))
     (answer (list answer nil))
     (t (list nil (ai-kb-process-error (ai-kb-process--last-words job)
                                       nil nil "no-answer"))))))

(defun ai-kb-process--last-words (job)
  "Return what JOB, which gave no answer, said last."
  (let* ((process (ai-kb-process-job-process job))
         (pipe (process-get process 'ai-kb-errors))
         (words (progn
                  (accept-process-output pipe 0.1)
                  (with-current-buffer (process-buffer pipe)
                    (split-string (buffer-string) "\n" t "[ \t]+")))))
    (if words
        (string-remove-prefix "Error: " (car (last words)))
      (format "%s gave no answer (exit code %s)"
              ai-kb-program (process-exit-status process)))))

;;;; One run

(defun ai-kb-process-program ()
  "Return the full name of the program, or signal an error of ours."
  (or (executable-find (if (string-search "/" ai-kb-program)
                           (expand-file-name ai-kb-program)
                         ai-kb-program))
      (let ((place (expand-file-name ai-kb-program "~/.local/bin/")))
        (and (file-executable-p place) place))
      (apply #'signal
             (let ((err (ai-kb-process-error
                         (format "there is no program `%s'" ai-kb-program)
                         "Install it by `make ai-kb-init', or set `ai-kb-program'"
                         nil "no-program")))
               (list (car err) (cdr err))))))

(defun ai-kb-process-environment (store)
  "Return the environment of the program for STORE."
  (cons (concat "AI_KB_HOME=" (directory-file-name store)) process-environment))

(defun ai-kb-process-spawn (job ended)
  "Start JOB; when its process has ended, call the function ENDED."
  (let* ((default-directory "/")
         (process-environment
          (ai-kb-process-environment (ai-kb-process-job-store job)))
         (program (ai-kb-process-program))
         (pipe (make-pipe-process :name "ai-kb-errors"
                                  :buffer (generate-new-buffer " *ai-kb errors*")
                                  :coding 'utf-8-unix
                                  :noquery t :sentinel #'ignore))
         (process
          (condition-case err
              (make-process
               :name "ai-kb"
               :command (cons program (ai-kb-process-job-arguments job))
               :buffer (generate-new-buffer " *ai-kb output*")
               :stderr pipe
               :coding 'utf-8-unix
               :connection-type 'pipe
               :noquery t
               :sentinel (lambda (process _)
                           (unless (process-live-p process)
                             (funcall ended))))
            (file-error
             (ai-kb-process--discard-pipe pipe)
             (signal 'ai-kb-process-error
                     (cdr (ai-kb-process-error (error-message-string err)
                                               nil nil "no-program")))))))
    (process-put process 'ai-kb-errors pipe)
    (setf (ai-kb-process-job-process job) process
          (ai-kb-process-job-timer job)
          (run-with-timer (ai-kb-process-job-timeout job) nil
                          #'ai-kb-process--time-out job))
    ;; A program that has ended already takes no input.
    (ignore-errors
      (when-let ((input (ai-kb-process-job-input job)))
        (set-process-coding-system process 'utf-8-unix 'no-conversion)
        (process-send-string process input))
      (process-send-eof process))))

(defun ai-kb-process--discard-pipe (pipe)
  "Delete PIPE and its buffer."
  (let ((buffer (process-buffer pipe)))
    (delete-process pipe)
    (kill-buffer buffer)))

(defun ai-kb-process-settle (job answer err)
  "Tell the caller of JOB the ANSWER or the error ERR, once."
  (unless (ai-kb-process-job-settled job)
    (setf (ai-kb-process-job-settled job) t)
    (with-demoted-errors "ai-kb: %S"
      (funcall (ai-kb-process-job-callback job) answer err))))

(defun ai-kb-process-finish (job)
  "Take down what JOB, whose process has ended, has used; tell its caller.
The second time nothing happens."
  (when-let ((process (ai-kb-process-job-process job))
             ((buffer-live-p (process-buffer process))))
    (when (timerp (ai-kb-process-job-timer job))
      (cancel-timer (ai-kb-process-job-timer job)))
    (unwind-protect
        (unless (ai-kb-process-job-settled job)
          (apply #'ai-kb-process-settle job (ai-kb-process--outcome job)))
      (ai-kb-process--discard-pipe (process-get process 'ai-kb-errors))
      (kill-buffer (process-buffer process)))))

(defun ai-kb-process--time-out (job)
  "End JOB, whose time is over."
  (ai-kb-process-settle
   job nil
   (ai-kb-process-error
    (format "`ai-kb %s' did not end within %s s"
            (car (ai-kb-process-job-arguments job))
            (ai-kb-process-job-timeout job))
    "Its work is undone or done by the next command" nil "timeout"))
  (ai-kb-process-cancel job))

(defun ai-kb-process-cancel (job)
  "End the process of JOB, if it has one, and tell its caller nothing.
It gets two seconds to put things in order."
  (setf (ai-kb-process-job-settled job) t)
  (let ((process (ai-kb-process-job-process job)))
    (when (process-live-p process)
      (interrupt-process process)
      (run-with-timer 2 nil (lambda ()
                              (when (process-live-p process)
                                (kill-process process)))))))

(defun ai-kb-process-start (arguments callback &rest options)
  "Run the program with ARGUMENTS and return the job at once.
CALLBACK is called with an answer, an alist, and with an error of
ours, one of which is nil.  OPTIONS are `:input', bytes that the
program reads, and `:timeout' in place of `ai-kb-read-timeout'."
  (let ((job (apply #'ai-kb-process-make-job arguments callback options)))
    (ai-kb-process-spawn job (lambda () (ai-kb-process-finish job)))
    job))

(defun ai-kb-process-make-job (arguments callback &rest options)
  "Return a job for ARGUMENTS, CALLBACK and OPTIONS, not started."
  (make-ai-kb-process-job
   :arguments (append arguments '("--json")) :callback callback
   :store (expand-file-name ai-kb-directory)
   :input (plist-get options :input)
   :key (plist-get options :key)
   :timeout (or (plist-get options :timeout) ai-kb-read-timeout)))

;; While an event waits to be read, such as one that a file has changed,
;; Emacs calls no sentinel.
(defun ai-kb-process--wait (job)
  "Wait for JOB a little, and finish it when its process has ended."
  (let ((process (ai-kb-process-job-process job)))
    (accept-process-output nil 0.02)
    (unless (process-live-p process)
      (while (accept-process-output process 0))
      (ai-kb-process-finish job))))

(defun ai-kb-process-call (&rest arguments)
  "Run the program with ARGUMENTS, wait for it, and return its answer.
The wait is bounded by `ai-kb-read-timeout', and `C-g' ends it.
Signal an error of ours when there is no answer."
  (let* ((outcome nil)
         (job (ai-kb-process-start
               arguments (lambda (answer err) (setq outcome (list answer err))))))
    (unwind-protect
        (while (not outcome)
          (ai-kb-process--wait job))
      (unless outcome (ai-kb-process-cancel job)))
    (pcase-let ((`(,answer ,err) outcome))
      (when err (signal (car err) (cdr err)))
      answer)))

;;;; Names

(defun ai-kb-process-relative-name (file)
  "Return the name of FILE relative to the store, links resolved."
  (file-relative-name (file-truename file)
                      (ai-kb-core-true-directory ai-kb-directory)))

(provide 'ai-kb-process)

;;; ai-kb-process.el ends here
