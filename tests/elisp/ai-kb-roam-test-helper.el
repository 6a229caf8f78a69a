;;; ai-kb-roam-test-helper.el --- Two real roams for the tests of the switch  -*- lexical-binding: t -*-

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

;; Each test gets a directory of its own with two roams in it, the
;; person's and the store, the person's configuration (automatic
;; syncing, dailies, an anonymous hook) and a real database.  The real
;; org-roam runs on them.  After the test Emacs is as it was before.
;; When a test fails its directory is kept, and named.

;;; Code:

(require 'cl-lib)
(require 'ert)

(defconst ai-kb-roam-test-elisp-directory
  (expand-file-name "../../elisp/" (file-name-directory
                                    (or load-file-name buffer-file-name)))
  "Where the files under test are.")

(defconst ai-kb-roam-test-directory
  (file-name-directory (or load-file-name buffer-file-name))
  "Where the tests are.")

;; HOME and all that Emacs derives from it belong to the tests.
(defconst ai-kb-roam-test-home
  (file-name-as-directory (file-truename (make-temp-file "ai-kb-home" t)))
  "The home directory of the tests.")
(add-hook 'kill-emacs-hook
          (lambda () (delete-directory ai-kb-roam-test-home t)))
(setenv "HOME" ai-kb-roam-test-home)
(dolist (variable '("AI_KB_HOME" "XDG_CONFIG_HOME" "XDG_DATA_HOME"
                    "XDG_CACHE_HOME" "XDG_STATE_HOME"))
  (setenv variable nil))
(setq abbreviated-home-dir nil
      user-emacs-directory (concat ai-kb-roam-test-home ".emacs.d/")
      custom-file (concat user-emacs-directory "custom.el")
      load-prefer-newer t)
(make-directory user-emacs-directory t)

(defun ai-kb-roam-test-find-packages ()
  "Put org-roam and which-key on the load path, as `emacs -Q' does not.
Debian keeps packages in site-lisp/elpa, which `-Q' leaves out."
  (dolist (place '("elpa" "elpa-src"))
    (let ((default-directory (concat "/usr/share/emacs/site-lisp/" place)))
      (when (file-directory-p default-directory)
        (normal-top-level-add-subdirs-to-load-path)))))

(unless (locate-library "org-roam")
  (ai-kb-roam-test-find-packages))
(add-to-list 'load-path ai-kb-roam-test-elisp-directory)

(setq org-id-locations-file (concat user-emacs-directory ".org-id-locations"))
(require 'org-roam)
(require 'org-roam-dailies)
(require 'org-roam-protocol)
(require 'ai-kb)
(require 'ai-kb-switch)

(defvar org-state)
(defvar org-element-cache-persistent)

;; Org 9.6 and later find a parsed tree again by the hash of a text; the
;; tests' texts are alike.
(setq org-element-cache-persistent nil)

;;;; Files

(defvar ai-kb-roam-test-root nil "The directory of the running test.")

(defun ai-kb-roam-test-personal (&optional file)
  "Return FILE in the person's roam, or its directory."
  (concat ai-kb-roam-test-root "roam/" file))

(defun ai-kb-roam-test-store (&optional file)
  "Return FILE in the store, or its directory."
  (concat ai-kb-roam-test-root "kb/" file))

(defun ai-kb-roam-test-write (file text)
  "Write TEXT to FILE as a shell would, behind the back of Emacs."
  (make-directory (file-name-directory file) t)
  (let ((write-region-inhibit-fsync t)
        (file-name-handler-alist nil)
        (other (concat ai-kb-roam-test-root ".new")))
    (if (not (find-buffer-visiting file))
        (write-region text nil file nil 'silent)
      ;; Emacs would ask whether to write over a file that it visits.
      (write-region text nil other nil 'silent)
      (call-process "mv" nil nil nil other file)))
  file)

(defun ai-kb-roam-test-read (file)
  "Return the bytes of FILE."
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert-file-contents-literally file)
    (buffer-string)))

(defun ai-kb-roam-test-id (number)
  "Return the id of node NUMBER."
  (format "%08x-1111-4111-8111-111111111111" number))

(defun ai-kb-roam-test-node (number title &optional body)
  "Return the text of node NUMBER with TITLE and BODY."
  (format ":PROPERTIES:\n:ID: %s\n:END:\n#+title: %s\n\n%s\n"
          (ai-kb-roam-test-id number) title (or body "")))

(defun ai-kb-roam-test-link (number)
  "Return a link to node NUMBER."
  (format "[[id:%s][a link]]" (ai-kb-roam-test-id number)))

(defun ai-kb-roam-test-visit (file)
  "Visit FILE as `find-file' does, and return its buffer.
A buffer that visits FILE already is not asked about."
  (or (get-file-buffer file) (find-file-noselect file)))

(defun ai-kb-roam-test-make-roams ()
  "Make the two roams.  Numbers below 100 are the person's nodes."
  (ai-kb-roam-test-write (ai-kb-roam-test-personal "a.org")
                         (ai-kb-roam-test-node 1 "Personal A" (ai-kb-roam-test-link 2)))
  (ai-kb-roam-test-write (ai-kb-roam-test-personal "b.org")
                         (ai-kb-roam-test-node 2 "Personal B" "* TODO Feed the cat"))
  (ai-kb-roam-test-write (ai-kb-roam-test-personal "same.org")
                         (ai-kb-roam-test-node 3 "Same title"))
  (make-directory (ai-kb-roam-test-personal "daily") t)
  (ai-kb-roam-test-write (ai-kb-roam-test-store "one.org")
                         (ai-kb-roam-test-node 101 "Store One" (ai-kb-roam-test-link 102)))
  (ai-kb-roam-test-write (ai-kb-roam-test-store "two.org")
                         (ai-kb-roam-test-node 102 "Store Two" "* TODO Re-read"))
  (ai-kb-roam-test-write (ai-kb-roam-test-store "same.org")
                         (ai-kb-roam-test-node 103 "Same title")))

;;;; The databases

(defvar ai-kb-roam-test-personal-db nil "The person's database.")

(defun ai-kb-roam-test-query (location query)
  "Return the answer of the database at LOCATION to QUERY.
It uses a connection of its own, not one of org-roam's."
  (let ((connection (if (fboundp 'emacsql-sqlite-open)
                        (emacsql-sqlite-open location)
                      ;; Before emacsql 4; a newer one does not know it.
                      (funcall (intern "emacsql-sqlite") location))))
    (unwind-protect (emacsql connection query)
      (emacsql-close connection))))

(defun ai-kb-roam-test-titles (location)
  "Return the sorted titles of the nodes in the database at LOCATION."
  (sort (mapcar #'car (ai-kb-roam-test-query location [:select title :from nodes]))
        #'string<))

(defun ai-kb-roam-test-personal-rows (&optional location)
  "Return the rows of the person's database at LOCATION, without file times."
  (let ((location (or location ai-kb-roam-test-personal-db)))
    (mapcar (lambda (query)
              (sort (mapcar #'prin1-to-string (ai-kb-roam-test-query location query))
                    #'string<))
            (list [:select [file title hash] :from files]
                  [:select [id file level pos todo title olp] :from nodes]
                  [:select [node-id tag] :from tags]
                  [:select [pos source dest type] :from links]))))

(defun ai-kb-roam-test-personal-state ()
  "Return the person's files and database, byte for byte."
  (mapcar (lambda (file) (cons file (secure-hash 'sha1 (ai-kb-roam-test-read file))))
          (cons ai-kb-roam-test-personal-db
                (directory-files-recursively (ai-kb-roam-test-personal) ""))))

;;;; The person's configuration

(defun ai-kb-roam-test-copy-todo-to-today ()
  "Copy a completed task to today's daily, as many configurations do."
  (when (equal org-state "DONE")
    (let ((org-refile-keep t)
          (org-roam-dailies-capture-templates
           '(("t" "tasks" entry "%?"
              :target (file+head+olp "%<%Y-%m-%d>.org"
                                     "#+title: %<%Y-%m-%d>\n" ("Tasks")))))
          (org-after-refile-insert-hook #'save-buffer)
          today position)
      (save-window-excursion
        (org-roam-dailies--capture (current-time) t "t")
        (setq today (buffer-file-name)
              position (point)))
      (unless (equal (file-truename today) (file-truename (buffer-file-name)))
        (org-refile nil nil (list "Tasks" today nil position))))))

(defun ai-kb-roam-test-anonymous-hook ()
  "Return an anonymous function that copies a completed task."
  (lambda () (ai-kb-roam-test-copy-todo-to-today)))

(defun ai-kb-roam-test-today (&optional directory)
  "Return the name of today's daily in DIRECTORY, the person's by default."
  (concat (or directory (ai-kb-roam-test-personal "daily/"))
          (format-time-string "%Y-%m-%d.org")))

(defun ai-kb-roam-test-complete (buffer)
  "Complete the first task of BUFFER as a person does, and save the buffer."
  (with-current-buffer buffer
    (goto-char (point-min))
    (re-search-forward "^\\*+ TODO ")
    (org-todo "DONE")
    (save-buffer)))

(defconst ai-kb-roam-test-variables
  '(ai-kb-capture-templates ai-kb-dailies-directory ai-kb-db-location
                            ai-kb-directory ai-kb-personal-hooks ai-kb-personal-hooks-action
                            ai-kb-sync-idle-delay ai-kb-switch--histories
                            after-save-hook before-save-hook find-file-hook global-mode-string
                            kill-emacs-hook org-after-todo-state-change-hook org-id-files
                            org-id-locations org-id-locations-file org-roam-capture-ref-templates
                            org-roam-capture-templates org-roam-dailies-capture-templates
                            org-roam-dailies-directory org-roam-db-location
                            org-roam-db-node-include-function org-roam-directory
                            org-roam-extract-new-file-path org-roam-file-exclude-regexp
                            org-roam-file-extensions org-roam-find-file-hook org-roam-node-history
                            org-roam-ref-history org-roam-verbose user-emacs-directory)
  "Variables that are for each test as for the one before it.")

(defun ai-kb-roam-test-set (&rest values)
  "Set the variables of the property list VALUES at top level."
  (while values
    (set-default-toplevel-value (pop values) (pop values))))

(defun ai-kb-roam-test-configure ()
  "Be the person: set up their roam in ROOT."
  (setq ai-kb-roam-test-personal-db (concat ai-kb-roam-test-root "org-roam.db"))
  (ai-kb-roam-test-set
   'user-emacs-directory ai-kb-roam-test-root
   'org-roam-directory (ai-kb-roam-test-personal)
   'org-roam-db-location ai-kb-roam-test-personal-db
   'org-roam-dailies-directory "daily/"
   'org-id-locations-file (concat ai-kb-roam-test-root "ids")
   'org-id-locations nil
   'org-id-files nil
   'org-roam-node-history (list "an old search")
   'org-after-todo-state-change-hook (list (ai-kb-roam-test-anonymous-hook))
   'org-roam-verbose nil
   'ai-kb-directory (ai-kb-roam-test-store)
   'ai-kb-db-location (concat ai-kb-roam-test-root "org-roam-ai.db"))
  (org-roam-db-autosync-mode 1))

(defun ai-kb-roam-test-local-value (symbol buffer)
  "Return the value of SYMBOL that is local to BUFFER, or `global'."
  (if (local-variable-p symbol buffer)
      (buffer-local-value symbol buffer)
    'global))

;;;; The world of one test

(defvar ai-kb-roam-test-keep-on-failure t
  "Whether the directory of a failed test is kept.")

;; See ai-kb-switch-without-test.el: what is taken out of the code under
;; test, in this Emacs and in those that it starts.
(when-let ((form (getenv "AI_KB_TEST_WITHOUT")))
  (setq ai-kb-roam-test-keep-on-failure nil)
  (eval (car (read-from-string form)) t))

(defun ai-kb-roam-test-clean-up (buffers values)
  "Kill buffers that are not in BUFFERS; give variables their old VALUES."
  (ai-kb-scope-unwind)
  (when (timerp ai-kb-sync--timer)
    (cancel-timer ai-kb-sync--timer))
  (setq ai-kb-sync--timer nil
        ai-kb-switch--active nil
        ai-kb-scope--personal nil
        ai-kb-scope--hooks nil)
  (when org-roam-db-autosync-mode
    (org-roam-db-autosync-mode -1))
  (org-roam-db--close-all)
  (clrhash org-roam-db--connection)
  (let ((kill-buffer-query-functions nil)
        (kill-buffer-hook nil))
    (dolist (buffer (buffer-list))
      (unless (or (memq buffer buffers) (not (buffer-live-p buffer)))
        (with-current-buffer buffer
          (set-buffer-modified-p nil)
          (setq buffer-file-name nil)
          (set (make-local-variable 'kill-buffer-hook) nil))
        (kill-buffer buffer))))
  (pcase-dolist (`(,symbol . ,value) values)
    (set-default-toplevel-value symbol value)))

(defun ai-kb-roam-test-call-with-roams (function)
  "Call FUNCTION in a world of its own."
  (let ((ai-kb-roam-test-root
         (file-name-as-directory (file-truename (make-temp-file "ai-kb-roam-test" t))))
        (ai-kb-roam-test-personal-db nil)
        (create-lockfiles nil)
        (make-backup-files nil)
        (auto-save-default nil)
        (buffers (buffer-list))
        (values (mapcar (lambda (symbol)
                          (cons symbol (default-toplevel-value symbol)))
                        ai-kb-roam-test-variables))
        (passed nil))
    (unwind-protect
        (progn
          (ai-kb-roam-test-make-roams)
          (ai-kb-roam-test-configure)
          (funcall function)
          (setq passed t))
      (ai-kb-roam-test-clean-up buffers values)
      (if (or passed (not ai-kb-roam-test-keep-on-failure))
          (delete-directory ai-kb-roam-test-root t)
        (message "Kept: %s" ai-kb-roam-test-root)))))

(defmacro ai-kb-roam-test-with-roams (&rest body)
  "Run BODY in a directory with two roams and the person's configuration."
  (declare (indent 0) (debug t))
  `(ai-kb-roam-test-call-with-roams (lambda () ,@body)))

(defmacro ai-kb-roam-test-should-leave-personal (&rest body)
  "Run BODY, and check that the person's files and database are untouched."
  (declare (indent 0) (debug t))
  `(let ((before (ai-kb-roam-test-personal-state)))
     ,@body
     (should (equal before (ai-kb-roam-test-personal-state)))))

(defun ai-kb-roam-test-echo (function)
  "Call FUNCTION and return the messages that it showed, in one string."
  (let (messages)
    (cl-letf (((symbol-function 'message)
               (lambda (format &rest args)
                 (when format
                   (push (apply #'format-message format args) messages)
                   (car messages)))))
      (funcall function))
    (string-join (nreverse messages) "\n")))

(defun ai-kb-roam-test-error (function)
  "Return the message of the error that FUNCTION signals, or nil."
  (condition-case err
      (progn (funcall function) nil)
    (error (error-message-string err))))

;;;; Another Emacs

(defun ai-kb-roam-test-emacs (&rest forms)
  "Evaluate FORMS in another Emacs that has this file loaded.
It begins in the same test root.  Return what it printed; an error in
it is an error here, unless it was killed on purpose by SIGKILL."
  (with-temp-buffer
    (let* ((init (ai-kb-roam-test-write
                  (concat ai-kb-roam-test-root "child.el")
                  (mapconcat #'prin1-to-string forms "\n")))
           (status (call-process
                    (expand-file-name invocation-name invocation-directory)
                    nil t nil "-Q" "--batch"
                    "-l" (concat ai-kb-roam-test-directory "ai-kb-roam-test-helper.el")
                    "--eval" (format "(setq ai-kb-roam-test-root %S)" ai-kb-roam-test-root)
                    "-l" init)))
      (unless (or (equal status 0)
                  (and (stringp status) (string-match-p "\\`[Kk]illed" status)))
        (error "The other Emacs ended with %s: %s" status (buffer-string)))
      (buffer-string))))

(provide 'ai-kb-roam-test-helper)

;;; ai-kb-roam-test-helper.el ends here
