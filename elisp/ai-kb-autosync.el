;;; ai-kb-batch.el --- Org's own reading of notes, for batch use  -*- lexical-binding: t; -*-

;; Copyright (C) 2025  ai-kb contributors

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

;; The connections to databases, the mode that keeps them up to date,
;; and the hooks that it puts into buffers.  Buffers of the store work
;; for the store's database, all other buffers for your own.

;;; Code:

(require 'ai-kb-core)
(require 'ai-kb-scope)
(require 'ai-kb-sync)
(require 'cl-lib)
(require 'seq)

(declare-function org-roam-db-autosync-mode "org-roam-db")
(declare-function org-roam-db-autosync--delete-file-a "org-roam-db")
(declare-function org-roam-db-autosync--rename-file-a "org-roam-db")
(declare-function org-roam-db-autosync--setup-file-h "org-roam-db")

(defvar org-roam-db-autosync-mode)
(defvar org-roam-db-autosync-mode-hook)
(defvar org-roam-db-autosync-mode-off-hook)
(defvar org-roam-db-autosync-mode-on-hook)

;;;; The mode and the connections

(defun ai-kb-autosync--set (on)
  "Turn org-roam's automatic syncing ON or off, and nothing else.
It neither syncs nor runs the mode's hooks nor looks at buffers."
  (let ((org-roam-db-autosync-mode-hook nil)
        (org-roam-db-autosync-mode-on-hook nil)
        (org-roam-db-autosync-mode-off-hook nil))
    (cl-letf (((symbol-function 'org-roam-db-sync) #'ignore)
              ((symbol-function 'org-roam-buffer-list) #'ignore))
      (org-roam-db-autosync-mode (if on 1 -1)))))

(defun ai-kb-autosync--advices (symbol)
  "Return the functions that advise SYMBOL."
  (let (advices)
    (advice-mapc (lambda (function _) (push function advices)) symbol)
    advices))

(defun ai-kb-autosync--remember-definition (symbol)
  "Return a function that gives SYMBOL the definition that it has now.
It does so only if the same functions advise SYMBOL then."
  (let ((definition (symbol-function symbol))
        (advices (ai-kb-autosync--advices symbol)))
    (lambda ()
      (when (ai-kb-scope-same-set-p advices (ai-kb-autosync--advices symbol))
        (fset symbol definition)))))

(defun ai-kb-autosync--remember-hook (symbol)
  "Return a function that gives the hook SYMBOL the value that it has now.
What others add to it or remove from it meanwhile stays."
  (let ((saved (default-toplevel-value symbol)))
    (lambda ()
      (set-default-toplevel-value
       symbol (ai-kb-scope-back-to
               saved
               (ai-kb-scope-functions (default-toplevel-value symbol)))))))

(defun ai-kb-autosync-disconnect ()
  "Turn automatic syncing off and close all connections."
  (let ((autosync org-roam-db-autosync-mode)
        (back (append (mapcar #'ai-kb-autosync--remember-hook
                              '(find-file-hook kill-emacs-hook))
                      (mapcar #'ai-kb-autosync--remember-definition
                              '(rename-file delete-file)))))
    (ai-kb-scope-push-undo
     "automatic syncing"
     (lambda ()
       (ai-kb-database-disconnect-all)
       (when autosync
         (ai-kb-autosync--set t))
       (mapc #'funcall back)))
    (when autosync
      (ai-kb-autosync--set nil))
    (ai-kb-database-disconnect-all)))

(defun ai-kb-autosync-connect (autosync)
  "Sync automatically in the store when AUTOSYNC is non-nil.
Buffers that visit the store already get org-roam's hooks."
  (ai-kb-scope-push-undo
   "store"
   (lambda ()
     (when org-roam-db-autosync-mode
       (ai-kb-autosync--set nil))
     (ai-kb-database-disconnect)))
  (when autosync
    (ai-kb-autosync--set t))
  (dolist (buffer (seq-filter #'ai-kb-core-store-buffer-p (buffer-list)))
    (ai-kb-autosync--equip-buffer buffer autosync)))

(defun ai-kb-autosync--equip-buffer (buffer autosync)
  "Give BUFFER, which visits the store, org-roam's hooks if AUTOSYNC."
  (let ((back (mapcar
               (lambda (symbol)
                 (list symbol (local-variable-p symbol buffer)
                       (buffer-local-value symbol buffer)))
               (append ai-kb-scope-save-hooks ai-kb-scope-view-hooks))))
    (ai-kb-scope-push-undo
     "buffers of the store"
     (lambda ()
       (when (buffer-live-p buffer)
         (with-current-buffer buffer
           (pcase-dolist (`(,symbol ,local ,saved) back)
             (ai-kb-autosync--strip symbol local saved))))))
    (when autosync
      (with-current-buffer buffer
        (org-roam-db-autosync--setup-file-h)))))

(defun ai-kb-autosync--strip (symbol local saved)
  "Take org-roam's functions out of the current buffer's hook SYMBOL.
When nothing else has changed it is SAVED again, or global again
unless LOCAL is non-nil."
  (when (local-variable-p symbol)
    (let ((rest (seq-remove #'ai-kb-scope-org-roam-function-p
                            (ai-kb-scope-functions (symbol-value symbol)))))
      (cond
       (local (set symbol (ai-kb-scope-back-to saved rest)))
       ((equal rest '(t)) (kill-local-variable symbol))
       (t (set symbol rest))))))

;;;; Files that are visited or moved meanwhile

(defun ai-kb-autosync--visit (autosync)
  "Return a function for a buffer whose file has just been visited.
A file of the store has been equipped by org-roam.  Another file is
equipped as in your own roam, if AUTOSYNC, and stays there."
  (lambda ()
    (let ((buffer (current-buffer)))
      (if (ai-kb-core-store-buffer-p)
          (ai-kb-autosync--equip-buffer buffer nil)
        (ai-kb-scope-restore-hooks buffer)
        (when autosync
          (ai-kb-scope-call #'org-roam-db-autosync--setup-file-h)))
      (ai-kb-scope-hide-buffer buffer))))

(defun ai-kb-autosync-watch-files (autosync)
  "Keep files of your own roam in its database, if AUTOSYNC."
  (let ((visit (ai-kb-autosync--visit autosync))
        (delete (lambda (&rest args)
                  (apply #'ai-kb-scope-call
                         #'org-roam-db-autosync--delete-file-a args)))
        (rename (lambda (&rest args)
                  (apply #'ai-kb-scope-call
                         #'org-roam-db-autosync--rename-file-a args))))
    (ai-kb-scope-push-undo
     "files"
     (lambda ()
       (remove-hook 'find-file-hook visit)
       (advice-remove 'delete-file delete)
       (advice-remove 'rename-file rename)))
    (add-hook 'find-file-hook visit 95)
    (when autosync
      (advice-add 'delete-file :before delete)
      (advice-add 'rename-file :after rename))))

(provide 'ai-kb-autosync)

;;; ai-kb-autosync.el ends here
