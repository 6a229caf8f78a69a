;;; ai-kb-menu.el --- All commands of ai-kb in one menu  -*- lexical-binding: t -*-

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

;; All commands in one menu.  In a file of its own because Transient is
;; loaded for it, and for nothing else.

;;; Code:

(require 'ai-kb-commands)
(require 'ai-kb-commit)
(require 'ai-kb-core)
(require 'ai-kb-resolve)
(require 'ai-kb-status)
(require 'transient)

(autoload 'ai-kb-switch-to-ai-kb "ai-kb-switch" nil t)
(autoload 'ai-kb-switch-to-personal "ai-kb-switch" nil t)
(autoload 'ai-kb-db-sync "ai-kb-sync" nil t)

;;;###autoload (autoload 'ai-kb-menu "ai-kb-menu" nil t)
(transient-define-prefix ai-kb-menu ()
  "Commands for the knowledge base of your agents."
  [["Nodes"
    ("f" "find" ai-kb-find)
    ("n" "new" ai-kb-new)
    ("b" "backlinks" ai-kb-backlinks)
    ("i" "index" ai-kb-index)
    ("c" "contested" ai-kb-contested)]
   ["This buffer"
    ("k" "check" ai-kb-check-buffer)
    ("w" "commit" ai-kb-commit-buffer)]
   ["The store"
    ("s" "status" ai-kb-status)
    ("p" "push" ai-kb-push)
    ("r" "sync, and resolve conflicts" ai-kb-resolve)]
   ["org-roam"
    ("a" "switch to the knowledge base" ai-kb-switch-to-ai-kb)
    ("A" "switch to my own roam" ai-kb-switch-to-personal)
    ("d" "sync the database" ai-kb-db-sync)]])

(provide 'ai-kb-menu)

;;; ai-kb-menu.el ends here
