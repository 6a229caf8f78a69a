;;; ai-kb-guard.el --- Reasons not to switch  -*- lexical-binding: t -*-

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

;;; Commentary:

;; A guard is a function of the target, `ai-kb' or `personal'.  It
;; returns nil to allow, or a string: the reason why not.  It asks
;; nothing, loads nothing and changes nothing.  All guards run, and
;; their reasons are told in one message.

;;; Code:

(require 'ai-kb-core)
(require 'seq)

(defvar org-roam-directory)
(defvar org-roam-db-location)

(defconst ai-kb-guard--guards
  '(ai-kb-guard--minibuffer
    ai-kb-guard--capture
    ai-kb-guard--let-bound
    ai-kb-guard--store
    ai-kb-guard--directories
    ai-kb-guard--databases)
  "The guards, in the order in which their reasons are told.")

(defvar ai-kb-guard-variables nil
  "The variables that a switch sets, filled by the file that sets them.")

(defun ai-kb-guard--minibuffer (_target)
  "Refuse while a minibuffer waits for an answer."
  (and (or (minibufferp) (active-minibuffer-window))
       "a minibuffer is open: answer it or press `C-g' first"))

(defun ai-kb-guard--capture (_target)
  "Refuse while a capture waits to be finished."
  (when-let ((buffer (seq-find (lambda (buffer)
                                 (buffer-local-value 'org-capture-mode buffer))
                               (and (boundp 'org-capture-mode)
                                    (buffer-list)))))
    (format "a capture is pending in %s: finish it or abort it first"
            (buffer-name buffer))))

(defun ai-kb-guard--let-bound (_target)
  "Refuse while a variable of the switch is let-bound."
  (when-let ((bound (seq-filter
                     (lambda (symbol)
                       (and (boundp symbol)
                            (not (eq (default-toplevel-value symbol)
                                     (default-value symbol)))))
                     (append ai-kb-guard-variables ai-kb-personal-hooks))))
    (format "let-bound around this command: %s"
            (mapconcat (lambda (symbol) (format "`%s'" symbol)) bound ", "))))

(defun ai-kb-guard--store (target)
  "Refuse to switch to a TARGET that is not there."
  (when (eq target 'ai-kb)
    (cond
     ((file-remote-p ai-kb-directory)
      (format "the store %s is on another machine" ai-kb-directory))
     ((not (file-directory-p ai-kb-directory))
      (format "there is no store at %s: see `ai-kb-directory'"
              (abbreviate-file-name ai-kb-directory)))
     ((not (file-readable-p ai-kb-directory))
      (format "the store %s cannot be read"
              (abbreviate-file-name ai-kb-directory))))))

(defun ai-kb-guard--directories (target)
  "Refuse to switch to a TARGET within the roam that is left, or around it."
  (when (and (eq target 'ai-kb) (not (file-remote-p org-roam-directory)))
    (cond
     ((string= (ai-kb-core-true-directory org-roam-directory)
               (ai-kb-core-true-directory ai-kb-directory))
      "`org-roam-directory' and `ai-kb-directory' are one directory")
     ((ai-kb-core-inside-p ai-kb-directory org-roam-directory)
      "the store lies inside `org-roam-directory'")
     ((ai-kb-core-inside-p org-roam-directory ai-kb-directory)
      "`org-roam-directory' lies inside the store"))))

(defun ai-kb-guard--databases (target)
  "Refuse to switch to a TARGET that shares its database with another roam."
  (and (eq target 'ai-kb)
       (string= (file-truename (expand-file-name org-roam-db-location))
                (file-truename (expand-file-name ai-kb-db-location)))
       "`org-roam-db-location' and `ai-kb-db-location' are one file"))

(defun ai-kb-guard-reasons (target)
  "Return the reasons not to switch to TARGET, a list of strings."
  (delq nil (mapcar (lambda (guard) (funcall guard target))
                    ai-kb-guard--guards)))

(defun ai-kb-guard-check (target)
  "Signal one `user-error' with all reasons not to switch to TARGET."
  (when-let ((reasons (ai-kb-guard-reasons target)))
    (user-error "Not switched: %s" (string-join reasons "; "))))

(defun ai-kb-guard-local-bindings ()
  "Return the names of buffers that have a roam of their own.
There `org-roam-directory' or `org-roam-db-location' is buffer-local,
and no switch changes that."
  (mapcar #'buffer-name
          (seq-filter (lambda (buffer)
                        (or (local-variable-p 'org-roam-directory buffer)
                            (local-variable-p 'org-roam-db-location buffer)))
                      (buffer-list))))

(provide 'ai-kb-guard)

;;; ai-kb-guard.el ends here
