;;; roam-sync.el --- org-roam builds its database  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'package)
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
(setq org-id-locations-file (make-temp-name (expand-file-name "ids" temporary-file-directory))
      enable-local-variables nil
      vc-handled-backends nil
      create-lockfiles nil
      make-backup-files nil)
(require 'org-roam)
(setq org-roam-directory (file-name-as-directory (file-truename (pop command-line-args-left)))
      org-roam-db-location (pop command-line-args-left))
(org-roam-db-sync)

;;; roam-sync.el ends here
