;;; ai-kb-commit.el --- Commit nodes that were edited in Emacs  -*- lexical-binding: t -*-

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

;; Take the current buffer's file through the ai-kb program's write
;; path, while you work on, and let the buffer say what came of it.  A
;; file that is refused stays on disk as you wrote it.

;;; Code:

(require 'ai-kb-core)
(require 'ai-kb-process)
(require 'ai-kb-queue)
(require 'seq)

(defface ai-kb-not-committed
  '((t :inherit error))
  "Face of the words that a node is on disk and not committed."
  :group 'ai-kb)

;;;; What the buffer says

(defvar-local ai-kb-commit-state nil
  "How the node is: nil, `committing', `refused', `failed' or `conflict'.")

(defvar-local ai-kb-commit--words nil
  "A sentence about the state, shown above the text.")

(defvar-local ai-kb-commit--header nil
  "A list of the header line that was there before ours.")

(defvar-local ai-kb-commit-file nil
  "The name under which the node was last visited or committed.
Nil in buffers that show no state.")

(defvar ai-kb-commit-done-hook nil
  "Hook run in a buffer when the program has answered about its file.")

(defun ai-kb-commit-lighter ()
  "Return the sign of the node's state for the mode line."
  (pcase ai-kb-commit-state
    ('nil " kb")
    ('committing " kb..")
    (state (propertize (if (eq state 'conflict) " kb:CONFLICT" " kb:NOT COMMITTED")
                       'face 'ai-kb-not-committed
                       'help-echo ai-kb-commit--words))))

(defconst ai-kb-commit--header-line
  '(:eval (propertize (concat " " (string-replace "%" "%%" ai-kb-commit--words))
                      'face 'ai-kb-not-committed))
  "The header line of a node about which something must be said.")

(defun ai-kb-commit-set-state (state &optional words)
  "Show STATE in the mode line, and WORDS above the text."
  (setq ai-kb-commit-state state
        ai-kb-commit--words words)
  (cond
   ((and words (not ai-kb-commit--header))
    (setq ai-kb-commit--header (list header-line-format
                                   (local-variable-p 'header-line-format)))
    (setq header-line-format ai-kb-commit--header-line))
   ((and ai-kb-commit--header (not words))
    (when (eq header-line-format ai-kb-commit--header-line)
      (if (cadr ai-kb-commit--header)
          (setq header-line-format (car ai-kb-commit--header))
        (kill-local-variable 'header-line-format)))
    (setq ai-kb-commit--header nil)))
  (force-mode-line-update))

(defun ai-kb-commit-say (format &rest arguments)
  "Show FORMAT with ARGUMENTS, unless somebody is answering a question."
  (let ((inhibit-message (and (active-minibuffer-window) t)))
    (apply #'message (concat "ai-kb: " format) arguments)))

;;;; Committing

(defun ai-kb-commit--count (number noun)
  "Return NUMBER and NOUN in words, or nil for none."
  (and (> number 0) (format "%d %s%s" number noun (if (= number 1) "" "s"))))

(defun ai-kb-commit--errors (findings)
  "Return those of FINDINGS that are errors."
  (seq-filter (lambda (finding) (equal (alist-get 'severity finding) "error"))
              findings))

(defun ai-kb-commit--first-words (findings)
  "Return where the first of the errors in FINDINGS is, and what."
  (let ((errors (ai-kb-commit--errors findings)))
    (let-alist (car errors)
      (concat (format "line %s: %s" .line .message)
              (and (cdr errors)
                   (format " (and %s)"
                           (ai-kb-commit--count (1- (length errors))
                                              "further error")))))))

(defun ai-kb-commit--done-words (answer)
  "Return in words what became of the commit of ANSWER."
  (let-alist answer
    (string-join
     (delq nil
           (list "committed"
                 (pcase .push
                   ("pushed" "pushed")
                   ("behind" (format "not pushed: %s" .push_detail)))
                 (ai-kb-commit--count (length .findings) "warning")))
     ", ")))

(defun ai-kb-commit--settle (name answer err)
  "Show in the current buffer what became of the file NAME.
ANSWER or ERR is what the program said about the commit."
  (cond
   ((and err (equal (ai-kb-process-error-code err) "edited") (buffer-modified-p))
    (ai-kb-commit-set-state nil)
    (ai-kb-commit-say "%s waits for your next save" name))
   (err
    (let ((words (ai-kb-process-describe err)))
      (ai-kb-commit-set-state 'failed (concat "Not committed: " words))
      (ai-kb-commit-say "%s is saved, not committed: %s" name words)))
   ((alist-get 'refused answer)
    (let ((words (ai-kb-commit--first-words (alist-get 'findings answer))))
      (ai-kb-commit-set-state 'refused (concat "Not committed: " words))
      (ai-kb-commit-say "%s is saved, not committed: %s" name words)))
   (t
    (unless (eq ai-kb-commit-state 'conflict)
      (ai-kb-commit-set-state nil))
    (ai-kb-commit-say "%s %s" name (if (alist-get 'commit answer)
                                      (ai-kb-commit--done-words answer)
                                    "has nothing new to commit")))))

(defun ai-kb-commit--settled (buffer name answer err)
  "Show in BUFFER, if it is there, what became of the file NAME.
ANSWER or ERR is what the program said about the commit."
  (with-current-buffer (if (buffer-live-p buffer) buffer (current-buffer))
    (if (not (and (buffer-live-p buffer) ai-kb-commit-file))
        (when (or err (alist-get 'refused answer))
          (ai-kb-commit-say "%s is saved, not committed: see `ai-kb-status'" name))
      (ai-kb-commit--settle name answer err)
      (run-hooks 'ai-kb-commit-done-hook))))

;;;###autoload
(defun ai-kb-commit-buffer ()
  "Check and commit the file of the current buffer; do not wait for that.
What came of it is shown when it is known."
  (interactive)
  (unless (ai-kb-core-store-buffer-p)
    (user-error "This buffer visits no file of the knowledge base"))
  (let* ((buffer (or (buffer-base-buffer) (current-buffer)))
         (file (expand-file-name (buffer-local-value 'buffer-file-truename buffer)))
         (former (buffer-local-value 'ai-kb-commit-file buffer))
         (files (if (and former (not (equal former file))
                         (not (file-exists-p former)))
                    (list former file)
                  (list file)))
         (arguments (cons "commit" files)))
    (when former
      (with-current-buffer buffer
        (setq ai-kb-commit-file file)
        (ai-kb-commit-set-state 'committing ai-kb-commit--words)))
    (ai-kb-queue-add arguments
                     (lambda (answer err)
                       (ai-kb-commit--settled buffer (file-name-nondirectory file)
                                            answer err))
                     :key arguments)))

(provide 'ai-kb-commit)

;;; ai-kb-commit.el ends here
