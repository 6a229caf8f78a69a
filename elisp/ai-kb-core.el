;;; ai-kb-core.el --- Options, faces and errors of ai-kb  -*- lexical-binding: t -*-

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

;; The ground floor: what every other file of ai-kb may need.  It
;; requires nothing, and loads neither Org nor org-roam.

;;; Code:

(defgroup ai-kb nil
  "A knowledge base that coding agents write and people browse."
  :group 'org
  :prefix "ai-kb-")

;;;; Errors

(define-error 'ai-kb-error "The ai-kb command failed")
(define-error 'ai-kb-switch-error "The switch failed" 'ai-kb-error)
(define-error 'ai-kb-sync-error "The database could not be synced" 'ai-kb-error)

;;;; Where things are

(defun ai-kb-core-absolute (path)
  "Return PATH when it is an absolute file name, else nil."
  (and (stringp path) (file-name-absolute-p path) path))

(defun ai-kb-core-default-directory ()
  "Return the store's directory as the environment names it.
That is $AI_KB_HOME, else ai-kb in $XDG_DATA_HOME, else
~/.local/share/ai-kb.  A relative value counts as absent."
  (file-name-as-directory
   (expand-file-name
    (or (ai-kb-core-absolute (getenv "AI_KB_HOME"))
        (expand-file-name "ai-kb" (or (ai-kb-core-absolute
                                       (getenv "XDG_DATA_HOME"))
                                      "~/.local/share"))))))

(defcustom ai-kb-directory (ai-kb-core-default-directory)
  "The directory of the knowledge base's store.
See also `ai-kb-db-location'."
  :type 'directory
  :package-version '(ai-kb . "0.1.0"))

(defcustom ai-kb-db-location (locate-user-emacs-file "org-roam-ai.db")
  "The file of the knowledge base's own org-roam database.
It is a cache: it is built anew when it is damaged or lost.  It
must not be the database of your own roam.
See also `ai-kb-directory'."
  :type 'file
  :package-version '(ai-kb . "0.1.0"))

;;;; While the knowledge base is on

(defcustom ai-kb-personal-hooks '(org-after-todo-state-change-hook)
  "Hooks whose functions belong to your own roam.
While the knowledge base is on, each function of these hooks,
named or anonymous, is treated as `ai-kb-personal-hooks-action'
says.  None of them runs for a buffer that visits the store."
  :type '(repeat variable)
  :package-version '(ai-kb . "0.1.0"))

(defcustom ai-kb-personal-hooks-action 'rescope
  "What happens to `ai-kb-personal-hooks' while the knowledge base is on.
With `rescope' each function runs as if you had not switched, with
the directory and the database of your own roam.  With `disable'
none of them runs until you switch back."
  :type '(choice (const :tag "Run them for my own roam" rescope)
                 (const :tag "Do not run them" disable))
  :package-version '(ai-kb . "0.1.0"))

(defcustom ai-kb-dailies-directory nil
  "Where daily notes go while the knowledge base is on.
With nil they stay in your own roam: a daily is personal, and the
store has no place for it.  A string is a directory relative to
`ai-kb-directory'."
  :type '(choice (const :tag "Stay in my own roam" nil)
                 (string :tag "Directory in the store"))
  :package-version '(ai-kb . "0.1.0"))

(defcustom ai-kb-capture-templates
  '(("n" "node" plain "%?"
     :target (file+head "%<%Y%m%d%H%M%S>-${slug}.org"
                        ":PROPERTIES:
:PROJECTS:  :general:
:CREATED:   %<%Y-%m-%d>
:UPDATED:   %<%Y-%m-%d>
:SOURCE:    written in Emacs %<%Y-%m-%d>
:STATUS:    current
:END:
#+title: ${title}
#+filetags: :observation:
")
     :unnarrowed t))
  "Templates for new nodes while the knowledge base is on.
They take the place of `org-roam-capture-templates', which may
name files of your own roam."
  :type 'sexp
  :package-version '(ai-kb . "0.1.0"))

(defcustom ai-kb-sync-idle-delay 0.5
  "Seconds of idle time before `ai-kb-db-sync' begins to work."
  :type 'number
  :package-version '(ai-kb . "0.1.0"))

(defface ai-kb-switched
  '((t :inherit warning))
  "Face of the mode line's sign that the knowledge base is on.")

(defface ai-kb-half-switched
  '((t :inherit error :inverse-video t))
  "Face of the mode line's sign when something undid a part of the switch.")

;;;; Paths

(defun ai-kb-core-true-directory (directory)
  "Return DIRECTORY expanded, with links resolved and a final slash."
  (file-name-as-directory (file-truename (expand-file-name directory))))

(defun ai-kb-core-inside-p (file directory)
  "Return non-nil when FILE is DIRECTORY or lies in it.
Both are compared by their true names."
  (string-prefix-p (ai-kb-core-true-directory directory)
                   (file-name-as-directory
                    (file-truename (expand-file-name file)))))

;; Asked for every buffer and every save: no file is looked at.
(defun ai-kb-core-store-buffer-p (&optional buffer)
  "Return non-nil when BUFFER, or the current one, visits the store."
  (with-current-buffer (or (buffer-base-buffer buffer) buffer (current-buffer))
    (and buffer-file-truename
         (not (file-remote-p buffer-file-truename))
         (string-prefix-p (ai-kb-core-true-directory ai-kb-directory)
                          (expand-file-name buffer-file-truename)))))

(provide 'ai-kb-core)

;;; ai-kb-core.el ends here
