;;; ai-kb-resolve-test.el --- Are conflicts listed, shown and decided?  -*- lexical-binding: t -*-

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

;; Two stores and a bare remote make a real conflict.

;;; Code:

(require 'ai-kb-mode-test-helper)
(require 'ai-kb-resolve)
(require 'ediff)

(defun ai-kb-resolve-test--other (&rest words)
  "Run the program with WORDS on the other machine's store."
  (let ((process-environment
         (cons (concat "AI_KB_HOME=" ai-kb-mode-test-root "other")
               process-environment))
        (default-directory "/"))
    (with-temp-buffer
      (unless (equal 0 (apply #'call-process ai-kb-mode-test-program nil t nil
                              words))
        (error "The program said: %s" (buffer-string))))))

(defun ai-kb-resolve-test--two (words)
  "Return the text of two.org with WORDS as its body."
  (ai-kb-mode-test-node ai-kb-mode-test-two "Node two" words))

(defun ai-kb-resolve-test--make-conflict ()
  "Let two machines change the body of two.org, the other one first."
  (let ((bare (concat ai-kb-mode-test-root "bare"))
        (other (concat ai-kb-mode-test-root "other")))
    (ai-kb-mode-test-git "init" "-q" "--bare" "--initial-branch=main" bare)
    (ai-kb-mode-test-shell "remote" bare)
    (ai-kb-resolve-test--other "clone" bare)
    (write-region (ai-kb-resolve-test--two "Of the other; -*- eval: (ignore) -*-")
                  nil (concat other "/two.org") nil 'silent)
    (ai-kb-resolve-test--other "commit")
    (ai-kb-mode-test-write "two.org" (ai-kb-resolve-test--two "Of this one."))
    (ai-kb-mode-test-shell "commit")))

(defun ai-kb-resolve-test--wait ()
  "Wait for the list of conflicts, and go to its first row."
  (ai-kb-mode-test-settle)
  (set-buffer ai-kb-resolve-buffer-name)
  (goto-char (point-min)))

(ert-deftest ai-kb-resolve-test--a-conflict-is-listed-compared-and-decided ()
  (ai-kb-mode-test-with-store
    (ai-kb-resolve-test--make-conflict)
    (let ((inhibit-message t) compared)
      (ai-kb-resolve)
      (ai-kb-resolve-test--wait)
      (should (equal (aref (tabulated-list-get-entry) 0) "Node two"))
      (should (equal (aref (tabulated-list-get-entry) 1) "body"))
      ;; Ediff's control panel wants keys of a person.
      (cl-letf (((symbol-function 'ediff-buffers)
                 (lambda (&rest buffers) (setq compared buffers))))
        (ai-kb-resolve-compare))
      (pcase-let ((`(,ours ,theirs) compared))
        (with-current-buffer ours
          (should buffer-read-only)
          (should-not buffer-file-name)
          (should (string-match-p "Of this one" (buffer-string))))
        (with-current-buffer theirs
          (should (eq major-mode 'fundamental-mode))
          (should (string-match-p "Of the other" (buffer-string)))))
      (ai-kb-resolve-theirs)
      (ai-kb-mode-test-settle)
      (should-not (get-buffer ai-kb-resolve-buffer-name))
      (should (string-match-p "Of the other"
                              (ai-kb-mode-test-committed "two.org"))))))

(ert-deftest ai-kb-resolve-test--both-keeps-a-contested-node ()
  (ai-kb-mode-test-with-store
    (ai-kb-resolve-test--make-conflict)
    (let ((inhibit-message t))
      (ai-kb-resolve)
      (ai-kb-resolve-test--wait)
      (ai-kb-resolve-both)
      (ai-kb-mode-test-settle)
      (should (string-match-p ":STATUS:   contested"
                              (ai-kb-mode-test-committed "two-2.org"))))))

(ert-deftest ai-kb-resolve-test--what-is-merged-and-not-pushed-is-no-conflict ()
  (ai-kb-mode-test-with-store
    (ai-kb-resolve-test--make-conflict)
    (save-current-buffer
      (ai-kb-resolve)
      (ai-kb-resolve-test--wait)
      (let ((hook (concat ai-kb-mode-test-root "bare/hooks/pre-receive")))
        (make-directory (file-name-directory hook) t)
        (write-region "#!/bin/sh\nexit 1\n" nil hook nil 'silent)
        (set-file-modes hook #o755))
      (should (string-match-p "not pushed"
                              (ai-kb-mode-test-messages
                                (ai-kb-resolve-ours)
                                (ai-kb-mode-test-settle)))))
    (should-not (get-buffer ai-kb-resolve-buffer-name))))

(ert-deftest ai-kb-resolve-test--the-list-says-which-side-deleted ()
  (should (equal (aref (cadr (ai-kb-resolve--entry
                              '((name . "1") (title . "One") (path . "one.org")
                                (what "deleted") (deleted_by . "ours"))))
                       1)
                 "deleted here, changed there"))
  (should (equal (aref (cadr (ai-kb-resolve--entry
                              '((name . "1") (title . "One") (path . "one.org")
                                (what "deleted") (deleted_by . "theirs"))))
                       1)
                 "changed here, deleted there")))

(ert-deftest ai-kb-resolve-test--without-a-conflict-it-says-that-all-is-in-step ()
  (ai-kb-mode-test-with-store
    (let ((bare (concat ai-kb-mode-test-root "bare")))
      (ai-kb-mode-test-git "init" "-q" "--bare" "--initial-branch=main" bare)
      (ai-kb-mode-test-shell "remote" bare)
      (should (string-match-p "in step with"
                              (ai-kb-mode-test-messages
                                (ai-kb-resolve)
                                (ai-kb-mode-test-settle))))
      (should-not (get-buffer ai-kb-resolve-buffer-name)))))

(ert-deftest ai-kb-resolve-test--without-a-remote-it-says-how-to-have-one ()
  (ai-kb-mode-test-with-store
    (should (string-match-p "ai-kb remote URL"
                            (ai-kb-mode-test-messages
                              (ai-kb-resolve)
                              (ai-kb-mode-test-settle))))))

(provide 'ai-kb-resolve-test)

;;; ai-kb-resolve-test.el ends here
