;;; ai-kb-database.el --- The knowledge base's database file  -*- lexical-binding: t -*-

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

;; org-roam's database is a cache.  One that is damaged, or that is no
;; database at all, is deleted and built anew; one that somebody else
;; uses at the moment is left alone.

;;; Code:

(require 'seq)

(declare-function emacsql "emacsql")
(declare-function org-roam-db "org-roam-db")
(declare-function org-roam-db--close "org-roam-db")
(declare-function org-roam-db--close-all "org-roam-db")

(defvar org-roam-db--connection)
(defvar org-roam-db--table-schemata)
(defvar org-roam-db-location)
(defvar org-roam-directory)

(defun ai-kb-database--locked-p (err)
  "Return non-nil when ERR is about a database in use elsewhere."
  (or (eq (car err) 'emacsql-locked)
      (string-match-p "\\(?:locked\\|busy\\)" (error-message-string err))))

(defun ai-kb-database--sqlite-p (file)
  "Return non-nil when FILE begins like an SQLite database."
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert-file-contents-literally file nil 0 16)
    (string= (buffer-string) "SQLite format 3\0")))

(defun ai-kb-database--damage ()
  "Return what is wrong with the file `org-roam-db-location', or nil."
  (cond
   ((not (file-exists-p org-roam-db-location)) nil)
   ((not (ai-kb-database--sqlite-p org-roam-db-location)) "it was no database")
   (t (condition-case err
          (cond
           ((not (equal (emacsql (org-roam-db) "PRAGMA quick_check") '((ok))))
            "it was damaged")
           ((seq-difference (mapcar #'car org-roam-db--table-schemata)
                            (ai-kb-database--tables))
            "it lacked a table"))
        (error (if (ai-kb-database--locked-p err)
                   (signal (car err) (cdr err))
                 (error-message-string err)))))))

(defun ai-kb-database--tables ()
  "Return the names of the tables in the database, as symbols."
  (mapcar #'car
          (emacsql (org-roam-db)
                   "SELECT name FROM sqlite_master WHERE type = 'table'")))

;; A connection that has been closed may look alive for a moment, and
;; org-roam then talks to a process that is going away.  So it is taken
;; out of org-roam's table at once.
(defun ai-kb-database-disconnect ()
  "Close the connection to the database of `org-roam-directory'."
  (ignore-errors (org-roam-db--close))
  (remhash (expand-file-name (file-name-as-directory org-roam-directory))
           org-roam-db--connection))

(defun ai-kb-database-disconnect-all ()
  "Close all connections of org-roam."
  (ignore-errors (org-roam-db--close-all))
  (clrhash org-roam-db--connection))

(defun ai-kb-database--delete ()
  "Delete the file `org-roam-db-location' and what SQLite put beside it."
  (ai-kb-database-disconnect)
  (dolist (suffix '("" "-journal" "-wal" "-shm"))
    (let ((file (concat org-roam-db-location suffix)))
      (when (file-exists-p file) (delete-file file)))))

(defun ai-kb-database-call-or-rebuild (function)
  "Call FUNCTION on a sound database; build it anew when it is not.
Return FUNCTION's value and the reason for building anew, or nil."
  (let ((damage (ai-kb-database--damage)))
    (when damage (ai-kb-database--delete))
    (condition-case err
        (list (funcall function) damage)
      (error
       (when (or damage (ai-kb-database--locked-p err))
         (signal (car err) (cdr err)))
       (ai-kb-database--delete)
       (list (funcall function) (error-message-string err))))))

(provide 'ai-kb-database)

;;; ai-kb-database.el ends here
