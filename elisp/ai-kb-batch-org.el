;;; ai-kb-batch-org.el --- Org without its dangerous parts  -*- lexical-binding: t; -*-

;; Copyright (C) 2026  ai-kb contributors

;; Author: ai-kb contributors
;; SPDX-License-Identifier: GPL-3.0-or-later

;; This program is free software; you can redistribute it and/or modify
;; it under the terms of the GNU General Public License as published by
;; the Free Software Foundation, either version 3 of the License, or
;; (at your option) any later version.

;; This program is distributed in the hope that it will be useful,
;; but WITHOUT ANY WARRANTY; without even the implied warranty of
;; MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
;; GNU General Public License for more details.

;; You should have received a copy of the GNU General Public License
;; along with this program.  If not, see <https://www.gnu.org/licenses/>.

;;; Commentary:

;; A part of ai-kb-batch.el, for batch use only: what is set before Org is
;; loaded, what is taken out afterwards, and how a text gets into
;; a buffer and is linted there without being able to do anything.
;; Nothing is loaded or set before `ai-kb-batch-org-load' is called.

;;; Code:

;; Only declared, since Org must not be loaded before
;; `ai-kb-batch-org--prepare' has run.
(defvar org-agenda-files)
(defvar org-babel-load-languages)
(defvar org-element-cache-persistent)
(defvar org-element-use-cache)
(defvar org-export-backends)
(defvar org-id-locations-file)
(defvar org-id-track-globally)
(defvar org-inhibit-startup)
(defvar org-macro-templates)
(defvar org-modules)
(defvar org-persist--disable-when-emacs-Q)
(defvar org-persist-directory)
(defvar org-resource-download-policy)
(defvar tramp-mode)

(declare-function org-link-set-parameters "ol" (type &rest parameters))
(declare-function org-lint "org-lint" (&optional arg))
(declare-function org-lint-checker-name "org-lint" (checker))
(declare-function org-mode "org" ())

(defconst ai-kb-batch-org-checkers
  '(LaTeX-$
    colon-in-name
    combining-keywords-with-affiliated
    deprecated-category-setup
    deprecated-export-blocks
    deprecated-header-syntax
    duplicate-custom-id
    duplicate-footnote-definition
    duplicate-name
    duplicate-target
    empty-header-argument
    extraneous-element-in-footnote-section
    file-application
    incomplete-citation
    incomplete-drawer
    indented-diary-sexp
    invalid-babel-call-block
    invalid-block
    invalid-coderef-link
    invalid-custom-id-link
    invalid-effort-property
    invalid-fuzzy-link
    invalid-id-property
    invalid-image-alignment
    invalid-keyword-syntax
    item-number
    mismatched-planning-repeaters
    misplaced-heading
    misplaced-planning-info
    missing-backend-in-export-block
    missing-language-in-src-block
    missing-print-bibliography
    misspelled-export-option
    named-result
    obsolete-affiliated-keywords
    obsolete-include-markup
    obsolete-properties-drawer
    orphaned-affiliated-keywords
    percent-encoding-link-escape
    planning-inactive
    priority
    quote-section
    special-property-in-properties-drawer
    spurious-colons
    suspicious-language-in-src-block
    timestamp-syntax
    trailing-bracket-after-link
    unclosed-brackets-in-link-description
    undefined-footnote-reference
    unreferenced-footnote-definition)
  "Names of the org-lint checkers that only look at the text.
They are named one by one, never chosen by trust or category, so that
a checker of a future Org is not run before somebody has read it.

Left out of Org 9.5 to 9.8, and why:
- `wrong-header-argument', `wrong-header-value': evaluate header arguments;
- `invalid-macro-argument-and-template': compiles (eval ...) macros;
- `invalid-cite-export-declaration': loads the Lisp file that a note names;
- `wrong-include-link-parameter': visits the included file;
- `invalid-id-link': scans the user's agenda files and is wrong anyway;
- `link-to-local-file', `non-existent-setupfile-parameter',
  `non-existent-bibliography': ask the file system about any name that
  a note chooses, which can reach an automounted remote disk;
- `beamer-frame', `unknown-options-item': need exporters loaded, which
  takes long and serves no note.")

(defconst ai-kb-batch-org-link-types
  '("bbdb" "bibtex" "docview" "doi" "eww" "gnus" "info" "irc" "mhe" "rmail"
    "w3m")
  "Link types of the default `org-modules', which are not loaded here.
