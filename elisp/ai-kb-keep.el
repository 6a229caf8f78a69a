;;; ai-kb-batch.el --- Org's own reading of notes, for batch use  -*- lexical-binding: t; -*-

;; Copyright (C) 2025  ai-kb contributors

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

;;; Commentary:

;; Emacs writes values of variables into files of yours: when it ends,
;; and now and then before.  While the knowledge base is on, what is
;; written are the values of your own roam.  Places of ids that you
;; learn meanwhile outside the store are kept for you.

;;; Code:

(require 'ai-kb-core)
(require 'ai-kb-scope)
(require 'seq)

(declare-function org-id-locations-load "org-id")

(defvar org-id-files)
(defvar org-id-locations)

;;;; Functions that write

(defconst ai-kb-keep--savers '(savehist-save desktop-save
                                               org-id-locations-save)
  "Functions that write values of variables into files of yours.")

(defun ai-kb-keep--save-as-personal (function &rest args)
  "Call FUNCTION with ARGS so that it writes the values of your own roam."
  (ai-kb-keep-ids)
  (apply #'ai-kb-scope-call function args))

(defun ai-kb-keep-hold-savers ()
  "See to it that no value of the store is written into a file of yours."
  (let ((savers (seq-filter #'fboundp ai-kb-keep--savers)))
    (ai-kb-scope-push-undo
     "files that keep values"
     (lambda ()
       (remove-hook 'kill-emacs-hook #'ai-kb-scope-unwind)
       (dolist (saver savers)
         (advice-remove saver #'ai-kb-keep--save-as-personal))))
    (add-hook 'kill-emacs-hook #'ai-kb-scope-unwind -95)
    (dolist (saver savers)
      (advice-add saver :around #'ai-kb-keep--save-as-personal))))

;;;; Places of ids

(defun ai-kb-keep--new-ids (known)
  "Return the places of ids that are neither in KNOWN nor in the store."
  (let ((now (default-toplevel-value 'org-id-locations))
        places)
    (when (hash-table-p now)
      (maphash (lambda (id file)
                 (unless (or (equal file (and known (gethash id known)))
                             (ai-kb-core-inside-p file ai-kb-directory))
                   (push (cons id file) places)))
               now))
    places))

(defun ai-kb-keep--saved-ids ()
  "Return the places of ids in your `org-id-locations-file'."
  (let ((org-id-locations nil)
        (org-id-files nil)
        (inhibit-message t))
    (org-id-locations-load)
    (and (hash-table-p org-id-locations) org-id-locations)))

(defun ai-kb-keep-ids ()
  "Keep for you the places of ids that were learnt outside the store."
  (when-let* ((cell (ai-kb-scope-personal-cell 'org-id-locations))
              (now (default-toplevel-value 'org-id-locations)))
    (let* ((known (or (and (hash-table-p (cdr cell)) (cdr cell))
                      (ai-kb-keep--saved-ids)))
           (new (ai-kb-keep--new-ids known))
           (files (ai-kb-scope-personal-cell 'org-id-files)))
      (when new
        (setcdr cell (or known (make-hash-table :test #'equal)))
        (pcase-dolist (`(,id . ,file) new)
          (puthash id file (cdr cell))
          (unless (member file (cdr files))
            (setcdr files (cons file (cdr files)))))))))

(provide 'ai-kb-keep)

;;; ai-kb-keep.el ends here
