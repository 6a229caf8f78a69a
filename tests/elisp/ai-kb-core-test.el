;;; ai-kb-core-test.el --- Options and paths  -*- lexical-binding: t -*-

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

;;; Code:

(require 'ai-kb-roam-test-helper)
(require 'wid-edit)

(defun ai-kb-roam-test-default-directory (&rest environment)
  "Return the store's default directory in ENVIRONMENT, a list of strings."
  (let ((process-environment
         (append environment '("AI_KB_HOME" "XDG_DATA_HOME")
                 process-environment)))
    (ai-kb-core-default-directory)))

(ert-deftest ai-kb-core-test--default-directory-follows-the-environment ()
  "AI_KB_HOME, else XDG_DATA_HOME, else the place in the home directory."
  (should (equal (ai-kb-roam-test-default-directory "AI_KB_HOME=/a/b"
                                                    "XDG_DATA_HOME=/data")
                 "/a/b/"))
  (should (equal (ai-kb-roam-test-default-directory "XDG_DATA_HOME=/data")
                 "/data/ai-kb/"))
  (should (equal (ai-kb-roam-test-default-directory)
                 (expand-file-name "~/.local/share/ai-kb/")))
  (should (equal (ai-kb-roam-test-default-directory "AI_KB_HOME=relative"
                                                    "XDG_DATA_HOME=also")
                 (expand-file-name "~/.local/share/ai-kb/"))))

(ert-deftest ai-kb-core-test--every-option-is-customizable ()
  "Each option has a type that its default has, and a full sentence."
  (let (options)
    (mapatoms (lambda (symbol)
                (when (and (custom-variable-p symbol)
                           (string-prefix-p "ai-kb-" (symbol-name symbol))
                           ;; Made by `define-minor-mode', in its own way.
                           (not (string-suffix-p "-mode-hook"
                                                 (symbol-name symbol))))
                  (push symbol options))))
    (should (>= (length options) 7))
    (dolist (option options)
      (let ((type (get option 'custom-type))
            (doc (documentation-property option 'variable-documentation)))
        (should type)
        (should (widget-apply (widget-convert type) :match
                              (eval (car (get option 'standard-value)) t)))
        (should (string-suffix-p "." (car (split-string doc "\n"))))
        (should (get option 'custom-package-version))))))

(ert-deftest ai-kb-core-test--every-option-is-in-the-manual ()
  "The manual names each option and each command."
  (let ((manual (ai-kb-roam-test-read (concat ai-kb-roam-test-directory
                                              "../../docs/emacs.org"))))
    (mapatoms (lambda (symbol)
                (when (and (string-prefix-p "ai-kb-" (symbol-name symbol))
                           ;; Not for people.
                           (not (string-match-p "\\`ai-kb-\\(?:roam-test\\|test\\|batch\\)"
                                                (symbol-name symbol)))
                           (or (custom-variable-p symbol) (commandp symbol)))
                  (should (string-search (symbol-name symbol) manual)))))))

;;; ai-kb-core-test.el ends here
