;;; tuned-lint.el --- The same, with the settings that make Org load fast  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(setq gc-cons-threshold most-positive-fixnum
      org-modules nil
      org-babel-load-languages nil
      vc-handled-backends nil)
(require 'org-lint)
(require 'cl-lib)

(let ((unsafe '(wrong-header-argument wrong-header-value invalid-id-link)))
  (with-temp-buffer
    (insert-file-contents (pop command-line-args-left))
    (delay-mode-hooks (org-mode))
    (org-lint (cl-set-difference (mapcar #'org-lint-checker-name org-lint--checkers) unsafe))))

;;; tuned-lint.el ends here
