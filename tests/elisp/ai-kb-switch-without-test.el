;;; ai-kb-switch-without-test.el --- Each guard's test fails without the guard  -*- lexical-binding: t -*-

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

;; A test that passes without the guard that it is for proves nothing.
;; Here every guard is taken out in turn, in an Emacs of its own, and
;; the guard's tests must fail there.

;;; Code:

(require 'ai-kb-roam-test-helper)

;; The macro below needs it when this file is compiled.
(eval-and-compile
  (defconst ai-kb-roam-test-without
    '((1 "nothing is refused"
         (fset 'ai-kb-guard-check #'ignore)
         refuses-in-a-minibuffer refuses-while-a-capture-is-pending
         refuses-when-let-bound refuses-a-missing-store)
      (1 "hidden bindings are not looked for"
         (fset 'ai-kb-scope-set-variables
               (lambda (values)
                 (pcase-dolist (`(,symbol . ,value) values)
                   (set-default-toplevel-value symbol value))))
         takes-back-when-let-bound-to-the-same-value)
      (2 "directories are taken as they are given"
         (fset 'ai-kb-core-true-directory #'identity)
         links-and-missing-slashes-are-resolved refuses-directories-that-overlap)
      (2 "directories are not compared"
         (fset 'ai-kb-guard--directories #'ignore)
         refuses-directories-that-overlap)
      (2 "databases are not compared"
         (fset 'ai-kb-guard--databases #'ignore)
         refuses-one-database-for-both)
      (3 "connections stay open, automatic syncing stays on"
         (progn (fset 'ai-kb-database-disconnect-all #'ignore)
                (fset 'ai-kb-autosync--set #'ignore))
         connections-never-cross)
      (3 "automatic syncing is turned on in the ordinary way"
         (fset 'ai-kb-autosync--set
               (lambda (on) (org-roam-db-autosync-mode (if on 1 -1))))
         a-modified-buffer-is-never-saved)
      (4 "variables are set with setq"
         (fset 'ai-kb-scope-set-variables
               (lambda (values)
                 (setq ai-kb-scope--personal
                       (mapcar (lambda (cell)
                                 (cons (car cell) (symbol-value (car cell))))
                               values))
                 (ai-kb-scope-push-undo
                  "variables"
                  (lambda ()
                    (pcase-dolist (`(,symbol . ,value) ai-kb-scope--personal)
                      (set symbol value))))
                 (pcase-dolist (`(,symbol . ,value) values)
                   (set symbol value))))
         switches-from-a-buffer-with-its-own-roam)
      (4 "local bindings are not reported"
         (fset 'ai-kb-guard-local-bindings #'ignore)
         reports-buffer-local-roams)
      (5 "hooks of personal buffers stay"
         (fset 'ai-kb-scope-hide-buffer #'ignore)
         a-personal-buffer-works-for-its-own-roam
         roam-links-are-resolved-in-their-own-roam)
      (5 "open buffers of the store get no hooks"
         (fset 'ai-kb-autosync--equip-buffer #'ignore)
         an-open-store-buffer-works-for-the-store)
      (5 "nothing watches files that are visited meanwhile"
         (fset 'ai-kb-autosync-watch-files #'ignore)
         files-visited-meanwhile-belong-where-they-lie
         moved-files-move-in-their-own-database)
      (6 "nothing is taken back"
         (fset 'ai-kb-scope-unwind #'ignore)
         an-error-half-way-restores-everything quitting-restores-everything
         back-restores-exactly)
      (6 "values are restored as copies"
         (fset 'ai-kb-scope-back-to (lambda (_saved now) (copy-sequence now)))
         back-restores-exactly local-hooks-come-back-by-identity)
      (7 "nothing is left out"
         (fset 'ai-kb-sync-exclude-regexp #'ignore)
         raw-and-index-pages-are-no-nodes)
      (7 "what is left out has the other version's form"
         (let ((original (symbol-function 'ai-kb-sync-exclude-regexp))
               (relative (version<= "2.3" (org-roam-version))))
           (fset 'ai-kb-sync-exclude-regexp
                 (lambda (directory)
                   (seq-filter (lambda (form)
                                 (eq relative (string-match-p
                                               (regexp-quote directory) form)))
                               (funcall original directory)))))
         raw-and-index-pages-are-no-nodes)
      (8 "views stay open"
         (fset 'ai-kb-switch--close-views #'ignore)
         views-are-closed-both-ways)
      (8 "dailies, templates and histories are not swapped"
         (fset 'ai-kb-switch--variables #'ai-kb-sync-variables)
         each-roam-has-its-own-histories captures-use-the-store-s-templates
         dailies-stay-personal dailies-may-be-the-store-s ids-of-the-store-stay-out)
      (8 "ids that are learnt meanwhile are lost"
         (fset 'ai-kb-keep-ids #'ignore)
         ids-of-the-store-stay-out)
      (9 "stale buffers stay stale"
         (fset 'ai-kb-switch--revert-stale #'ignore)
         a-stale-buffer-is-reverted)
      (9 "org-roam syncs in its own way"
         (fset 'ai-kb-sync--call-quietly
               (lambda (function) (funcall function) nil))
         a-modified-buffer-is-never-saved requested-sync-touches-no-buffer)
      (10 "a second switch is like the first"
          (advice-add 'ai-kb-switch-to-ai-kb :before
                      (lambda () (setq ai-kb-switch--active nil)))
          twice-changes-nothing)
      (11 "nothing holds the functions that write files"
          (fset 'ai-kb-keep-hold-savers #'ignore)
          killing-emacs-persists-nothing-switched
          saving-meanwhile-persists-nothing-switched)
      (12 "the completed-task hook stays as it is"
          (fset 'ai-kb-scope-hide-hooks #'ignore)
          completed-task-hook-stays-out every-shape-of-hook-is-rescoped
          listed-hooks-are-treated-alike the-hook-can-be-disabled-instead)
      (12 "personal functions run where the store is on"
          (fset 'ai-kb-scope-call #'funcall)
          completed-task-hook-stays-out
          the-daily-is-indexed-in-the-personal-database)
      (12 "the store's tasks are everybody's"
          (fset 'ai-kb-scope-rescoped
                (lambda (function)
                  (lambda (&rest args)
                    (apply #'ai-kb-scope-call function args))))
          a-task-of-the-store-stays-there)
      (12 "a damaged database is not built anew"
          (fset 'ai-kb-database-call-or-rebuild
                (lambda (function) (list (funcall function) nil)))
          a-damaged-database-is-built-anew))
    "What is taken out: (GUARD WORDS FORM TEST ...).
  GUARD is the number of the guard, FORM takes it out, and each TEST
  then fails."))

(defun ai-kb-roam-test-failing (form names)
  "Return those NAMES that do not pass where FORM was evaluated."
  (with-temp-buffer
    (let ((process-environment
           (cons (format "AI_KB_TEST_WITHOUT=%S" form) process-environment)))
      (apply #'call-process
             (expand-file-name invocation-name invocation-directory)
             nil t nil "-Q" "--batch" "-L" ai-kb-roam-test-directory
             (append
              (cl-loop for file in (directory-files
                                    ai-kb-roam-test-directory t
                                    "\\`ai-kb-switch-.*-test\\.el\\'")
                       unless (string-match-p "-without-" file)
                       append (list "-l" file))
              (list "--eval"
                    (format "(ert-run-tests-batch '(member %s))"
                            (mapconcat #'symbol-name names " "))))))
    (seq-filter (lambda (test)
                  (goto-char (point-min))
                  (re-search-forward
                   (format "^ +FAILED +[0-9]+/[0-9]+ +%s\\_>" test) nil t))
                names)))

(defmacro ai-kb-roam-test-define-without ()
  "Define a test for each entry of `ai-kb-roam-test-without'."
  `(progn
     ,@(cl-loop
        for (guard words form . names) in ai-kb-roam-test-without
        collect
        `(ert-deftest
             ,(intern (format "ai-kb-switch-without-test--guard-%02d-%s" guard
                              (replace-regexp-in-string "[^a-z]+" "-" words)))
             ()
           ,(format "Guard %d taken out: %s." guard words)
           (let ((tests ',(mapcar (lambda (name)
                                    (intern (format "ai-kb-switch-test--%s"
                                                    name)))
                                  names)))
             (should (equal tests (ai-kb-roam-test-failing ',form tests))))))))

(ai-kb-roam-test-define-without)

(ert-deftest ai-kb-switch-without-test--every-guard-is-taken-out ()
  "None of the twelve guards is forgotten."
  (should (equal (delete-dups (mapcar #'car ai-kb-roam-test-without))
                 (number-sequence 1 12))))

;;; ai-kb-switch-without-test.el ends here
