;;; ai-kb-batch.el --- Org's own reading of notes, for batch use  -*- lexical-binding: t; -*-

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

;; The command line's way to ask Emacs what it thinks of some Org files:
;;
;;   `emacs -Q --batch -l ai-kb-batch.el -f ai-kb-batch-serve'
;;
;; Standard input has one absolute file name a line.  Standard output has
;; one Lisp form a line: first (ready ...), then one (file ...) for each
;; name, in order, and at the end of the input (done N).
;;
;; The texts come from agents and from the web, so they are data: nothing
;; in them is evaluated, no file but the named one is opened, nothing is
;; written, no process is started.  See `ai-kb-batch--without-side-effects'.
;;
;; This file needs nothing but Emacs, so that neither the user's
;; configuration nor a missing package can change a verdict.

;;; Code:

;; Only declared, since Org must not be loaded before
;; `ai-kb-batch--prepare' has run.
(defvar org-agenda-files)
(defvar org-babel-load-languages)
(defvar org-element-cache-persistent)
(defvar org-element-use-cache)
(defvar org-export-backends)
(defvar org-file-tags)
(defvar org-id-locations-file)
(defvar org-id-track-globally)
(defvar org-inhibit-startup)
(defvar org-link-any-re)
(defvar org-lint--checkers)
(defvar org-macro-templates)
(defvar org-modules)
(defvar org-persist--disable-when-emacs-Q)
(defvar org-persist-directory)
(defvar org-property-re)
(defvar org-resource-download-policy)
(defvar tramp-mode)

(declare-function org-back-to-heading "org" (&optional invisible-ok))
(declare-function org-collect-keywords "org" (keywords &rest args))
(declare-function org-element-context "org-element" (&optional element))
(declare-function org-element-property "org-element" (property element &rest args))
(declare-function org-element-type "org-element" (element &rest args))
(declare-function org-get-property-block "org" (&optional beg force))
(declare-function org-get-tags "org" (&optional pos local))
(declare-function org-heading-components "org" ())
(declare-function org-id-get "org-id" (&optional pom &rest args))
(declare-function org-in-regexp "org-macs" (regexp &optional nlines visually))
(declare-function org-link-display-format "ol" (s))
(declare-function org-link-set-parameters "ol" (type &rest parameters))
(declare-function org-lint "org-lint" (&optional arg))
(declare-function org-lint-checker-name "org-lint" (checker))
(declare-function org-map-region "org" (fun beg end))
(declare-function org-mode "org" ())
(declare-function org-outline-level "org" ())
(declare-function org-version "org" (&optional here full message))

;;;; What is asked of org-lint

(defconst ai-kb-batch-checkers
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

(defconst ai-kb-batch-link-types
  '("bbdb" "bibtex" "docview" "doi" "eww" "gnus" "info" "irc" "mhe" "rmail"
    "w3m")
  "Link types of the default `org-modules', which are not loaded here.
Without them Org would take a link such as [[info:emacs]] for the name
of a heading, and `invalid-fuzzy-link' would complain.")

(defconst ai-kb-batch-excluded-link-keys
  '((node-property "ROAM_REFS")
    (keyword "transclude"))
  "Places whose links org-roam does not count.
The value of `org-roam-db-extra-links-exclude-keys', which also says
that all other properties and keywords do count.")

;;;; Start

(defconst ai-kb-batch--nowhere (concat null-device "/ai-kb/")
  "A directory that can never exist, for everything that might be written.")

(defun ai-kb-batch--prepare ()
  "Set what must be set before Org is loaded.
All of it keeps Org from loading, reading or writing more than the
text it is given; the rest makes it faster."
  (setq gc-cons-threshold (* 64 1024 1024)
        max-lisp-eval-depth 12000
        ;; Nothing outside the given files.
        user-emacs-directory ai-kb-batch--nowhere
        org-id-locations-file (concat ai-kb-batch--nowhere "ids")
        org-id-track-globally nil
        org-persist--disable-when-emacs-Q nil
        org-persist-directory ai-kb-batch--nowhere
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
        ;; One buffer is used for all files, and a stale cache would
        ;; answer for the file before.
        org-element-use-cache nil
        ;; The same answers whatever the locale.
        file-name-coding-system 'utf-8-unix
        system-messages-locale "C"
        select-safe-coding-system-function nil)
  ;; Without effect, and obsolete, from Emacs 29 on.
  (set-default (intern "max-specpdl-size") 120000))

