;;; ai-kb-flymake-test.el --- Are findings shown on their lines?  -*- lexical-binding: t -*-

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

;; With the real program.  Batch Emacs is never idle, so the tests start
;; the checks that idle time would start.

;;; Code:

(require 'ai-kb-mode-test-helper)

(defun ai-kb-flymake-test-check ()
  "Check the current buffer; return the lines, types and texts to see."
  (progn
    (setq ai-kb-flymake--last 'none)
    (flymake-start)
    (ai-kb-mode-test-wait (lambda () (not (or ai-kb-flymake--job
                                              (eq ai-kb-flymake--last 'none)))))
    (mapcar (lambda (diagnostic)
              (list (save-restriction
                      (widen)
                      (line-number-at-pos (flymake-diagnostic-beg diagnostic)))
                    (flymake-diagnostic-type diagnostic)
                    (replace-regexp-in-string
                     ":.*" "" (flymake-diagnostic-text diagnostic))))
            (sort (flymake-diagnostics)
                  (lambda (a b) (< (flymake-diagnostic-beg a)
                                   (flymake-diagnostic-beg b)))))))

(ert-deftest ai-kb-flymake-test--findings-on-their-lines ()
  "The text of the buffer is judged, and the disk is not touched."
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (let ((disk (ai-kb-roam-test-read buffer-file-name)))
      (should-not (ai-kb-flymake-test-check))
      (goto-char (point-max))
      (insert "Short [[id:22222222]].\n"
              "Nobody: [[id:44444444-4444-4444-8444-444444444444][x]].\n"
              "é\n#+begin_src sh\n")
      (let ((found (ai-kb-flymake-test-check)))
        (should (member '(13 :warning "short-id") found))
        (should (member '(14 :error "dangling-link") found))
        (should (member '(16 :error "unclosed-block") found)))
      (delete-region (line-beginning-position -3) (point-max))
      (should-not (ai-kb-flymake-test-check))
      (should (equal disk (ai-kb-roam-test-read buffer-file-name))))))

(ert-deftest ai-kb-flymake-test--a-narrowed-buffer-is-checked-whole ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (goto-char (point-max))
    (insert "#+begin_src sh\n")
    (narrow-to-region (point-min) (line-beginning-position -1))
    (should (member '(13 :error "unclosed-block") (ai-kb-flymake-test-check)))
    (should (buffer-narrowed-p))))

(ert-deftest ai-kb-flymake-test--the-bytes-are-those-of-a-save ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (goto-char (point-max))
    (insert "é\n")
    (dolist (coding '(utf-8-unix utf-8-dos utf-8-with-signature-unix latin-1-unix
                      undecided))
      (setq buffer-file-coding-system coding)
      (let ((file (concat ai-kb-mode-test-root "bytes"))
            (coding-system-for-write
             (if (eq coding 'undecided) 'utf-8-unix coding)))
        (write-region nil nil file nil 'silent)
        (should (equal (cons coding (ai-kb-roam-test-read file))
                       (cons coding (ai-kb-flymake-text))))))
    (setq buffer-file-coding-system 'utf-8-unix)))

(ert-deftest ai-kb-flymake-test--a-check-that-is-not-needed-is-ended ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (ai-kb-mode-test-script (concat "echo $$ >>" ai-kb-mode-test-root "log")
                            "exec sleep 60")
    (dotimes (_ 3)
      (flymake-start)
      (ai-kb-mode-test-wait
       (lambda () (file-exists-p (concat ai-kb-mode-test-root "log"))))
      (accept-process-output nil 0.2))
    (kill-buffer)
    (let ((pids (split-string (ai-kb-roam-test-read (concat ai-kb-mode-test-root "log"))
                              "\n" t)))
      (should (>= (length pids) 3))
      (dolist (pid pids)
        (ai-kb-mode-test-wait
         (lambda () (not (process-attributes (string-to-number pid)))) 5)))))

(ert-deftest ai-kb-flymake-test--a-slow-check-keeps-what-was-known ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (goto-char (point-max))
    (insert "#+begin_src sh\n")
    (should (ai-kb-flymake-test-check))
    (ai-kb-mode-test-script "exec sleep 60")
    (let ((ai-kb-read-timeout 0.3))
      (flymake-start)
      (ai-kb-mode-test-wait (lambda () (not ai-kb-flymake--job)))
      (should (flymake-diagnostics))
      (should-not (memq #'ai-kb-flymake (flymake-disabled-backends))))))

(ert-deftest ai-kb-flymake-test--without-a-program-it-is-off-and-says-so ()
  (ai-kb-mode-test-with-store
    (set-default-toplevel-value 'ai-kb-program "no-such-program")
    (ai-kb-mode-test-visit "one.org")
    (let ((inhibit-message t))
      (flymake-start))
    (should (memq #'ai-kb-flymake (flymake-disabled-backends)))))

(ert-deftest ai-kb-flymake-test--a-commit-that-is-refused-shows-its-findings ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (let ((inhibit-message t))
      (ai-kb-mode-test-type "#+begin_src sh\n")
      (ai-kb-mode-test-wait (lambda () (eq ai-kb-commit-state 'refused)))
      (ai-kb-mode-test-wait #'flymake-diagnostics))))

(ert-deftest ai-kb-flymake-test--idle-time-is-ours ()
  "A person's smaller delay would start an Emacs twice a second."
  (ai-kb-mode-test-with-store
    (let ((flymake-no-changes-timeout 0.1))
      (ai-kb-mode-test-visit "one.org")
      (should (equal flymake-no-changes-timeout ai-kb-flymake-delay)))
    (with-temp-buffer
      (let ((flymake-no-changes-timeout nil))
        (ai-kb-mode-test-visit "two.org")
        (should-not flymake-no-changes-timeout)))))

(ert-deftest ai-kb-flymake-test--not-where-it-is-not-wanted ()
  (ai-kb-mode-test-with-store
    (let ((ai-kb-check-while-typing nil))
      (ai-kb-mode-test-visit "one.org")
      (should ai-kb-mode)
      (should-not flymake-mode)
      (should-not (memq #'ai-kb-flymake flymake-diagnostic-functions)))))

(provide 'ai-kb-flymake-test)

;;; ai-kb-flymake-test.el ends here
