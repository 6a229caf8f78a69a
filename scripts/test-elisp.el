;;; test-elisp.el --- Run all ERT files  -*- lexical-binding: t; -*-

;; Copyright (C) 2026  ai-kb contributors

;; Author: ai-kb contributors
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Called by test-elisp.sh.  `ert-run-tests-batch-and-exit' is content
;; with no test at all; this is not.

;;; Code:

(require 'ert)

;; A stale .elc would hide what is tested.
(setq load-prefer-newer t)

;; Tests may replace primitives; no compiler shall start for that.
;; Emacs 28 has the first name, later ones the second.
(dolist (variable '(comp-enable-subr-trampolines
                    native-comp-enable-subr-trampolines))
  (set variable nil))

(dolist (file (file-expand-wildcards "tests/elisp/*-test.el"))
  (load (expand-file-name file) nil t))

(let* ((name (getenv "AI_KB_TEST_SELECTOR"))
       (selector (if (member name '(nil "")) t name)))
  (unless (ert-select-tests selector t)
    (message "No tests match")
    (kill-emacs 1))
  (ert-run-tests-batch-and-exit selector))

;;; test-elisp.el ends here
