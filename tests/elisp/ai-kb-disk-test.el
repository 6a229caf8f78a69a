;;; ai-kb-disk-test.el --- What if an agent writes the file that is open?  -*- lexical-binding: t -*-

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

;; An agent writes; a person has the same file open, with or without
;; changes of their own.

;;; Code:

(require 'ai-kb-mode-test-helper)
(require 'ediff)

(defun ai-kb-disk-test-write (text)
  "Write node one with TEXT, as an agent does."
  (ai-kb-mode-test-write
   "one.org" (ai-kb-mode-test-node ai-kb-mode-test-one "Node one" text)))

(defun ai-kb-disk-test-follows ()
  "Check that an unmodified buffer comes to show what an agent wrote."
  (ai-kb-mode-test-visit "one.org")
  (goto-char (point-max))
  (insert "Here is point.\n")
  (let ((inhibit-message t))
    (save-buffer))
  (ai-kb-mode-test-settle)
  (search-backward "is point")
  (should (equal "" (ai-kb-mode-test-messages
                      (ai-kb-disk-test-write
                       "Written by an agent.\nAnd more.\nHere is point.")
                      (ai-kb-mode-test-wait
                       (lambda () (string-match-p "by an agent" (buffer-string)))))))
  (should (looking-at-p "is point"))
  (should-not (buffer-modified-p))
  (should ai-kb-mode))

(ert-deftest ai-kb-disk-test--an-unmodified-buffer-follows ()
  "By notification: long before it would be looked at."
  (let ((auto-revert-interval 1))
    (ai-kb-mode-test-with-store
      (ai-kb-disk-test-follows)
      (should auto-revert-notify-watch-descriptor))))

(ert-deftest ai-kb-disk-test--an-unmodified-buffer-follows-without-notification ()
  (let ((auto-revert-use-notify nil)
        (auto-revert-interval 1))
    (ai-kb-mode-test-with-store
      (auto-revert-set-timer)
      (ai-kb-disk-test-follows)
      (should-not auto-revert-notify-watch-descriptor))))

(ert-deftest ai-kb-disk-test--buffers-elsewhere-are-left-alone ()
  (ai-kb-mode-test-with-store
    (let ((file (concat ai-kb-mode-test-root "elsewhere.org")))
      (write-region "One.\n" nil file nil 'silent)
      (find-file file)
      (should-not auto-revert-mode)
      (should-not (local-variable-p 'buffer-stale-function)))))

(defun ai-kb-disk-test-conflict ()
  "Change node one in its buffer and on disk; return what was said."
  (ai-kb-mode-test-visit "one.org")
  (goto-char (point-max))
  (insert "My own words.\n")
  (ai-kb-mode-test-messages
    (ai-kb-disk-test-write "Written by an agent.")
    (ai-kb-mode-test-wait (lambda () (eq ai-kb-commit-state 'conflict)) 15)))

(defmacro ai-kb-disk-test-answering (key &rest body)
  "Run BODY; whoever asks what to do gets the answer KEY.
Return the question."
  (declare (indent 1) (debug t))
  `(let (question)
     (cl-letf (((symbol-function 'read-multiple-choice)
                (lambda (prompt choices &rest _)
                  (setq question prompt)
                  (assq ,key choices)))
               ((symbol-function 'yes-or-no-p)
                (lambda (&rest _) (ert-fail "Emacs asked in its own words"))))
       (let ((inhibit-message t))
         ,@body))
     question))

(ert-deftest ai-kb-disk-test--a-modified-buffer-is-warned-and-kept ()
  (ai-kb-mode-test-with-store
    (let ((said (ai-kb-disk-test-conflict)))
      (should (string-match-p "one.org was changed on disk by somebody else at \
[0-9:]+, and you have unsaved changes" said)))
    (should (string-match-p "My own words" (buffer-string)))
    (should (buffer-modified-p))
    (should (string-match-p "CONFLICT" (ai-kb-commit-lighter)))
    (should header-line-format)
    (should (equal "" (ai-kb-mode-test-messages
                        (auto-revert-buffers)
                        (ai-kb-disk--stale-p))))
    (ai-kb-disk-test-write "Written again.")
    (set-file-times buffer-file-name (time-add nil 60))
    (should (string-match-p "changed on disk"
                            (ai-kb-mode-test-messages (ai-kb-disk--stale-p))))))

(ert-deftest ai-kb-disk-test--save-key-is-ours ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (should (eq (key-binding (kbd "C-x C-s")) #'ai-kb-save))))

(ert-deftest ai-kb-disk-test--save-without-a-conflict-asks-nothing ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (goto-char (point-max))
    (insert "Added.\n")
    (should-not (ai-kb-disk-test-answering ?n (ai-kb-save)))
    (should-not (buffer-modified-p))))

(ert-deftest ai-kb-disk-test--save-not-now-changes-nothing ()
  (ai-kb-mode-test-with-store
    (ai-kb-disk-test-conflict)
    (let ((disk (ai-kb-roam-test-read buffer-file-name))
          (text (buffer-string)))
      (should (string-match-p "changed on disk by somebody else"
                              (ai-kb-disk-test-answering ?n (ai-kb-save))))
      (should (equal disk (ai-kb-roam-test-read buffer-file-name)))
      (should (equal text (buffer-string)))
      (should (eq ai-kb-commit-state 'conflict)))))

(ert-deftest ai-kb-disk-test--save-theirs-keeps-mine-elsewhere ()
  (ai-kb-mode-test-with-store
    (ai-kb-disk-test-conflict)
    (let ((text (buffer-string)))
      (ai-kb-disk-test-answering ?t (ai-kb-save))
      (should (string-match-p "by an agent" (buffer-string)))
      (should-not (buffer-modified-p))
      (should-not ai-kb-commit-state)
      (should-not header-line-format)
      (with-current-buffer "*one.org as you had it*"
        (should (equal text (buffer-string)))))))

(ert-deftest ai-kb-disk-test--save-mine-saves-and-commits ()
  (ai-kb-mode-test-with-store
    (ai-kb-disk-test-conflict)
    (ai-kb-disk-test-answering ?m (ai-kb-save))
    (let ((inhibit-message t))
      (ai-kb-mode-test-settle))
    (should-not (buffer-modified-p))
    (should-not ai-kb-commit-state)
    (should (string-suffix-p "My own words.\n"
                             (ai-kb-mode-test-committed "one.org")))))

(ert-deftest ai-kb-disk-test--save-ediff-compares-with-the-disk ()
  "Then the next save is the person's decision, but a newer change is not."
  (ai-kb-mode-test-with-store
    (ai-kb-disk-test-conflict)
    (let* ((mine (current-buffer))
           (compared nil))
      (cl-letf (((symbol-function 'ediff-buffers)
                 (lambda (a b &rest _) (setq compared (list a b)))))
        (ai-kb-disk-test-answering ?e (ai-kb-save)))
      (should (eq (cadr compared) mine))
      (with-current-buffer (car compared)
        (should (equal (buffer-string)
                       (with-temp-buffer
                         (insert-file-contents (ai-kb-mode-test-file "one.org"))
                         (buffer-string))))
        (should-not (eq major-mode 'org-mode)))
      (should (buffer-modified-p))
      (should-not ai-kb-commit-state)
      (set-file-times buffer-file-name (time-add nil 60))
      (should (ai-kb-disk-test-answering ?n (ai-kb-save)))
      (set-visited-file-modtime)
      (should-not (ai-kb-disk-test-answering ?n (ai-kb-save)))
      (ai-kb-mode-test-settle))))

(ert-deftest ai-kb-disk-test--ediff-really-starts ()
  (ai-kb-mode-test-with-store
    (ai-kb-disk-test-conflict)
    (let ((mine (current-buffer)))
      (let ((ediff-window-setup-function #'ediff-setup-windows-plain))
        (ai-kb-disk-test-answering ?e (ai-kb-save)))
      (should (buffer-live-p (get-buffer "*one.org on disk*")))
      (should (seq-some (lambda (buffer)
                          (eq (buffer-local-value 'major-mode buffer) 'ediff-mode))
                        (buffer-list)))
      (should (buffer-modified-p mine)))))

(ert-deftest ai-kb-disk-test--a-deleted-file-is-no-conflict ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "three.org")
    (delete-file buffer-file-name)
    (should-not (ai-kb-disk--stale-p))
    (goto-char (point-max))
    (insert "x")
    (should-not (ai-kb-disk--stale-p))))

(provide 'ai-kb-disk-test)

;;; ai-kb-disk-test.el ends here
