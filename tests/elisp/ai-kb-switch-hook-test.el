;;; ai-kb-switch-hook-test.el --- Completed tasks and other personal hooks  -*- lexical-binding: t -*-

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

(defun ai-kb-roam-test-store-listing ()
  "Return the files of the store with their bytes."
  (mapcar (lambda (file) (cons file (ai-kb-roam-test-read file)))
          (directory-files-recursively (ai-kb-roam-test-store) "")))

(defun ai-kb-roam-test-should-be-in-daily (task)
  "Check that TASK is in the person's daily, on disk and in the database."
  (should (file-exists-p (ai-kb-roam-test-today)))
  (should (string-match-p task (ai-kb-roam-test-read (ai-kb-roam-test-today)))))

(defun ai-kb-roam-test-named-hook ()
  "Copy a completed task, as a function with a name."
  (ai-kb-roam-test-copy-todo-to-today))

(ert-deftest ai-kb-switch-test--every-shape-of-hook-is-rescoped ()
  "Named, anonymous, compiled, local, and single functions are rescoped."
  (dolist (shape '(named anonymous compiled single local))
    (ai-kb-roam-test-with-roams
      (let* ((buffer (ai-kb-roam-test-visit (ai-kb-roam-test-personal "b.org")))
             (function
              (pcase shape
                ('named #'ai-kb-roam-test-named-hook)
                ('compiled (byte-compile
                            '(lambda () (ai-kb-roam-test-copy-todo-to-today))))
                (_ (ai-kb-roam-test-anonymous-hook))))
             (value (if (eq shape 'single) function (list function))))
        (if (eq shape 'local)
            (progn
              (ai-kb-roam-test-set 'org-after-todo-state-change-hook nil)
              (with-current-buffer buffer
                (add-hook 'org-after-todo-state-change-hook function nil t)
                (setq value org-after-todo-state-change-hook)))
          (ai-kb-roam-test-set 'org-after-todo-state-change-hook value))
        (ai-kb-switch-to-ai-kb)
        (let ((store (ai-kb-roam-test-store-listing)))
          (ai-kb-roam-test-complete buffer)
          (ai-kb-roam-test-should-be-in-daily "DONE Feed the cat")
          (should (equal store (ai-kb-roam-test-store-listing))))
        (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                       '("Same title" "Store One" "Store Two")))
        (ai-kb-switch-to-personal)
        (should (eq value (buffer-local-value
                           'org-after-todo-state-change-hook buffer)))))))

(ert-deftest ai-kb-switch-test--hook-is-rescoped-with-absolute-dailies ()
  "An absolute directory of dailies makes no difference."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'org-roam-dailies-directory (ai-kb-roam-test-personal "daily/"))
    (ai-kb-switch-to-ai-kb)
    (ai-kb-roam-test-complete (ai-kb-roam-test-visit (ai-kb-roam-test-personal "b.org")))
    (ai-kb-roam-test-should-be-in-daily "DONE Feed the cat")))

(ert-deftest ai-kb-switch-test--hook-is-rescoped-in-a-buffer-with-its-own-roam ()
  "A local `org-roam-directory' does not send the task to the store."
  (ai-kb-roam-test-with-roams
    (let ((buffer (ai-kb-roam-test-visit (ai-kb-roam-test-personal "b.org"))))
      (with-current-buffer buffer
        (setq-local org-roam-directory (ai-kb-roam-test-personal)))
      (ai-kb-switch-to-ai-kb)
      (let ((store (ai-kb-roam-test-store-listing)))
        (ai-kb-roam-test-complete buffer)
        (ai-kb-roam-test-should-be-in-daily "DONE Feed the cat")
        (should (equal store (ai-kb-roam-test-store-listing)))))))

(ert-deftest ai-kb-switch-test--the-daily-is-indexed-in-the-personal-database ()
  "The rows are as they would be without a switch."
  (let (rows)
    (dolist (switch '(nil t))
      (ai-kb-roam-test-with-roams
        (when switch (ai-kb-switch-to-ai-kb))
        (ai-kb-roam-test-complete (ai-kb-roam-test-visit (ai-kb-roam-test-personal "b.org")))
        (when switch (ai-kb-switch-to-personal))
        (push (mapcar (lambda (table) (length table))
                      (ai-kb-roam-test-personal-rows))
              rows)
        (should (member (format-time-string "%Y-%m-%d")
                        (ai-kb-roam-test-titles ai-kb-roam-test-personal-db)))))
    (should (equal (car rows) (cadr rows)))))

(ert-deftest ai-kb-switch-test--a-task-of-the-store-stays-there ()
  "And the other way round: the store's task is not copied to the daily."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-should-leave-personal
      (ai-kb-switch-to-ai-kb)
      (ai-kb-roam-test-complete (ai-kb-roam-test-visit (ai-kb-roam-test-store "two.org")))
      (should (string-match-p "DONE Re-read"
                              (ai-kb-roam-test-read (ai-kb-roam-test-store "two.org"))))
      (should-not (file-exists-p (ai-kb-roam-test-today))))))

(ert-deftest ai-kb-switch-test--the-hook-can-be-disabled-instead ()
  "With the option, nothing is copied until the person is back."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'ai-kb-personal-hooks-action 'disable)
    (let ((hook org-after-todo-state-change-hook)
          (buffer (ai-kb-roam-test-visit (ai-kb-roam-test-personal "b.org"))))
      (ai-kb-switch-to-ai-kb)
      (ai-kb-roam-test-complete buffer)
      (should-not (file-exists-p (ai-kb-roam-test-today)))
      (ai-kb-switch-to-personal)
      (should (eq hook org-after-todo-state-change-hook))
      (with-current-buffer buffer
        (goto-char (point-max))
        (insert "* TODO Feed the dog\n"))
      (ai-kb-roam-test-complete buffer)
      (ai-kb-roam-test-should-be-in-daily "DONE Feed the dog"))))

(defvar ai-kb-roam-test-hook nil "A hook that a person has listed.")

(ert-deftest ai-kb-switch-test--listed-hooks-are-treated-alike ()
  "Any hook in `ai-kb-personal-hooks' is rescoped, arguments and all."
  (ai-kb-roam-test-with-roams
    (let (seen)
      (setq ai-kb-roam-test-hook
            (list (lambda (argument)
                    (push (list argument org-roam-directory
                                org-roam-db-location
                                (org-roam-node-title
                                 (org-roam-node-from-id (ai-kb-roam-test-id 1))))
                          seen))))
      (ai-kb-roam-test-set 'ai-kb-personal-hooks '(ai-kb-roam-test-hook
                                                   ai-kb-roam-test-unbound-hook))
      (let ((value ai-kb-roam-test-hook))
        (ai-kb-switch-to-ai-kb)
        (run-hook-with-args 'ai-kb-roam-test-hook 7)
        (should (equal seen (list (list 7 (ai-kb-roam-test-personal)
                                        ai-kb-roam-test-personal-db
                                        "Personal A"))))
        (should (equal org-roam-directory (ai-kb-roam-test-store)))
        (ai-kb-switch-to-personal)
        (should (eq value ai-kb-roam-test-hook))))))

(ert-deftest ai-kb-switch-test--what-a-hook-sets-is-kept ()
  "What a personal function sets in the person's roam is there afterwards."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'org-after-todo-state-change-hook
                         (list (lambda () (push "from the hook"
                                                org-roam-node-history))))
    (ai-kb-switch-to-ai-kb)
    (ai-kb-roam-test-complete (ai-kb-roam-test-visit (ai-kb-roam-test-personal "b.org")))
    (should-not org-roam-node-history)
    (ai-kb-switch-to-personal)
    (should (equal org-roam-node-history '("from the hook" "an old search")))))

(ert-deftest ai-kb-switch-test--a-failing-hook-leaves-the-store-on ()
  "An error in a personal function does not change which roam is on."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'org-after-todo-state-change-hook
                         (list (lambda () (error "Out of ink"))))
    (ai-kb-switch-to-ai-kb)
    (should (string-match-p
             "Out of ink"
             (ai-kb-roam-test-error
              (lambda ()
                (ai-kb-roam-test-complete
                 (ai-kb-roam-test-visit (ai-kb-roam-test-personal "b.org")))))))
    (should (equal org-roam-directory (ai-kb-roam-test-store)))
    (should (ai-kb-sync-store-active-p))))

;;; ai-kb-switch-hook-test.el ends here
