;;; lint-elisp.el --- All that lint-elisp.sh asks  -*- lexical-binding: t; -*-

;; Copyright (C) 2026  ai-kb contributors

;; Author: ai-kb contributors
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Called by lint-elisp.sh in a copy of the tree.  Each check is
;; a function of a file; it reports by `lint-elisp-report', since most of
;; the tools' own batch commands exit 0 whatever they find.

;;; Code:

(require 'bytecomp)
(require 'checkdoc)
(require 'package)

(defvar package-lint-main-file)
(declare-function package-lint-buffer "package-lint" (&optional buffer))

(defconst lint-elisp-ignored
  '(;; Debian 12's package-lint is older than Emacs 28.
    "\\`This makes the package uninstallable in all\\s-+released Emacs versions"
    ;; No host is built in anywhere: whoever publishes this names their own.
    "\\`Package should have a Homepage or URL header"
    ;; Debian's org-roam 2.2.2 calls itself 2.2.1 in its header.
    "\\`Version dependency for org-roam appears too high: try 2\\.2\\.1")
  "Messages that are no findings, each with the reason.")

(defvar lint-elisp-findings 0
  "How many findings there were.")

(defun lint-elisp-report (file line message)
  "Report that FILE has a finding MESSAGE at LINE."
  (unless (seq-some (lambda (regexp) (string-match-p regexp message))
                    lint-elisp-ignored)
    (setq lint-elisp-findings (1+ lint-elisp-findings))
    (message "%s:%s: %s" file line message)))

;;;; Checks

(defun lint-elisp-cookie (file)
  "Report FILE if it lacks the cookie for lexical binding.
Emacs 28 compiles such a file silently, with other semantics."
  (with-temp-buffer
    (insert-file-contents file)
    (unless (looking-at-p ".*-\\*-.*lexical-binding: t.*-\\*-")
      (lint-elisp-report file 1 "No `lexical-binding' cookie"))))

(defun lint-elisp-compile (file)
  "Compile FILE and report it if there was a warning, which is printed."
  (let ((byte-compile-error-on-warn t)
        ;; The next file must not load this one's compiled form.
        (byte-compile-dest-file-function
         (lambda (_) (expand-file-name "compiled.elc" temporary-file-directory))))
    (unless (byte-compile-file file)
      (lint-elisp-report file 1 "Does not compile without warnings"))))

(defun lint-elisp-checkdoc (file)
  "Report the complaints of checkdoc about FILE."
  (let ((checkdoc-create-error-function
         (lambda (text start _end &optional _unfixable)
           (lint-elisp-report file (line-number-at-pos start) text)
           nil)))
    (with-current-buffer (find-file-noselect file)
      (checkdoc-current-buffer t))))

(defun lint-elisp-package (file)
  "Report the complaints of package-lint about FILE, a part of the package."
  (with-current-buffer (find-file-noselect file)
    (pcase-dolist (`(,line ,_column ,_type ,message) (package-lint-buffer))
      (lint-elisp-report file line message))))

;;;; All of them

(defun lint-elisp-use-system-packages ()
  "Make Debian's Emacs packages loadable, which `emacs -Q' does not.
For package-lint they stand in for an archive: what is required must be
among them."
  (dolist (root '("/usr/share/emacs/site-lisp/elpa"
                  "/usr/share/emacs/site-lisp/elpa-src"))
    (when (file-directory-p root)
      (add-to-list 'package-directory-list root)
      (dolist (directory (directory-files root t "\\`[^.]"))
        (when (file-directory-p directory)
          (add-to-list 'load-path directory t)))))
  (package-load-all-descriptors)
  (setq package-archive-contents package-alist))

(defun lint-elisp-and-exit ()
  "Check all Lisp files below the current directory; exit 1 on findings."
  (unless noninteractive
    (user-error "The function `lint-elisp-and-exit' is for batch use only"))
  (lint-elisp-use-system-packages)
  (let* ((shipped (file-expand-wildcards "elisp/*.el"))
         (all (append shipped
                      (file-expand-wildcards "tests/elisp/*.el")
                      (file-expand-wildcards "scripts/*.el"))))
    (unless shipped
      (lint-elisp-report "elisp" 1 "No Lisp files"))
    (dolist (file all)
      (lint-elisp-cookie file)
      (lint-elisp-compile file)
      (lint-elisp-checkdoc file))
    (cond
     ((not (require 'package-lint nil t))
      (lint-elisp-report "elisp" 1 "package-lint is missing: install elpa-package-lint"))
     ((not (file-exists-p "elisp/ai-kb.el"))
      (lint-elisp-report "elisp/ai-kb.el" 1 "Missing: it has the package's headers"))
     (t
      (setq package-lint-main-file (expand-file-name "elisp/ai-kb.el"))
      (mapc #'lint-elisp-package shipped)))
    (message "%d Lisp files, %d findings" (length all) lint-elisp-findings)
    (kill-emacs (if (> lint-elisp-findings 0) 1 0))))

(provide 'lint-elisp)
;;; lint-elisp.el ends here
