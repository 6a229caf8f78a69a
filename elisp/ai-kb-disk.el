;;; ai-kb-disk.el --- Follow what others write to the store  -*- lexical-binding: t -*-

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

;; Buffers of the store and what others do to their files.  An agent
;; writes files whenever it likes: a buffer without changes follows the
;; disk by itself (auto-revert does that, by notification where there
;; is one), and a buffer with changes is told, kept as it is, and asked
;; about when it is saved.

;;; Code:

(require 'ai-kb-core)
(require 'autorevert)

(declare-function ediff-buffers "ediff" (a b &optional hooks job file))

(defvar ai-kb-disk-conflict-functions nil
  "Functions called with a sentence in a buffer that differs from its file.
Both have changed.  Each state of the disk is told once.")

(defvar-local ai-kb-disk--told nil
  "The time of the file's last change that has been told.")

(defvar-local ai-kb-disk--watched nil
  "Non-nil where this file, and nobody else, turned auto-revert on.")

;;;; Following

(defun ai-kb-disk-changed-p ()
  "Return non-nil when somebody else changed the current buffer's file."
  (and buffer-file-name
       (file-readable-p buffer-file-name)
       (not (verify-visited-file-modtime (current-buffer)))))

(defun ai-kb-disk--stale-p (&optional _noconfirm)
  "Return non-nil when the current buffer is to follow its file.
This is a value for `buffer-stale-function'.  A modified buffer
is not to follow; a conflict is told to the user."
  (when (ai-kb-disk-changed-p)
    (if (buffer-modified-p)
        (ai-kb-disk--tell)
      t)))

(defun ai-kb-disk--tell ()
  "Tell once that both the buffer and its file have changed.  Return nil."
  (let ((time (file-attribute-modification-time
               (file-attributes buffer-file-name))))
    (unless (equal time ai-kb-disk--told)
      (setq ai-kb-disk--told time)
      (run-hook-with-args 'ai-kb-disk-conflict-functions
                          (ai-kb-disk--describe))))
  nil)

(defun ai-kb-disk--describe ()
  "Return a sentence about the conflict in the current buffer."
  (format "%s was changed on disk by somebody else at %s, and you have \
unsaved changes"
          (file-name-nondirectory buffer-file-name)
          (format-time-string
           "%H:%M" (file-attribute-modification-time
                    (file-attributes buffer-file-name)))))

(defun ai-kb-disk-follow ()
  "Bring the current buffer up to date with its file, unless it is modified.
Point, marks and folds stay; nothing is said."
  (when (and (ai-kb-disk-changed-p) (not (buffer-modified-p)))
    (let ((inhibit-message t)
          (message-log-max nil)
          (buffer-read-only buffer-read-only))
      (revert-buffer t t t))))

(defun ai-kb-disk-watch (on)
  "Let the current buffer follow its file if ON, else leave it alone."
  (if (not on)
      (progn
        (kill-local-variable 'buffer-stale-function)
        (kill-local-variable 'auto-revert-verbose)
        (kill-local-variable 'revert-buffer-insert-file-contents-function)
        (when ai-kb-disk--watched
          (setq ai-kb-disk--watched nil)
          (auto-revert-mode -1)))
    (setq-local buffer-stale-function #'ai-kb-disk--stale-p
                auto-revert-verbose nil
                revert-buffer-insert-file-contents-function
                #'revert-buffer-insert-file-contents-delicately)
    (unless auto-revert-mode
      (setq ai-kb-disk--watched t)
      (auto-revert-mode 1))))

;;;; Saving over somebody else's change

(defun ai-kb-disk--compare ()
  "Compare the current buffer with its file by ediff.
From then on saving is your decision: you have seen what is there."
  (let ((mine (current-buffer))
        (file buffer-file-name)
        (theirs (get-buffer-create
                 (format "*%s on disk*" (file-name-nondirectory
                                         buffer-file-name)))))
    (with-current-buffer theirs
      (setq buffer-read-only nil)
      (erase-buffer)
      (insert-file-contents file)
      (text-mode)
      (set-buffer-modified-p nil)
      (setq buffer-read-only t))
    (ai-kb-disk--accept)
    (ediff-buffers theirs mine)))

(defun ai-kb-disk--accept ()
  "Take the state of the disk as one that the user has decided about."
  (set-visited-file-modtime)
  (run-hook-with-args 'ai-kb-disk-conflict-functions nil))

(defun ai-kb-disk--take-theirs ()
  "Bring the current buffer up to date with its file.
The text that was in it is kept in another buffer, which is returned."
  (let ((text (save-restriction (widen) (buffer-string)))
        (kept (generate-new-buffer
               (format "*%s as you had it*"
                       (file-name-nondirectory buffer-file-name)))))
    (with-current-buffer kept
      (insert (substring-no-properties text))
      (text-mode)
      (set-buffer-modified-p nil))
    (revert-buffer t t t)
    (message "Your text is kept in buffer %s" (buffer-name kept))
    kept))

;;;###autoload
(defun ai-kb-save (&optional arg)
  "Save the current buffer as `save-buffer' does with ARG.
When somebody else has changed the file meanwhile, say so and ask
what to do.  Nothing is overwritten unless you say it."
  (interactive "p")
  (if (not (and (buffer-modified-p) (ai-kb-disk-changed-p)))
      (save-buffer arg)
    (pcase (car (read-multiple-choice
                 (concat (ai-kb-disk--describe) ".")
                 '((?e "ediff" "Compare both and merge; then save again")
                   (?t "theirs" "Take what is on disk; your text is kept \
in another buffer")
                   (?m "mine" "Save your text over it")
                   (?n "not now" "Leave both as they are"))))
      (?e (ai-kb-disk--compare)
          (message "Copy what you want to keep, then save again"))
      (?t (ai-kb-disk--take-theirs))
      (?m (ai-kb-disk--accept)
          (save-buffer arg))
      (_ (message "Not saved")))))

(provide 'ai-kb-disk)

;;; ai-kb-disk.el ends here
