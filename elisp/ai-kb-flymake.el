;;; ai-kb-flymake.el --- Show findings in nodes as you type  -*- lexical-binding: t -*-

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

;; A backend for Flymake that shows what the ai-kb program finds in a
;; node, while you type.  The program gets the text of the buffer as it
;; is, with the name of the file, so that ids and links are judged
;; within the store.  A check that is not needed any more is ended, and
;; one that takes too long is.

;;; Code:

(require 'ai-kb-process)
(require 'flymake)

(defcustom ai-kb-flymake-delay 1.0
  "Seconds of idle time after a change before a node is checked.
A smaller value of `flymake-no-changes-timeout' does not count in
buffers of the store, since a check starts an Emacs of its own."
  :type 'number
  :group 'ai-kb
  :package-version '(ai-kb . "0.1.0"))

(defvar-local ai-kb-flymake--job nil
  "The check that is under way.")

(defvar-local ai-kb-flymake--last nil
  "The diagnostics of the last check.")

(defvar-local ai-kb-flymake--own nil
  "Non-nil where this file, and nobody else, turned `flymake-mode' on.")

(defun ai-kb-flymake-text ()
  "Return the text of the current buffer as the bytes that a save would write."
  (save-restriction
    (widen)
    (encode-coding-region
     (point-min) (point-max)
     (or (and buffer-file-coding-system
              (not (eq (coding-system-type buffer-file-coding-system)
                       'undecided))
              buffer-file-coding-system)
         'utf-8-unix)
     t)))

(defun ai-kb-flymake--diagnostic (finding)
  "Return the diagnostic for FINDING, an alist, in the current buffer."
  (let-alist finding
    (pcase-let ((`(,beg . ,end) (flymake-diag-region (current-buffer) .line)))
      (flymake-make-diagnostic
       (current-buffer) beg end
       (if (equal .severity "error") :error :warning)
       (format "%s: %s" .code .message)))))

(defun ai-kb-flymake--report (report answer err)
  "Tell REPORT, a function of Flymake's, about ANSWER or ERR."
  (cond
   ((null err)
    (setq ai-kb-flymake--last
          (save-restriction
            (widen)
            (mapcar #'ai-kb-flymake--diagnostic
                    (alist-get 'findings answer))))
    (funcall report ai-kb-flymake--last))
   ;; These will not get better while you type.
   ((member (ai-kb-process-error-code err)
            '("no-program" "no-answer" "store-missing" "config"))
    (funcall report :panic :explanation (ai-kb-process-describe err)))
   (t (funcall report ai-kb-flymake--last))))

(defun ai-kb-flymake (report &rest _)
  "Check the current buffer and call REPORT when that is done.
This is a backend for `flymake-diagnostic-functions'."
  (when ai-kb-flymake--job
    (ai-kb-process-cancel ai-kb-flymake--job)
    (setq ai-kb-flymake--job nil))
  (if (not buffer-file-name)
      (funcall report nil)
    (let ((buffer (current-buffer))
          (job nil))
      (condition-case err
          (setq job (ai-kb-process-start
                     (list "check" "--stdin-as"
                           (expand-file-name buffer-file-truename))
                     (lambda (answer err)
                       (when (buffer-live-p buffer)
                         (with-current-buffer buffer
                           (when (eq job ai-kb-flymake--job)
                             (setq ai-kb-flymake--job nil)
                             (ai-kb-flymake--report report answer err)))))
                     :input (ai-kb-flymake-text))
                ai-kb-flymake--job job)
        (ai-kb-process-error
         (ai-kb-flymake--report report nil err))))))

(defun ai-kb-flymake--stop ()
  "End the check of the current buffer."
  (when ai-kb-flymake--job
    (ai-kb-process-cancel ai-kb-flymake--job)
    (setq ai-kb-flymake--job nil)))

(defun ai-kb-flymake-refresh ()
  "Check the current buffer again, if it is checked at all."
  (when (and flymake-mode
             (memq #'ai-kb-flymake flymake-diagnostic-functions))
    (flymake-start)))

(defun ai-kb-flymake-setup (on)
  "Check the current buffer as you type if ON, else stop that."
  (cond
   (on
    (add-hook 'flymake-diagnostic-functions #'ai-kb-flymake nil t)
    (add-hook 'kill-buffer-hook #'ai-kb-flymake--stop nil t)
    (when (and (numberp flymake-no-changes-timeout)
               (< flymake-no-changes-timeout ai-kb-flymake-delay))
      (setq-local flymake-no-changes-timeout ai-kb-flymake-delay))
    (if flymake-mode
        (flymake-start)
      (setq ai-kb-flymake--own t)
      (flymake-mode 1)))
   (t
    (ai-kb-flymake--stop)
    (remove-hook 'flymake-diagnostic-functions #'ai-kb-flymake t)
    (remove-hook 'kill-buffer-hook #'ai-kb-flymake--stop t)
    (kill-local-variable 'flymake-no-changes-timeout)
    (if (not ai-kb-flymake--own)
        (when flymake-mode (flymake-start))
      (setq ai-kb-flymake--own nil)
      (flymake-mode -1)))))

(provide 'ai-kb-flymake)

;;; ai-kb-flymake.el ends here
