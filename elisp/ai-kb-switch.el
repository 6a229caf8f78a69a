;;; ai-kb-switch.el --- Switch org-roam to the knowledge base and back  -*- lexical-binding: t -*-

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

;; org-roam knows one directory and one database at a time, and keeps
;; more state than these two.  `ai-kb-switch-to-ai-kb' moves all of it
;; to the knowledge base; `ai-kb-switch-to-personal' puts back what was
;; there, object for object.  Nothing of yours is written, saved,
;; linked or indexed on the way, and what you save meanwhile is indexed
;; in your own database as if you had not switched.
;;
;; The order of each command is: guard, act, say.  Every step pushes
;; its own way back, so an error half-way leaves nothing behind.

;;; Code:

(require 'ai-kb-core)
(require 'ai-kb-autosync)
(require 'ai-kb-guard)
(require 'ai-kb-keep)
(require 'ai-kb-scope)
(require 'ai-kb-sync)
(require 'seq)

(defvar org-roam-buffer-current-directory)
(defvar org-roam-buffer-current-node)
(defvar org-roam-db-autosync-mode)
(defvar org-roam-directory)

(defvar ai-kb-switch--active nil
  "Non-nil while the knowledge base is on.")

(defun ai-kb-switch-active-p ()
  "Return non-nil while the knowledge base is on."
  ai-kb-switch--active)

;;;; The mode line

(defvar ai-kb-switch--values nil
  "Alist from the variables of the switch to the values that it set.")

;; Asked at every redisplay, and in the middle of personal functions.
(defun ai-kb-switch--intact-p ()
  "Return non-nil when org-roam's directory and database are the store's."
  (seq-every-p (lambda (symbol)
                 (eq (default-toplevel-value symbol)
                     (cdr (assq symbol ai-kb-switch--values))))
               '(org-roam-directory org-roam-db-location)))

(defun ai-kb-switch--lighter ()
  "Return the mode line's sign for the roam that is on."
  (cond
   ((not ai-kb-switch--active) "")
   ((ai-kb-switch--intact-p)
    (propertize " [ai-kb]" 'face 'ai-kb-switched
                'help-echo "org-roam shows the knowledge base"))
   (t (propertize " [ai-kb: half switched]" 'face 'ai-kb-half-switched
                  'help-echo "Something changed org-roam's directory or \
database: switch back with `ai-kb-switch-to-personal'"))))

(defconst ai-kb-switch-mode-line '(:eval (ai-kb-switch--lighter))
  "The mode line's part for the roam that is on.")
(put 'ai-kb-switch-mode-line 'risky-local-variable t)

(defun ai-kb-switch--show-lighter ()
  "Show in the mode line of every window that the knowledge base is on."
  (let* ((saved (default-toplevel-value 'global-mode-string))
         (parts (cond ((null saved) (list ""))
                      ((listp saved) saved)
                      (t (list "" saved))))
         (own 'ai-kb-switch-mode-line))
    (ai-kb-scope-push-undo
     "mode line"
     (lambda ()
       (let* ((now (default-toplevel-value 'global-mode-string))
              (others (if (listp now) (remq own now) now)))
         (set-default-toplevel-value
          'global-mode-string (if (equal others parts) saved others))
         (force-mode-line-update t))))
    (set-default-toplevel-value 'global-mode-string
                                (append parts (list own)))
    (force-mode-line-update t)))


;;;; Variables

(defvar ai-kb-switch--histories (list nil nil)
  "The store's own values of org-roam's two histories.")

(defun ai-kb-switch--variables ()
  "Return an alist from all variables of the switch to values for the store."
  (append
   (ai-kb-sync-variables)
   (seq-filter
    (lambda (cell) (boundp (car cell)))
    (list
     (cons 'org-roam-capture-templates ai-kb-capture-templates)
     (cons 'org-roam-capture-ref-templates nil)
     (cons 'org-roam-dailies-directory
           (or ai-kb-dailies-directory
               (and (boundp 'org-roam-dailies-directory)
                    (expand-file-name
                     (default-value 'org-roam-dailies-directory)
                     (default-value 'org-roam-directory)))))
     (cons 'org-roam-extract-new-file-path "%<%Y%m%d%H%M%S>-${slug}.org")
     (cons 'org-roam-node-history (nth 0 ai-kb-switch--histories))
     (cons 'org-roam-ref-history (nth 1 ai-kb-switch--histories))
     (cons 'org-id-locations
           (let ((known (default-value 'org-id-locations)))
             (if (hash-table-p known) (copy-hash-table known) known)))
     (cons 'org-id-files (copy-sequence (default-value 'org-id-files)))))))

(defun ai-kb-switch--set-variables ()
  "Point org-roam at the store."
  (let ((values (ai-kb-switch--variables)))
    (setq ai-kb-switch--values values)
    (ai-kb-scope-set-variables values)
    (ai-kb-scope-push-undo
     "ids and histories"
     (lambda ()
       (setq ai-kb-switch--histories
             (mapcar #'default-toplevel-value
                     '(org-roam-node-history org-roam-ref-history)))
       (ai-kb-keep-ids)))))

;;;; Buffers

(defun ai-kb-switch--close-views ()
  "Kill the buffers that show a node of the roam that is left."
  (dolist (buffer (buffer-list))
    (when (eq (buffer-local-value 'major-mode buffer) 'org-roam-mode)
      (kill-buffer buffer)))
  (setq-default org-roam-buffer-current-node nil
                org-roam-buffer-current-directory nil))

(defun ai-kb-switch--stale-p (buffer)
  "Return non-nil when BUFFER visits an older text than the store has."
  (and (ai-kb-core-store-buffer-p buffer)
       (null (buffer-base-buffer buffer))
       (not (buffer-modified-p buffer))
       (not (verify-visited-file-modtime buffer))
       (file-readable-p (buffer-file-name buffer))))

(defun ai-kb-switch--revert-stale ()
  "Show the new text in unmodified buffers of the store; return how many."
  (let ((stale (seq-filter #'ai-kb-switch--stale-p (buffer-list))))
    (dolist (buffer stale)
      (with-current-buffer buffer
        (let ((narrowed (and (buffer-narrowed-p)
                             (cons (copy-marker (point-min))
                                   (copy-marker (point-max) t))))
              (enable-local-variables nil))
          (revert-buffer t t t)
          (when narrowed
            (narrow-to-region (car narrowed) (cdr narrowed))))))
    (length stale)))

;;;; The commands

(defun ai-kb-switch--enter ()
  "Go to the store; return an `ai-kb-sync-result'."
  (let ((autosync org-roam-db-autosync-mode))
    (setq ai-kb-switch--active t)
    (ai-kb-scope-push-undo "state" (lambda () (setq ai-kb-switch--active nil)))
    (ai-kb-scope-push-undo "views" #'ai-kb-switch--close-views)
    (ai-kb-autosync-disconnect)
    (ai-kb-switch--close-views)
    (ai-kb-switch--set-variables)
    (ai-kb-scope-hide-hooks)
    (ai-kb-autosync-watch-files autosync)
    (ai-kb-keep-hold-savers)
    (ai-kb-autosync-connect autosync)
    (ai-kb-switch--show-lighter)
    (ai-kb-switch--revert-stale)
    (ai-kb-sync-now t)))

(defun ai-kb-switch--leave ()
  "Go back to your own roam; signal what failed on the way."
  (when-let ((failures (ai-kb-scope-unwind)))
    (signal 'ai-kb-switch-error failures)))

(defun ai-kb-switch--load ()
  "Load org-roam, or say that it is missing."
  (unless (require 'org-roam nil t)
    (user-error "Not switched: org-roam is not installed"))
  (require 'org-roam-dailies nil t)
  (setq ai-kb-guard-variables (mapcar #'car (ai-kb-switch--variables))))

(defun ai-kb-switch--say (result)
  "Tell in the echo area about RESULT, an `ai-kb-sync-result'."
  (let ((local (ai-kb-guard-local-bindings)))
    (message "%s is on: %s%s"
             (propertize "ai-kb" 'face 'ai-kb-switched)
             (ai-kb-sync-describe result)
             (if local
                 (format "; a roam of their own have: %s"
                         (string-join local ", "))
               ""))))

;;;###autoload
(defun ai-kb-switch-to-ai-kb ()
  "Let org-roam show the knowledge base instead of your own roam.
Your own roam keeps its files, its database, its hooks and its
settings: what you save there meanwhile is indexed there.  When
anything fails, all is as it was.
Return with \\[ai-kb-switch-to-personal]."
  (interactive)
  (if ai-kb-switch--active
      (message "The knowledge base is on already")
    (ai-kb-switch--load)
    (ai-kb-guard-check 'ai-kb)
    (let (result)
      (condition-case err
          (setq result (ai-kb-switch--enter))
        ((error quit)
         (let ((failures (ai-kb-scope-unwind)))
           (signal 'ai-kb-switch-error
                   (cons (format "your own roam is on as before: %s"
                                 (error-message-string err))
                         failures)))))
      (ai-kb-switch--say result))))

;;;###autoload
(defun ai-kb-switch-to-personal ()
  "Let org-roam show your own roam again, exactly as it was.
See also `ai-kb-switch-to-ai-kb'."
  (interactive)
  (if (not ai-kb-switch--active)
      (message "Your own roam is on already")
    (ai-kb-guard-check 'personal)
    (ai-kb-switch--leave)
    (message "Your own roam is on: %s"
             (abbreviate-file-name org-roam-directory))))

(provide 'ai-kb-switch)

;;; ai-kb-switch.el ends here
