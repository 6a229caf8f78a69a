;;; ai-kb-status.el --- Show how the knowledge base is  -*- lexical-binding: t -*-

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

;; How the store is: what is not committed, not pushed, contested.

;;; Code:

(require 'ai-kb-core)
(require 'ai-kb-node)
(require 'ai-kb-process)
(require 'ai-kb-queue)

(defvar ai-kb-status-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map "P" #'ai-kb-push)
    (define-key map (kbd "TAB") #'forward-button)
    (define-key map (kbd "<backtab>") #'backward-button)
    map)
  "Keymap of `ai-kb-status-mode'.")

(define-derived-mode ai-kb-status-mode special-mode "ai-kb status"
  "Mode for the status of the knowledge base.
\\<ai-kb-status-mode-map>\\[revert-buffer] asks again, \\[ai-kb-push] \
pushes, RET visits what is underlined."
  :group 'ai-kb
  (setq-local revert-buffer-function
              (lambda (&rest _) (ai-kb-status))))

(defun ai-kb-status--button (label path &optional line)
  "Insert LABEL as a button that visits the store's file PATH at LINE."
  (insert "  ")
  (insert-text-button label 'follow-link t
                      'action (lambda (_) (ai-kb-node-visit path line)))
  (insert "\n"))

(defun ai-kb-status--insert (status)
  "Insert STATUS, an answer of the program, into the current buffer."
  (let-alist status
    (insert (format "%s: %d nodes\n" .store .nodes))
    (when .hindered
      (insert (format "%s; nothing is written until it ends (%s)\n"
                      .hindered.what .hindered.cure)))
    (when .interrupted
      (insert "A write was interrupted; the next write repairs it\n"))
    (insert (cond ((not .remote) "No backup: `ai-kb remote URL' adds one\n")
                  ((and .hindered (not .unpushed))
                   (format "What %s lacks cannot be told now\n" .remote))
                  ((eql 0 (or .unpushed 0)) (format "Pushed to %s\n" .remote))
                  (t (format "%d not pushed to %s: press P\n"
                             .unpushed .remote))))
    (insert (if .uncommitted "\nNot committed:\n" "Everything is committed\n"))
    (dolist (path .uncommitted)
      (ai-kb-status--button path path))
    (when .contested
      (insert "\nContested:\n"))
    (dolist (node .contested)
      (let-alist node
        (ai-kb-status--button .title .path .line)))))

;;;###autoload
(defun ai-kb-status ()
  "Show what in the knowledge base is not committed, not pushed or contested."
  (interactive)
  (let ((status (ai-kb-node-ask "status"))
        (buffer (get-buffer-create "*ai-kb status*")))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (ai-kb-status-mode)
        (erase-buffer)
        (ai-kb-status--insert status)
        (goto-char (point-min))))
    (pop-to-buffer buffer)))

;;;###autoload
(defun ai-kb-push ()
  "Send what is committed to the store's backup; do not wait for that."
  (interactive)
  (message "ai-kb: pushing...")
  (ai-kb-queue-add
   (list "push")
   (lambda (answer err)
     (let-alist answer
       (cond (err (message "ai-kb: %s" (ai-kb-process-describe err)))
             (.ok (message "ai-kb: pushed to %s" .push_detail))
             (t (message "ai-kb: not pushed: %s" .push_detail)))))
   :key '("push")))

(provide 'ai-kb-status)

;;; ai-kb-status.el ends here
