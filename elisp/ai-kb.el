;;; ai-kb.el --- Browse the knowledge base of your coding agents  -*- lexical-binding: t -*-

;; Copyright (C) 2026 ai-kb contributors

;; Author: ai-kb contributors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (org-roam "2.2.2"))
;; Keywords: outlines, hypermedia, convenience
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

;; Coding agents keep what they learn in a store: a git repository of
;; org-roam nodes.  This package lets you browse that store with
;; org-roam, beside your own roam and without touching it.
;;
;;   (require 'ai-kb)
;;   (ai-kb-bind-keys "C-c n")
;;
;; Then `C-c n a' switches org-roam to the knowledge base, and `C-c n A'
;; switches back.  `ai-kb-command-map' holds the same keys, for a place
;; of your choice.  Loading this file loads neither Org nor org-roam.
;; The manual is docs/emacs.org.

;;; Code:

(require 'ai-kb-core)

(autoload 'ai-kb-switch-to-ai-kb "ai-kb-switch" nil t)
(autoload 'ai-kb-switch-to-personal "ai-kb-switch" nil t)
(autoload 'ai-kb-db-sync "ai-kb-sync" nil t)

(pcase-dolist (`(,file . ,commands)
               '(("ai-kb-commands" ai-kb-backlinks ai-kb-check-buffer
                  ai-kb-contested ai-kb-find ai-kb-index ai-kb-new)
                 ("ai-kb-commit" ai-kb-commit-buffer)
                 ("ai-kb-menu" ai-kb-menu)
                 ("ai-kb-mode" ai-kb-mode ai-kb-page-mode global-ai-kb-mode)
                 ("ai-kb-resolve" ai-kb-resolve)
                 ("ai-kb-status" ai-kb-push ai-kb-status)))
  (dolist (command commands)
    (autoload command file nil t)))

;; A cons of a label and a command: which-key shows the label.
(defconst ai-kb--bindings
  '(("a" "ai-kb: knowledge base" . ai-kb-switch-to-ai-kb)
    ("A" "ai-kb: my own roam" . ai-kb-switch-to-personal)
    ("k" "ai-kb: all commands" . ai-kb-menu))
  "Keys of ai-kb after its prefix, with labels and commands.")

(defun ai-kb--bind (keymap prefix)
  "Bind the keys of ai-kb in KEYMAP, each after PREFIX."
  (pcase-dolist (`(,key . ,labelled) ai-kb--bindings)
    (define-key keymap (vconcat prefix (kbd key)) labelled)))

;;;###autoload (autoload 'ai-kb-command-map "ai-kb" nil nil 'keymap)
(defvar ai-kb-command-map (make-sparse-keymap)
  "Keymap of ai-kb's commands, to be bound to a prefix of your choice.")
(defalias 'ai-kb-command-map ai-kb-command-map)
(ai-kb--bind ai-kb-command-map [])

;;;###autoload
(defun ai-kb-bind-keys (prefix &optional keymap)
  "Bind ai-kb's keys after PREFIX, beside the keys that are there.
PREFIX is a string for `kbd'.  Without KEYMAP they are bound globally.
See also `ai-kb-command-map'."
  (ai-kb--bind (or keymap (current-global-map)) (kbd prefix)))

(provide 'ai-kb)

;;; ai-kb.el ends here
