;;; ai-kb-sync.el --- Bring the knowledge base's database up to date  -*- lexical-binding: t -*-

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

;; org-roam's own sync visits every changed file: it saves a modified
;; buffer, reads the old text of a stale one, and may ask questions.
;; Here org-roam reads the files of the store in one hidden buffer of
;; ours, straight from the disk.  No buffer of yours is read, saved or
;; killed, whichever roam is on, and nothing is asked.

;;; Code:

(require 'ai-kb-core)
(require 'ai-kb-database)
(require 'cl-lib)
(require 'seq)

(declare-function org-mode "org")
(declare-function org-set-regexps-and-options "org")
(declare-function org-roam-db-query "org-roam-db")
(declare-function org-roam-db-sync "org-roam-db")
(declare-function org-roam-file-p "org-roam")

(defvar org-roam-db-gc-threshold)
(defvar org-roam-db-location)
(defvar org-roam-directory)
(defvar org-roam-verbose)
(defvar org-element-use-cache)
(defvar org-inhibit-startup)
(defvar org-resource-download-policy)
(defvar warning-minimum-level)

;;;; The store as org-roam sees it

(defun ai-kb-sync-exclude-regexp (directory)
  "Return the patterns of files in DIRECTORY that are no nodes.
That is raw captures, generated index pages, hidden and encrypted
files.  org-roam matches absolute names up to 2.2.2 and relative
names from 2.3.0 on, hence both forms."
  (let (forms)
    (dolist (root (list "" (regexp-quote directory)))
      (push (concat "\\`" root "raw/") forms)
      (push (concat "\\`" root "index\\(?:-[^/]*\\)?\\.org\\'") forms)
      (push (concat "\\`" root "\\(?:[^/]+/\\)*\\.") forms))
    (cons "\\.\\(?:gpg\\|age\\)\\'" (nreverse forms))))

(defun ai-kb-sync-variables ()
  "Return an alist from org-roam's variables to their values for the store."
  (let ((directory (ai-kb-core-true-directory ai-kb-directory)))
    (list (cons 'org-roam-directory directory)
          (cons 'org-roam-db-location (expand-file-name ai-kb-db-location))
          (cons 'org-roam-file-exclude-regexp
                (ai-kb-sync-exclude-regexp directory))
          (cons 'org-roam-file-extensions (list "org"))
          (cons 'org-roam-db-node-include-function #'always))))

(defun ai-kb-sync--list-files ()
  "Return the files of `org-roam-directory' that hold nodes.
Neither the shell nor a directory that is left out is entered."
  (let ((raw (concat org-roam-directory "raw")))
    (seq-filter
     (lambda (file) (and (org-roam-file-p file) (file-readable-p file)))
     (directory-files-recursively
      org-roam-directory "\\.org\\'" nil
      (lambda (directory)
        (not (or (string= directory raw)
                 (string-prefix-p "." (file-name-nondirectory directory)))))))))

;;;; Reading from the disk

(defun ai-kb-sync--read (file)
  "Put the text of FILE into the current buffer as if it visited FILE."
  (setq buffer-file-name nil)
  (let ((inhibit-read-only t))
    (widen)
    (erase-buffer)
    (insert-file-contents file t))
  (org-set-regexps-and-options))

(defun ai-kb-sync--call-quietly (function)
  "Call FUNCTION with org-roam confined to a hidden buffer.
Nothing is asked, saved, evaluated or fetched from elsewhere.
Return the files that org-roam could not read, with the reasons."
  (let ((update (symbol-function 'org-roam-db-update-file))
        (problems nil)
        (create-lockfiles nil)
        (enable-local-variables nil)
        (enable-local-eval nil)
        (enable-dir-local-variables nil)
        (inhibit-interaction t)
        (inhibit-message t)
        ;; Else a third of the time goes into collecting garbage.
        (org-roam-db-gc-threshold (max org-roam-db-gc-threshold 67108864))
        (org-roam-verbose nil)
        (org-element-use-cache nil)
        (org-inhibit-startup t)
        (org-resource-download-policy nil)
        (select-safe-coding-system-function nil)
        (vc-handled-backends nil)
        (warning-minimum-level :emergency))
    (with-temp-buffer
      (let ((hidden (current-buffer)))
        (setq default-directory org-roam-directory)
        (delay-mode-hooks (org-mode))
        (cl-letf (((symbol-function 'org-roam-list-files)
                   #'ai-kb-sync--list-files)
                  ((symbol-function 'org-file-contents)
                   (lambda (&rest _) ""))
                  ((symbol-function 'find-buffer-visiting)
                   (lambda (&rest _) hidden))
                  ((symbol-function 'save-buffer) #'ignore)
                  ((symbol-function 'org-roam-db-update-file)
                   (lambda (file &rest args)
                     (condition-case err
                         (with-current-buffer hidden
                           (ai-kb-sync--read file)
                           (apply update file args))
                       (error
                        (push (cons file (error-message-string err)) problems)
                        (signal (car err) (cdr err)))))))
          (unwind-protect
              (funcall function)
            (with-current-buffer hidden
              (setq buffer-file-name nil)
              (set-buffer-modified-p nil))))))
    (nreverse problems)))

;;;; The sync

(cl-defstruct (ai-kb-sync-result (:copier nil))
  files nodes indexed dropped
  (problems nil :documentation "Alist of files org-roam could not read.")
  (rebuilt nil :documentation "Why the database was built anew, or nil.")
  seconds)

(defun ai-kb-sync--once ()
  "Sync `org-roam-db-location' and return an `ai-kb-sync-result'."
  (let* ((before (prog1 (ai-kb-sync--hashes) (ai-kb-database-disconnect)))
         (problems (ai-kb-sync--call-quietly #'org-roam-db-sync))
         (after (ai-kb-sync--hashes)))
    (make-ai-kb-sync-result
     :files (length after)
     :nodes (caar (org-roam-db-query [:select (funcall count *) :from nodes]))
     :indexed (length (seq-difference after before))
     :dropped (seq-count (lambda (row) (not (assoc (car row) after))) before)
     :problems problems)))

(defun ai-kb-sync--hashes ()
  "Return the files that the database knows, with the hashes of their texts."
  (org-roam-db-query [:select [file hash] :from files]))

(defun ai-kb-sync-now (&optional keep-connection)
  "Bring the knowledge base's database up to date, whichever roam is on.
Return an `ai-kb-sync-result'.  With KEEP-CONNECTION, leave the
connection open for org-roam.  org-roam must have been loaded."
  (unless (file-directory-p ai-kb-directory)
    (signal 'ai-kb-sync-error
            (list (format "there is no store at %s" ai-kb-directory))))
  (let ((start (float-time))
        (variables (ai-kb-sync-variables)))
    ;; In a buffer of our own: local values elsewhere do not matter.
    (with-temp-buffer
      (cl-progv (mapcar #'car variables) (mapcar #'cdr variables)
        (unwind-protect
            (pcase-let ((`(,result ,damage)
                         (ai-kb-database-call-or-rebuild #'ai-kb-sync--once)))
              (setf (ai-kb-sync-result-rebuilt result) damage
                    (ai-kb-sync-result-seconds result)
                    (- (float-time) start))
              result)
          (unless keep-connection (ai-kb-database-disconnect)))))))

(defun ai-kb-sync-unsaved-buffers ()
  "Return the modified buffers that visit the store."
  (seq-filter (lambda (buffer)
                (and (buffer-modified-p buffer)
                     (ai-kb-core-store-buffer-p buffer)))
              (buffer-list)))

(defun ai-kb-sync-describe (result)
  "Return a sentence about RESULT, an `ai-kb-sync-result'."
  (let ((unsaved (ai-kb-sync-unsaved-buffers))
        (problems (ai-kb-sync-result-problems result))
        (rebuilt (ai-kb-sync-result-rebuilt result)))
    (concat
     (format "%d nodes in %d files, %d indexed and %d dropped in %.2f s"
             (ai-kb-sync-result-nodes result)
             (ai-kb-sync-result-files result)
             (ai-kb-sync-result-indexed result)
             (ai-kb-sync-result-dropped result)
             (ai-kb-sync-result-seconds result))
     (and rebuilt (format "; database built anew: %s" rebuilt))
     (and problems
          (format "; not readable: %s"
                  (mapconcat (lambda (problem)
                               (file-name-nondirectory (car problem)))
                             problems ", ")))
     (and unsaved
          (format "; unsaved, so indexed as on disk: %s"
                  (mapconcat #'buffer-name unsaved ", "))))))

;;;; On request

(defvar ai-kb-sync--timer nil
  "The timer of a sync that was asked for and has not run yet.")

(defvar ai-kb-sync--told nil
  "Non-nil when a person asked for the sync, and so hears how it went.")

(defun ai-kb-sync--later (function)
  "Call FUNCTION once Emacs is idle, or at once when it has been so for long."
  (setq ai-kb-sync--timer
        (run-with-timer
         ai-kb-sync-idle-delay nil
         (lambda ()
           (if (time-less-p ai-kb-sync-idle-delay (or (current-idle-time) 0))
               (funcall function)
             (setq ai-kb-sync--timer
                   (run-with-idle-timer ai-kb-sync-idle-delay nil
                                        function)))))))

(defun ai-kb-sync--when-idle ()
  "Do the sync that was asked for, unless somebody is answering a question."
  (setq ai-kb-sync--timer nil)
  (if (active-minibuffer-window)
      (ai-kb-sync--later #'ai-kb-sync--when-idle)
    (condition-case err
        (let ((result (ai-kb-sync-now (ai-kb-sync-store-active-p)))
              (message-log-max nil))
          (when (or ai-kb-sync--told (ai-kb-sync-result-rebuilt result))
            (message "ai-kb: %s" (ai-kb-sync-describe result)))
          (setq ai-kb-sync--told nil))
      ((error quit)
       (message "ai-kb: not synced: %s" (error-message-string err))))))

(defun ai-kb-sync-store-active-p ()
  "Return non-nil when org-roam's variables point at the store."
  (and (bound-and-true-p org-roam-directory)
       (equal (default-value 'org-roam-directory)
              (ai-kb-core-true-directory ai-kb-directory))
       (equal (default-value 'org-roam-db-location)
              (expand-file-name ai-kb-db-location))))

;;;###autoload
(defun ai-kb-db-sync (&optional tell)
  "Ask for a sync of the knowledge base's database, and return at once.
The sync runs when Emacs is idle, whichever roam is on.  It touches
no buffer of yours and asks nothing.  Requests that come before it
has begun are one request.  With TELL, as when it is called by key,
the echo area says how it goes.  This is what the shell calls through
emacsclient; the value is a sentence about what will happen.
When org-roam has not been loaded there is nothing to do: switching
syncs."
  (interactive (list t))
  (let ((answer
         (cond
          ((not (featurep 'org-roam))
           "ai-kb: org-roam is not loaded; the next switch syncs")
          (ai-kb-sync--timer "ai-kb: a sync is on its way already")
          (t (ai-kb-sync--later #'ai-kb-sync--when-idle)
             "ai-kb: a sync is on its way"))))
    (when tell
      (setq ai-kb-sync--told t)
      (message "%s" answer))
    answer))

(provide 'ai-kb-sync)

;;; ai-kb-sync.el ends here
