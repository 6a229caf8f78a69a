;;; ai-kb-mode-test-helper.el --- A real store for the tests of working in it  -*- lexical-binding: t -*-

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

;; Each test gets a store of its own with three nodes in it, made by the
;; real ai-kb program, in a HOME of its own.  When a test fails its
;; directory is kept, and named.

;;; Code:

(require 'ai-kb-roam-test-helper)
(require 'ai-kb-mode)
(require 'ai-kb-flymake)
(require 'cl-lib)
(require 'ert)
(require 'seq)

(defconst ai-kb-mode-test-program
  (or (getenv "AI_KB_TEST_PROGRAM")
      (expand-file-name "../../.venv/bin/ai-kb" ai-kb-roam-test-directory))
  "The program under test; `make .venv' makes it.")

(defconst ai-kb-mode-test-one "11111111-1111-4111-8111-111111111111"
  "The id of the node in one.org.")

(defconst ai-kb-mode-test-two "22222222-2222-4222-8222-222222222222"
  "The id of the node in two.org, to which one.org links.")

(defconst ai-kb-mode-test-three "33333333-3333-4333-8333-333333333333"
  "The id of the contested node in three.org.")

(defvar ai-kb-mode-test-root nil "The directory of the running test.")

(defun ai-kb-mode-test-file (name)
  "Return the full name of the file NAME of the store."
  (concat ai-kb-mode-test-root "kb é/" name))

(defun ai-kb-mode-test-node (id title &rest body)
  "Return the text of a node with ID, TITLE and BODY."
  (concat ":PROPERTIES:\n:ID:       " id "\n:PROJECTS: :general:\n"
          ":CREATED:  2026-05-24\n:UPDATED:  2026-05-24\n:SOURCE:   chat\n"
          ":STATUS:   " (if (equal id ai-kb-mode-test-three) "contested" "current")
          "\n:END:\n#+title: " title "\n#+filetags: :principle:\n\n"
          (string-join body "\n") "\n"))

(defun ai-kb-mode-test-write (name text)
  "Write TEXT to the file NAME of the store as an agent does."
  (let ((file (ai-kb-mode-test-file name))
        (new (concat ai-kb-mode-test-root "new"))
        (coding-system-for-write 'utf-8-unix))
    (make-directory (file-name-directory file) t)
    (write-region text nil new nil 'silent)
    ;; Emacs would ask whether to write over a file that it visits.
    (call-process "mv" nil nil nil new file)
    file))

(defun ai-kb-mode-test-environment (root)
  "Return an environment in which all places are below ROOT."
  (append (list (concat "HOME=" root "home")
                (concat "XDG_RUNTIME_DIR=" root "home")
                (concat "TMPDIR=" root "home")
                "XDG_DATA_HOME" "XDG_CACHE_HOME" "XDG_STATE_HOME"
                "XDG_CONFIG_HOME" "AI_KB_HOME" "EMACS_SOCKET_NAME"
                "ALTERNATE_EDITOR")
          process-environment))

(defun ai-kb-mode-test-shell (&rest words)
  "Run the program with WORDS on the store, as an agent does."
  (let ((process-environment
         (cons (concat "AI_KB_HOME=" (ai-kb-mode-test-file ""))
               process-environment))
        (default-directory "/"))
    (with-temp-buffer
      (unless (equal 0 (apply #'call-process ai-kb-mode-test-program nil t nil
                              words))
        (error "The program said: %s" (buffer-string)))
      (buffer-string))))

(defun ai-kb-mode-test-git (&rest words)
  "Return the answer of git to WORDS in the store."
  (let ((default-directory (ai-kb-mode-test-file "")))
    (with-temp-buffer
      (apply #'call-process "git" nil t nil "-c" "core.quotepath=off" words)
      (buffer-string))))

(defun ai-kb-mode-test-committed (name)
  "Return the text of the file NAME as the store's history has it."
  (ai-kb-mode-test-git "show" (concat "HEAD:" name)))

;;;; The world of one test

(defvar ai-kb-mode-test--template nil
  "A directory from which each test's is copied.")

(defun ai-kb-mode-test--make-template ()
  "Return a directory with a store of three nodes, made once."
  (or ai-kb-mode-test--template
      (let* ((ai-kb-mode-test-root (concat ai-kb-roam-test-home "template/"))
             (process-environment
              (ai-kb-mode-test-environment ai-kb-mode-test-root)))
        (make-directory (concat ai-kb-mode-test-root "home") t)
        (ai-kb-mode-test-shell "init")
        (ai-kb-mode-test-write
         "one.org" (ai-kb-mode-test-node
                    ai-kb-mode-test-one "Node one"
                    (format "See [[id:%s][Node two]]." ai-kb-mode-test-two)))
        (ai-kb-mode-test-write
         "two.org" (ai-kb-mode-test-node ai-kb-mode-test-two "Node two"
                                         "Words of two."))
        (ai-kb-mode-test-write
         "three.org" (ai-kb-mode-test-node ai-kb-mode-test-three "Node three"
                                           "Words of three."))
        (ai-kb-mode-test-shell "commit")
        (setq ai-kb-mode-test--template
              (directory-file-name ai-kb-mode-test-root)))))

(defun ai-kb-mode-test-wait (condition &optional seconds)
  "Wait for a non-nil value of the function CONDITION and return it.
Fail after SECONDS, 30 by default."
  (let (value)
    (with-timeout ((or seconds 30) (ert-fail "Waited in vain"))
      (while (not (setq value (funcall condition)))
        (accept-process-output nil 0.02)
        ;; Events of file notification wait to be read, as if typed.
        (read-event nil nil 0.01)))
    value))

(defun ai-kb-mode-test-settle ()
  "Wait until the program has answered about everything that was saved."
  (ai-kb-mode-test-wait (lambda () (not ai-kb-queue--queues))))

(defun ai-kb-mode-test--clean-up (buffers)
  "Take down what a test has left: buffers that are not in BUFFERS, processes."
  (global-ai-kb-mode -1)
  (ignore-errors (ai-kb-mode-test-settle))
  (dolist (buffer (buffer-list))
    (unless (or (memq buffer buffers) (not (buffer-live-p buffer)))
      (with-current-buffer buffer
        (set-buffer-modified-p nil)
        (let ((kill-buffer-query-functions nil))
          (kill-buffer buffer))))))

(defun ai-kb-mode-test-call (function)
  "Call FUNCTION as `ai-kb-mode-test-with-store' does its body."
  (let* ((template (ai-kb-mode-test--make-template))
         (ai-kb-mode-test-root
          (file-name-as-directory
           (file-truename (make-temp-file "ai-kb-mode" t))))
         (process-environment (ai-kb-mode-test-environment ai-kb-mode-test-root))
         (make-backup-files nil)
         (auto-save-default nil)
         (buffers (buffer-list))
         (old (list ai-kb-directory ai-kb-program))
         (passed nil))
    (call-process "cp" nil nil nil "-a" (concat template "/.")
                  ai-kb-mode-test-root)
    (set-default-toplevel-value 'ai-kb-directory (ai-kb-mode-test-file ""))
    (set-default-toplevel-value 'ai-kb-program ai-kb-mode-test-program)
    (unwind-protect
        (save-window-excursion
          (funcall function)
          (setq passed t))
      (ai-kb-mode-test--clean-up buffers)
      (set-default-toplevel-value 'ai-kb-directory (nth 0 old))
      (set-default-toplevel-value 'ai-kb-program (nth 1 old))
      (if passed
          ;; A program that Emacs has left behind may still be at work.
          (ai-kb-mode-test-wait
           (lambda ()
             (ignore-errors (delete-directory ai-kb-mode-test-root t) t)))
        (message "Kept: %s" ai-kb-mode-test-root)))))

(defmacro ai-kb-mode-test-with-store (&rest body)
  "Run BODY with a store of its own, and its nodes in `ai-kb-mode'."
  (declare (indent 0) (debug t))
  `(ai-kb-mode-test-call (lambda () (global-ai-kb-mode 1) ,@body)))

(defun ai-kb-mode-test-visit (name)
  "Visit the file NAME of the store and make its buffer current."
  (switch-to-buffer (find-file-noselect (ai-kb-mode-test-file name))))

(defun ai-kb-mode-test-type (text)
  "Add TEXT at the end of the current buffer, and save it."
  (goto-char (point-max))
  (insert text)
  (let ((inhibit-message t))
    (save-buffer)))

(defmacro ai-kb-mode-test-messages (&rest body)
  "Run BODY and return what it showed, in one string."
  (declare (indent 0) (debug t))
  `(ai-kb-roam-test-echo (lambda () ,@body)))

(defun ai-kb-mode-test-script (&rest lines)
  "Make a program of shell LINES and let it be `ai-kb-program'."
  (let ((file (concat ai-kb-mode-test-root "program")))
    (write-region (string-join (cons "#!/bin/sh" lines) "\n") nil file nil 'silent)
    (set-file-modes file #o755)
    (set-default-toplevel-value 'ai-kb-program file)
    file))

(provide 'ai-kb-mode-test-helper)

;;; ai-kb-mode-test-helper.el ends here
