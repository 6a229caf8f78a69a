;;; mode-init.el --- The person who works in the store  -*- lexical-binding: t -*-

;; Copyright (C) 2026 ai-kb contributors

;; Author: ai-kb contributors
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The configuration of the terminal session mode.sh: what docs/emacs.org
;; tells people to write, and neither org-roam nor a server.

;;; Code:

(add-to-list 'load-path (getenv "AI_KB_TERMINAL_ELISP"))
(setq inhibit-startup-screen t
      make-backup-files nil
      ai-kb-program (getenv "AI_KB_TERMINAL_PROGRAM"))
(menu-bar-mode -1)

(require 'ai-kb)
(ai-kb-bind-keys "C-c n")
(global-ai-kb-mode 1)

;;; mode-init.el ends here