(defun ai-kb-batch--load ()
  "Load Org and org-lint and take the dangerous parts out."
  (let ((inhibit-message t)
        ;; The places of the .elc files need no handlers.
        (file-name-handler-alist nil))
    (require 'org)
    (require 'org-id)
    (require 'org-lint))
  (dolist (type ai-kb-batch-link-types)
    (org-link-set-parameters type))
  ;; SETUPFILE would read any file or URL, or wait for a FIFO forever.
  (advice-add 'org-file-contents :override #'ignore)
  ;; An abbreviation may name a function to call.
  (advice-add 'org-link-expand-abbrev :override #'identity)
  ;; A macro may be a Lisp form, which is macro-expanded when collected.
  (advice-add 'org-macro-initialize-templates :override #'ignore)
  ;; No allowed checker does these; a second lock costs nothing.
  (advice-add 'org-babel-read :around #'ai-kb-batch--read-only-cell)
  (advice-add 'find-file-noselect :override #'ai-kb-batch--forbidden)
  ;; Hooks and timers of Org would save what it remembers.
  (setq kill-emacs-hook nil
        timer-list nil
        timer-idle-list nil))

(defun ai-kb-batch--read-only-cell (function cell &rest _)
  "Call FUNCTION on CELL, a header argument, without evaluating it."
  (funcall function cell t))

(defun ai-kb-batch--forbidden (&rest arguments)
  "Refuse to do something with ARGUMENTS that no allowed code asks for."
  (error "Refused to visit %S" (car arguments)))

;;;; One file

(defun ai-kb-batch--insert (path)
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
    (insert-file-contents path))
  (goto-char (point-min))
  (skip-chars-forward "\0-\ud7ff\ue000-\U0010ffff")
  (unless (eobp)
    (error "Not UTF-8 in line %d" (line-number-at-pos)))
  (goto-char (point-min)))

(defun ai-kb-batch--org-mode ()
  "Turn on a fresh `org-mode', so that no setting of the last file is left."
  (delay-mode-hooks (org-mode))
  ;; These survive a change of mode and would grow with each file.
  (setq delayed-mode-hooks nil
        org-macro-templates nil))

(defun ai-kb-batch--lint ()
  "Return the findings of org-lint on this buffer, as (LINE CHECKER MESSAGE)."
  (mapcar (lambda (report)
            (let ((fields (cadr report)))
              (list (string-to-number (aref fields 0))
                    (org-lint-checker-name (aref fields 3))
                    (substring-no-properties (format "%s" (aref fields 2))))))
          (org-lint ai-kb-batch-checkers)))

(defun ai-kb-batch--properties ()
  "Return the drawer of the node at point as an alist, in the file's order.
Org's rules hold: case does not matter, the first value wins, KEY+ adds
to the value of KEY wherever it stands.  `org-entry-properties' is not
asked because it adds what is not in the drawer and drops what bears
the name of a special property."
  (save-excursion
    (let ((range (org-get-property-block))
          (case-fold-search t)
          keys base extra)
      (when range
        (goto-char (car range))
        (while (re-search-forward org-property-re (cdr range) t)
          (let* ((raw (upcase (match-string-no-properties 2)))
                 (value (or (match-string-no-properties 3) ""))
                 (more (string-suffix-p "+" raw))
                 (key (if more (substring raw 0 -1) raw)))
            (unless (member key keys)
              (push key keys))
            (cond (more (push (cons key value) extra))
                  ((not (assoc key base)) (push (cons key value) base))))))
      (setq extra (nreverse extra))
      (mapcar (lambda (key)
                (let ((values (and (assoc key base)
                                   (list (cdr (assoc key base))))))
                  (dolist (pair extra)
                    (when (equal (car pair) key)
                      (setq values (append values (list (cdr pair))))))
                  (cons key (mapconcat #'identity values " "))))
              (nreverse keys)))))

(defun ai-kb-batch--node (level title tags)
  "Return the node at point as a plist, given its LEVEL, TITLE and TAGS."
  (list :level level
        :line (line-number-at-pos)
        :id (let ((id (org-id-get))) (and id (substring-no-properties id)))
        :title (and title
                    (substring-no-properties (org-link-display-format title)))
        :tags (mapcar #'substring-no-properties tags)
        :properties (ai-kb-batch--properties)))

(defun ai-kb-batch--nodes ()
  "Return the nodes of this buffer as org-roam's database would have them.
That is the file, with or without an ID, unless its first line is
a heading, and each heading with an ID.  ROAM_EXCLUDE and missing
titles are left for the caller to judge."
  (let (nodes)
    (goto-char (point-min))
    (when (= (org-outline-level) 0)
      (push (ai-kb-batch--node
             0
             (cadr (assoc "TITLE" (org-collect-keywords '("TITLE"))))
             org-file-tags)
            nodes))
    (org-map-region
     (lambda ()
       (save-excursion
         (org-back-to-heading t)
         (when (org-id-get)
           (let ((components (org-heading-components)))
             (push (ai-kb-batch--node (nth 1 components)
                                      (nth 4 components)
                                      (org-get-tags))
                   nodes)))))
     (point-min) (point-max))
    (nreverse nodes)))

(defun ai-kb-batch--link-in (string scratch)
  "Return the link that STRING is, read in the Org buffer SCRATCH.
Org does not read links in properties and keywords; org-roam does, by
this detour."
  (with-current-buffer scratch
    (erase-buffer)
    (insert string)
    (goto-char (point-min))
    (org-element-context)))

(defun ai-kb-batch--links (scratch)
  "Return the id links of this buffer, as (TARGET LINE).
The walk is that of `org-roam-db-map-links'.  SCRATCH is an Org buffer."
  (let (links)
    (goto-char (point-min))
    (while (re-search-forward org-link-any-re nil t)
      (backward-char)
      (let* ((element (org-element-context))
             (type (org-element-type element))
             (position (point))
             link bounds)
        (cond
         ((eq type 'link)
          (setq link element
                position (org-element-property :begin element)))
         ((and (memq type '(node-property keyword))
               (not (member-ignore-case
                     (org-element-property :key element)
                     (cdr (assq type ai-kb-batch-excluded-link-keys))))
               (setq bounds (org-in-regexp org-link-any-re)))
          (setq link (ai-kb-batch--link-in
                      (buffer-substring-no-properties (car bounds) (cdr bounds))
                      scratch)
                position (car bounds))))
        (when (and (eq (org-element-type link) 'link)
                   (equal (org-element-property :type link) "id"))
          (push (list (substring-no-properties
                       (org-element-property :path link))
                      (line-number-at-pos position))
                links))))
    (nreverse links)))

(defun ai-kb-batch-read-file (path buffer scratch)
  "Return Org's reading of the file PATH, as a form to print.
The text is read into BUFFER; SCRATCH is a second buffer, in Org mode.
Whatever goes wrong is an answer too: (file PATH :error MESSAGE)."
  (let ((file-name-handler-alist nil)
        (inhibit-message t))
    (condition-case err
        (with-current-buffer buffer
          (ai-kb-batch--insert path)
          (ai-kb-batch--org-mode)
          (list 'file path
                :lint (ai-kb-batch--lint)
                :nodes (ai-kb-batch--nodes)
                :links (ai-kb-batch--links scratch)))
      ((error quit)
       (list 'file path :error (error-message-string err))))))

;;;; The session

(defun ai-kb-batch--print (form)
  "Print FORM as one line of UTF-8 on standard output, at once.
The only escapes are those that both Emacs and Python's sexpdata know."
  (with-temp-buffer
    (let ((print-escape-newlines t))
      (prin1 form (current-buffer)))
    (goto-char (point-min))
    (while (search-forward "\r" nil t)
      (replace-match "\\\\r" t))
    (goto-char (point-max))
    (insert "\n")
    ;; Unlike `princ' this flushes.
    (send-string-to-terminal
     (encode-coding-string (buffer-string) 'utf-8-unix))))

(defun ai-kb-batch--next-line ()
  "Return the next line of standard input, or nil at its end."
  (condition-case nil
      ;; By way of bytes, since Emacs may have taken the line as Latin-1.
      (decode-coding-string (encode-coding-string (read-from-minibuffer "")
                                                  'utf-8-unix)
                            'utf-8-unix)
    (end-of-file nil)))

;;;###autoload
(defun ai-kb-batch-serve ()
  "Answer for each file named on standard input, then exit.
The protocol stands in the Commentary of this file."
  (unless noninteractive
    (user-error "The function `ai-kb-batch-serve' is for batch use only"))
  (ai-kb-batch--prepare)
  (ai-kb-batch--load)
  (let ((buffer (get-buffer-create " *ai-kb-batch*"))
        (scratch (get-buffer-create " *ai-kb-batch-link*"))
        (count 0)
        path)
    (dolist (each (list buffer scratch))
      (with-current-buffer each
        (setq default-directory "/")
        (ai-kb-batch--org-mode)))
    (ai-kb-batch--print (list 'ready :emacs emacs-version :org (org-version)))
    (while (setq path (ai-kb-batch--next-line))
      (unless (equal path "")
        (setq count (1+ count))
        (ai-kb-batch--print (ai-kb-batch-read-file path buffer scratch))))
    (ai-kb-batch--print (list 'done count))
    (kill-emacs 0)))

(provide 'ai-kb-batch)
;;; ai-kb-batch.el ends here
