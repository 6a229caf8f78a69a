;;; ai-kb-resolve.el --- Sync the store, and decide conflicts  -*- lexical-binding: t -*-

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

;; `ai-kb-resolve' lets the program sync the store with its remote.
;; What two machines changed each in its own way is listed then; both
;; versions can be compared by Ediff, and a key decides.  The versions
;; are only shown: as plain text, in buffers that visit no file.

;;; Code:

(require 'ai-kb-core)
(require 'ai-kb-process)
(require 'ai-kb-queue)
(require 'seq)
(require 'subr-x)
(require 'tabulated-list)

(autoload 'ediff-buffers "ediff")

(defconst ai-kb-resolve-buffer-name "*ai-kb conflicts*"
  "The name of the buffer with conflicts.")

(defvar-local ai-kb-resolve--conflicts nil
  "Conflicts, alists, as the program has them.")

(defvar ai-kb-resolve-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'ai-kb-resolve-compare)
    (define-key map "e" #'ai-kb-resolve-compare)
    (define-key map "o" #'ai-kb-resolve-ours)
    (define-key map "t" #'ai-kb-resolve-theirs)
    (define-key map "b" #'ai-kb-resolve-both)
    map)
  "Keymap of `ai-kb-resolve-mode'.")

(define-derived-mode ai-kb-resolve-mode tabulated-list-mode "ai-kb conflicts"
  "Mode for nodes that two machines changed each in its own way.
\\<ai-kb-resolve-mode-map>\\[ai-kb-resolve-compare] compares both versions.
\\[ai-kb-resolve-ours] takes that of this machine where they clash,
\\[ai-kb-resolve-theirs] that of the other, and \\[ai-kb-resolve-both] \
keeps both, the second as a
contested node of its own.  \\[revert-buffer] syncs again."
  :group 'ai-kb
  (setq tabulated-list-format [("Node" 40 t) ("What clashes" 28 t) ("File" 0 t)])
  (setq-local revert-buffer-function (lambda (&rest _) (ai-kb-resolve)))
  (tabulated-list-init-header))

;;;###autoload
(defun ai-kb-resolve ()
  "Sync the knowledge base with its remote; list what cannot be merged.
Do not wait for it.  See also `ai-kb-push'."
  (interactive)
  (message "ai-kb: syncing...")
  (ai-kb-queue-add (list "sync") #'ai-kb-resolve--show))

(defun ai-kb-resolve--show (answer err)
  "Tell about ANSWER of a sync, or list the conflicts that ERR has."
  (let ((conflicts (alist-get 'conflicts (ai-kb-process-error-answer err)))
        (old (get-buffer ai-kb-resolve-buffer-name)))
    (cond
     (conflicts
      (ai-kb-resolve--list conflicts)
      (message "ai-kb: nothing was merged; decide each node%s"
               (let ((kept (length (alist-get 'decided
                                              (ai-kb-process-error-answer err)))))
                 (if (zerop kept) ""
                   (format " (%d decided, kept for the merge)" kept)))))
     (t
      (when (and old (or (not err)    ; what is merged and only not pushed
                         (equal (ai-kb-process-error-code err) "push")))
        (kill-buffer old))
      (let-alist answer
        (message "ai-kb: %s"
                 (cond (err (ai-kb-process-describe err))
                       (.ok (format "in step with %s" .push_detail))
                       (t .push_detail))))))))

(defun ai-kb-resolve--list (conflicts)
  "Show CONFLICTS in a buffer of their own."
  (with-current-buffer (get-buffer-create ai-kb-resolve-buffer-name)
    (ai-kb-resolve-mode)
    (setq ai-kb-resolve--conflicts conflicts)
    (setq tabulated-list-entries (mapcar #'ai-kb-resolve--entry conflicts))
    (tabulated-list-print)
    (pop-to-buffer (current-buffer))))

(defun ai-kb-resolve--entry (conflict)
  "Return a row of the list for CONFLICT."
  (let-alist conflict
    (list .name (vector (or .title .path)
                        (pcase .deleted_by
                          ("ours" "deleted here, changed there")
                          ("theirs" "changed here, deleted there")
                          (_ (string-join .what ", ")))
                        .path))))

(defun ai-kb-resolve--at-point ()
  "Return the conflict at point."
  (let ((name (tabulated-list-get-id)))
    (or (and name
             (seq-find (lambda (conflict) (equal name (alist-get 'name conflict)))
                       ai-kb-resolve--conflicts))
        (user-error "No conflict stands here"))))

;;;; Both versions

(defun ai-kb-resolve--version (conflict side)
  "Return a buffer with the text that CONFLICT has on SIDE, a symbol.
It is plain text, so that nothing in it can be obeyed."
  (let ((buffer (get-buffer-create
                 (format "*ai-kb %s: %s*" side (alist-get 'path conflict)))))
    (with-current-buffer buffer
      (let ((inhibit-read-only t)
            (enable-local-variables nil))
        (erase-buffer)
        (fundamental-mode)
        (insert (or (alist-get side conflict) ""))
        (set-buffer-modified-p nil)
        (goto-char (point-min)))
      (setq buffer-read-only t))
    buffer))

(defun ai-kb-resolve-compare ()
  "Compare both versions of the node at point by Ediff."
  (interactive)
  (let ((conflict (ai-kb-resolve--at-point)))
    (ediff-buffers (ai-kb-resolve--version conflict 'ours)
                   (ai-kb-resolve--version conflict 'theirs))))

;;;; Deciding

(defun ai-kb-resolve--decide (side)
  "Let SIDE win where the versions of the node at point clash."
  (let ((name (alist-get 'name (ai-kb-resolve--at-point))))
    (message "ai-kb: syncing...")
    (ai-kb-queue-add (list "sync" "--resolve" name side) #'ai-kb-resolve--show)))

(defun ai-kb-resolve-ours ()
  "Keep what this machine has where the versions at point clash."
  (interactive)
  (ai-kb-resolve--decide "ours"))

(defun ai-kb-resolve-theirs ()
  "Take what the other machine has where the versions at point clash."
  (interactive)
  (ai-kb-resolve--decide "theirs"))

(defun ai-kb-resolve-both ()
  "Keep both versions of the node at point, the second as a contested node."
  (interactive)
  (ai-kb-resolve--decide "both"))

(provide 'ai-kb-resolve)

;;; ai-kb-resolve.el ends here
