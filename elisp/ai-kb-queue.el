;;; ai-kb-queue.el --- Run commands that write one after the other  -*- lexical-binding: t -*-

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

;; Commands that write to a store wait here for each other, so that two
;; saves in a row do not race.  Emacs waits for none of them, not even
;; when it is ended.

;;; Code:

(require 'ai-kb-process)
(require 'seq)

(defcustom ai-kb-write-timeout 120
  "Seconds after which a command that writes is ended.
Emacs does not wait meanwhile.  A push over a slow line takes its
time.  See also `ai-kb-read-timeout'."
  :type 'number
  :group 'ai-kb
  :package-version '(ai-kb . "0.1.0"))

(defvar ai-kb-queue--queues nil
  "Alist from stores to their jobs; the first of each is running.")

(defun ai-kb-queue-add (arguments callback &rest options)
  "Run the program with ARGUMENTS after all that was enqueued before.
CALLBACK is as for `ai-kb-process-start', and so are OPTIONS, but
the time is bounded by `ai-kb-write-timeout'.  With `:key', nothing
is added when a job with an equal key waits: it will do for both.
Return the job."
  (let* ((job (apply #'ai-kb-process-make-job arguments callback
                     (append options (list :timeout ai-kb-write-timeout))))
         (store (ai-kb-process-job-store job))
         (key (ai-kb-process-job-key job))
         (queue (alist-get store ai-kb-queue--queues nil nil #'equal)))
    (or (and key
             (seq-find (lambda (other) (equal key (ai-kb-process-job-key other)))
                       (cdr queue)))
        (progn
          (setf (alist-get store ai-kb-queue--queues nil nil #'equal)
                (append queue (list job)))
          (unless queue (ai-kb-queue--start store))
          job))))

(defun ai-kb-queue--start (store)
  "Start the first job of the queue of STORE."
  (when-let ((job (car (alist-get store ai-kb-queue--queues nil nil #'equal))))
    (condition-case err
        (ai-kb-process-spawn job (lambda ()
                                    (unwind-protect
                                        (ai-kb-process-finish job)
                                      (ai-kb-queue--advance store))))
      (ai-kb-process-error
       (ai-kb-process-settle job nil err)
       (ai-kb-queue--advance store)))))

(defun ai-kb-queue--advance (store)
  "Drop the first job of the queue of STORE and start the next."
  (setf (alist-get store ai-kb-queue--queues nil 'remove #'equal)
        (cdr (alist-get store ai-kb-queue--queues nil nil #'equal)))
  (ai-kb-queue--start store))

;; `C-x C-s C-x C-c' must not lose the commit.  Emacs takes its children
;; with it, but not those for which it never meant to wait; they repair
;; what the other ones leave.
(defun ai-kb-queue--hand-over ()
  "Start what is left of all queues anew, to go on without Emacs."
  (pcase-dolist (`(,store . ,jobs) ai-kb-queue--queues)
    (let ((default-directory "/")
          (process-environment (ai-kb-process-environment store))
          (commits (seq-filter #'ai-kb-process-job-key jobs)))
      (dolist (job commits)
        (ignore-errors
          (apply #'call-process (ai-kb-process-program) nil 0 nil
                 (ai-kb-process-job-arguments job)))))))

(add-hook 'kill-emacs-hook #'ai-kb-queue--hand-over)

(provide 'ai-kb-queue)

;;; ai-kb-queue.el ends here
