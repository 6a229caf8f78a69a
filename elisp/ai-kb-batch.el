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
;; written, no process is started.  How stands in ai-kb-batch-org.el.
;;
;; These files need nothing but Emacs, so that neither the user's
;; configuration nor a missing package can change a verdict.

;;; Code:

(eval-and-compile
  ;; `emacs -Q' has no load path to this directory.
  (let ((load-path (cons (file-name-directory (macroexp-file-name)) load-path)))
    (require 'ai-kb-batch-org)
    (require 'ai-kb-batch-node)))

(declare-function org-version "org" (&optional here full message))

(defun ai-kb-batch-read-file (path buffer scratch)
  "Return Org's reading of the file PATH, as a form to print.
The text is read into BUFFER; SCRATCH is a second buffer, in Org mode.
Whatever goes wrong is an answer too: (file PATH :error MESSAGE)."
  (let ((file-name-handler-alist nil)
        (inhibit-message t))
    (condition-case err
        (with-current-buffer buffer
          (ai-kb-batch-org-insert path)
          (ai-kb-batch-org-mode)
          (list 'file path
                :lint (ai-kb-batch-org-lint)
                :nodes (ai-kb-batch-node-list)
                :links (ai-kb-batch-node-links scratch)))
      ((error quit)
       (list 'file path :error (error-message-string err))))))

;;;; The session

(defun ai-kb-batch--print (form)
  "Print FORM as one line of UTF-8 on standard output, at once.
Only those escapes are used that both Emacs and Python's sexpdata know,
and no carriage return is left that might be taken for a line's end."
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
  (ai-kb-batch-org-load)
  (let ((buffer (get-buffer-create " *ai-kb-batch*"))
        (scratch (get-buffer-create " *ai-kb-batch-link*"))
        (count 0)
        path)
    (dolist (each (list buffer scratch))
      (with-current-buffer each
        (setq default-directory "/")
        (ai-kb-batch-org-mode)))
    (ai-kb-batch--print (list 'ready :emacs emacs-version :org (org-version)))
    (while (setq path (ai-kb-batch--next-line))
      (unless (equal path "")
        (setq count (1+ count))
        (ai-kb-batch--print (ai-kb-batch-read-file path buffer scratch))))
    (ai-kb-batch--print (list 'done count))
    (kill-emacs 0)))

(provide 'ai-kb-batch)
;;; ai-kb-batch.el ends here