Without them Org would take a link such as [[info:emacs]] for the name
of a heading, and `invalid-fuzzy-link' would complain.")

(defconst ai-kb-batch-org--nowhere (concat null-device "/ai-kb/")
  "A directory that can never exist, for everything that might be written.")

(defun ai-kb-batch-org--prepare ()
  "Set what must be set before Org is loaded.
All of it keeps Org from loading, reading or writing more than the
text it is given; the rest makes it faster."
  (setq gc-cons-threshold (* 64 1024 1024)
        max-lisp-eval-depth 12000
        ;; Nothing outside the given files.
        user-emacs-directory ai-kb-batch-org--nowhere
        org-id-locations-file (concat ai-kb-batch-org--nowhere "ids")
        org-id-track-globally nil
        org-persist--disable-when-emacs-Q nil
        org-persist-directory ai-kb-batch-org--nowhere
        org-element-cache-persistent nil
        org-resource-download-policy nil
        org-agenda-files nil
        create-lockfiles nil
        make-backup-files nil
        auto-save-default nil
        vc-handled-backends nil
        tramp-mode nil
        ;; Nothing out of the files is run.
        enable-local-variables nil
        enable-local-eval nil
        enable-dir-local-variables nil
        org-inhibit-startup t
        ;; No more Org than needed.
        org-modules nil
        org-babel-load-languages nil
        org-export-backends nil
        ;; Off by default in Org 9.5, because of what edits did to it.
        ;; Here nothing is edited, each file starts with a new cache, and
        ;; without one, checkers take the cube of the number of blocks.
        org-element-use-cache t
        ;; The same answers whatever the locale.
        file-name-coding-system 'utf-8-unix
        system-messages-locale "C"
        select-safe-coding-system-function nil)
  ;; Without effect, and obsolete, from Emacs 29 on.
  (set-default (intern "max-specpdl-size") 120000))

(defun ai-kb-batch-org-load ()
  "Load Org and org-lint and take the dangerous parts out.
This changes many global variables, so it is for batch use only."
  (ai-kb-batch-org--prepare)
  (let ((inhibit-message t)
        ;; The places of the .elc files need no handlers.
        (file-name-handler-alist nil))
    (require 'org)
    (require 'org-id)
    (require 'org-lint))
  (dolist (type ai-kb-batch-org-link-types)
    (org-link-set-parameters type))
  ;; SETUPFILE would read any file or URL, or wait for a FIFO forever.
  (advice-add 'org-file-contents :override #'ignore)
  ;; An abbreviation may name a function to call.
  (advice-add 'org-link-expand-abbrev :override #'identity)
  ;; A macro may be a Lisp form, which is macro-expanded when collected.
  (advice-add 'org-macro-initialize-templates :override #'ignore)
  ;; No allowed checker does these; a second lock costs nothing.
  (advice-add 'org-babel-read :around #'ai-kb-batch-org--read-only-cell)
  (advice-add 'find-file-noselect :override #'ai-kb-batch-org--forbidden)
  ;; Hooks and timers of Org would save what it remembers.
  (setq kill-emacs-hook nil
        timer-list nil
        timer-idle-list nil))

(defun ai-kb-batch-org--read-only-cell (function cell &rest _)
  "Call FUNCTION on CELL, a header argument, without evaluating it."
  (funcall function cell t))

(defun ai-kb-batch-org--forbidden (&rest arguments)
  "Refuse to do something with ARGUMENTS that no allowed code asks for."
  (error "Refused to visit %S" (car arguments)))

;;;; A text

(defun ai-kb-batch-org--unify-line-ends ()
  "Remove each carriage return if every line of this buffer ends with one.
So would Emacs on visiting the file; where only some lines have them,
it leaves them in, and Org then finds no drawer."
  (goto-char (point-min))
  (unless (re-search-forward "\\(?:\\`\\|[^\r]\\)\n\\|\r\\(?:[^\n]\\|\\'\\)" nil t)
    (goto-char (point-min))
    (while (search-forward "\r\n" nil t)
      (replace-match "\n" t t))))

(defun ai-kb-batch-org-insert (path)
  "Replace the current buffer's text by the file PATH, read as UTF-8.
Nothing in the text chooses the coding, and text that is not strict
UTF-8 is refused, since the answer could not be printed."
  (unless (string-prefix-p "/" path)
    (error "Not an absolute file name"))
  (unless (file-regular-p path)
    (error (if (file-exists-p path) "Not a regular file" "No such file")))
  (let ((inhibit-read-only t)
        (inhibit-modification-hooks t)
        (coding-system-for-read 'utf-8-unix)
        (format-alist nil)
        (after-insert-file-functions nil))
    (widen)
    (erase-buffer)
    (insert-file-contents path)
    (ai-kb-batch-org--unify-line-ends))
  (goto-char (point-min))
  (skip-chars-forward "\0-\ud7ff\ue000-\U0010ffff")
  (unless (eobp)
    (error "Not UTF-8 in line %d" (line-number-at-pos)))
  (goto-char (point-min)))

(defun ai-kb-batch-org-mode ()
  "Turn on a fresh `org-mode', so that no setting of the last file is left."
  (delay-mode-hooks (org-mode))
  ;; These survive a change of mode and would grow with each file.
  (setq delayed-mode-hooks nil
        org-macro-templates nil))

(defun ai-kb-batch-org-lint ()
  "Return the findings of org-lint on this buffer, as (LINE CHECKER MESSAGE)."
  (mapcar (lambda (report)
            (let ((fields (cadr report)))
              (list (string-to-number (aref fields 0))
                    (org-lint-checker-name (aref fields 3))
                    (substring-no-properties (format "%s" (aref fields 2))))))
          (org-lint ai-kb-batch-org-checkers)))

(provide 'ai-kb-batch-org)
;;; ai-kb-batch-org.el ends here
