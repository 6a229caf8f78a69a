;;; bare-lint.el --- The least that lints a file with the safe checkers  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Code:

(require 'org-lint)
(require 'cl-lib)

(let ((unsafe '(wrong-header-argument wrong-header-value invalid-id-link)))
  (with-temp-buffer
    (insert-file-contents (pop command-line-args-left))
    (org-mode)
    (org-lint (cl-set-difference (mapcar #'org-lint-checker-name org-lint--checkers) unsafe))))

;;; bare-lint.el ends here
