;;; init.el --- The person at the terminal  -*- lexical-binding: t -*-

;; Copyright (C) 2026 ai-kb contributors

;; Author: ai-kb contributors
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The configuration of the terminal session: automatic syncing, dailies,
;; which-key, and an anonymous function that copies completed tasks to
;; today's daily.  AI_KB_TERMINAL_ROOT names the session's directory.

;;; Code:

(defvar org-state)
(defconst terminal-root (file-name-as-directory (getenv "AI_KB_TERMINAL_ROOT")))

(dolist (place '("elpa" "elpa-src"))
  (let ((default-directory (concat "/usr/share/emacs/site-lisp/" place)))
    (when (file-directory-p default-directory)
      (normal-top-level-add-subdirs-to-load-path))))
(add-to-list 'load-path (getenv "AI_KB_TERMINAL_ELISP"))

(setq inhibit-startup-screen t
      make-backup-files nil
      org-id-locations-file (concat user-emacs-directory "ids")
      org-roam-directory (concat terminal-root "roam/")
      org-roam-db-location (concat terminal-root "org-roam.db")
      which-key-idle-delay 0.3)
(menu-bar-mode -1)

(require 'org-roam)
(require 'org-roam-dailies)
(org-roam-db-autosync-mode 1)
(global-set-key (kbd "C-c n f") #'org-roam-node-find)
(global-set-key (kbd "C-c n l") #'org-roam-buffer-toggle)
(require 'which-key)
(which-key-mode 1)

(add-hook 'org-after-todo-state-change-hook
          (lambda ()
            (when (equal org-state "DONE")
              (let ((title (org-get-heading t t t t))
                    (org-roam-dailies-capture-templates
                     `(("t" "task" entry
                        ,(concat "* DONE " (org-get-heading t t t t))
                        :immediate-finish t
                        :target (file+head "%<%Y-%m-%d>.org"
                                           "#+title: %<%Y-%m-%d>\n")))))
                (org-roam-dailies-capture-today nil "t")
                (message "Copied %s" title)))))

(require 'ai-kb)
(require 'server)
(setq server-socket-dir (concat terminal-root "server"))
(make-directory server-socket-dir)
(set-file-modes server-socket-dir #o700)
(server-start)
(setq ai-kb-directory (concat terminal-root "kb/")
      ai-kb-db-location (concat terminal-root "org-roam-ai.db"))
(ai-kb-bind-keys "C-c n")

;;; init.el ends here
