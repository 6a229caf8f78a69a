;;; ai-kb-mode-test.el --- Does saving a node do what it should?  -*- lexical-binding: t -*-

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

;; Files are saved as a person saves them, by the real program.

;;; Code:

(require 'ai-kb-mode-test-helper)

(defun ai-kb-mode-test-modes (file)
  "Return which of our modes are on after a visit of FILE."
  (with-current-buffer (find-file-noselect file)
    (list ai-kb-mode ai-kb-page-mode)))

(ert-deftest ai-kb-mode-test--on-in-nodes-and-nowhere-else ()
  (ai-kb-mode-test-with-store
    (dolist (name '("raw/capture.org" ".ai-kb/x.org" "sub/.hidden.org"
                    "notes.txt" "index-mine.org" "sub/index.org"))
      (ai-kb-mode-test-write name "* A heading\n"))
    (make-symbolic-link (ai-kb-mode-test-file "") (concat ai-kb-mode-test-root "link"))
    (write-region "" nil (concat ai-kb-mode-test-root "kb é-other.org") nil 'silent)
    (pcase-dolist (`(,name . ,modes)
                   '(("one.org" t nil) ("sub/index.org" t nil)
                     ("new.org" t nil) ("README.org" t nil)
                     ("index.org" nil t) ("index-mine.org" nil nil)
                     ("raw/capture.org" nil nil) (".ai-kb/x.org" nil nil)
                     ("sub/.hidden.org" nil nil) ("notes.txt" nil nil)
                     ("../kb é-other.org" nil nil) ("../link/two.org" t nil)))
      (should (equal (cons name modes)
                     (cons name (ai-kb-mode-test-modes
                                 (ai-kb-mode-test-file name))))))))

(ert-deftest ai-kb-mode-test--stays-on-when-the-major-mode-changes ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (text-mode)
    (should ai-kb-mode)
    (should (memq #'ai-kb-mode--after-save after-save-hook))))

(ert-deftest ai-kb-mode-test--generated-pages-are-read-only ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "index.org")
    (should-error (insert "x") :type 'buffer-read-only)
    (should (string-match-p "change the nodes" ai-kb-commit--words))
    (ai-kb-mode-test-shell "new" "--type" "principle" "--title" "Brand new")
    (ai-kb-mode-test-wait (lambda ()
                            (string-match-p "Brand new" (buffer-string))))
    (should buffer-read-only)
    (ai-kb-page-mode -1)
    (should-not buffer-read-only)
    (should-not header-line-format)))

(ert-deftest ai-kb-mode-test--saving-commits ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (let ((said (ai-kb-mode-test-messages
                  (ai-kb-mode-test-type "Added é.\n")
                  (should (eq ai-kb-commit-state 'committing))
                  (ai-kb-mode-test-settle))))
      (should (string-match-p "^ai-kb: one.org committed$" said)))
    (should (string-suffix-p "Added é.\n" (ai-kb-mode-test-committed "one.org")))
    (should (equal "" (ai-kb-mode-test-git "status" "--porcelain")))
    (should-not ai-kb-commit-state)
    (should (equal (ai-kb-commit-lighter) " kb"))))

(ert-deftest ai-kb-mode-test--saving-does-not-wait ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (ai-kb-mode-test-script "sleep 2" "echo '{\"ok\": true, \"commit\": \"x\"}'")
    (let ((began (float-time)))
      (ai-kb-mode-test-type "Added.\n")
      (should (< (- (float-time) began) 1)))))

(ert-deftest ai-kb-mode-test--a-push-is-told ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-git "init" "-q" "--bare" "../remote")
    (ai-kb-mode-test-shell "remote" (concat ai-kb-mode-test-root "remote"))
    (ai-kb-mode-test-visit "one.org")
    (should (string-match-p "one.org committed, pushed$"
                            (ai-kb-mode-test-messages
                              (ai-kb-mode-test-type "Added.\n")
                              (ai-kb-mode-test-settle))))
    (delete-directory (concat ai-kb-mode-test-root "remote") t)
    (should (string-match-p "one.org committed, not pushed: "
                            (ai-kb-mode-test-messages
                              (ai-kb-mode-test-type "More.\n")
                              (ai-kb-mode-test-settle))))))

(ert-deftest ai-kb-mode-test--a-refused-file-stays-and-the-buffer-says-so ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (setq-local header-line-format "mine")
    (let ((before (ai-kb-mode-test-committed "one.org"))
          (said (ai-kb-mode-test-messages
                  (ai-kb-mode-test-type "#+begin_src sh\n100%\n")
                  (ai-kb-mode-test-settle))))
      (should (string-match-p "one.org is saved, not committed: line 13" said))
      (should (equal before (ai-kb-mode-test-committed "one.org")))
      (should (string-suffix-p "100%\n" (ai-kb-roam-test-read buffer-file-name))))
    (should (eq ai-kb-commit-state 'refused))
    (should (string-match-p "NOT COMMITTED" (ai-kb-commit-lighter)))
    (should (string-match-p "Not committed: line 13: this block"
                            (eval (cadr header-line-format) t)))
    (ai-kb-mode-test-type "#+end_src\n")
    (ai-kb-mode-test-settle)
    (should-not ai-kb-commit-state)
    (should (equal header-line-format "mine"))
    (should (string-suffix-p "#+end_src\n" (ai-kb-mode-test-committed "one.org")))))

(ert-deftest ai-kb-mode-test--a-missing-program-loses-nothing ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (set-default-toplevel-value 'ai-kb-program "no-such-program")
    (should (string-match-p "is saved, not committed: there is no program"
                            (ai-kb-mode-test-messages
                              (ai-kb-mode-test-type "Added.\n"))))
    (should (eq ai-kb-commit-state 'failed))
    (should (string-suffix-p "Added.\n" (ai-kb-roam-test-read buffer-file-name)))))

(ert-deftest ai-kb-mode-test--short-ids-are-written-out-under-point ()
  "The buffer follows, and point stays in its line and word."
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "three.org")
    (goto-char (point-max))
    (insert "See [[id:11111111]].\nHere we type on.\nAnd [[id:22222222]].\n")
    (search-backward "type on")
    (let ((undo-before (current-column))
          (inhibit-message t))
      (save-buffer)
      (ai-kb-mode-test-settle)
      (should (string-match-p
               (regexp-quote (format "See [[id:%s][Node one]]." ai-kb-mode-test-one))
               (buffer-string)))
      (should (string-match-p (regexp-quote "][Node two]].") (buffer-string)))
      (should (looking-at-p "type on"))
      (should (= undo-before (current-column))))
    (should-not (buffer-modified-p))
    (should (verify-visited-file-modtime))
    (should (equal (buffer-string) (ai-kb-mode-test-committed "three.org")))))

(ert-deftest ai-kb-mode-test--who-types-on-is-not-disturbed ()
  "A file whose short ids wait is not written under unsaved changes."
  (ai-kb-mode-test-with-store
    (let ((create-lockfiles t))
      (ai-kb-mode-test-visit "three.org")
      (let ((said (ai-kb-mode-test-messages
                    (ai-kb-mode-test-type "See [[id:11111111]].\n")
                    (insert "I type on.\n")
                    (ai-kb-mode-test-settle))))
        (should (string-match-p "three.org waits for your next save" said)))
      (should-not ai-kb-commit-state)
      (should (buffer-modified-p))
      (should (verify-visited-file-modtime))
      (ai-kb-mode-test-type "Done.\n")
      (ai-kb-mode-test-settle)
      (should (string-match-p "Node one\\]\\]\\.\nI type on\\.\nDone"
                              (ai-kb-mode-test-committed "three.org"))))))

(ert-deftest ai-kb-mode-test--two-saves-in-a-row ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (dolist (text '("First.\n" "Second.\n" "Third.\n"))
      (ai-kb-mode-test-type text))
    (ai-kb-mode-test-visit "two.org")
    (ai-kb-mode-test-type "Other.\n")
    (ai-kb-mode-test-settle)
    (should (string-suffix-p "First.\nSecond.\nThird.\n"
                             (ai-kb-mode-test-committed "one.org")))
    (should (string-suffix-p "Other.\n" (ai-kb-mode-test-committed "two.org")))
    (should (equal "" (ai-kb-mode-test-git "status" "--porcelain")))))

(ert-deftest ai-kb-mode-test--not-committed-where-that-is-not-wanted ()
  (ai-kb-mode-test-with-store
    (let ((ai-kb-commit-on-save nil))
      (ai-kb-mode-test-visit "one.org")
      (ai-kb-mode-test-type "Added.\n")
      (ai-kb-mode-test-settle)
      (should (equal " M one.org\n" (ai-kb-mode-test-git "status" "--porcelain")))
      (ai-kb-commit-buffer)
      (ai-kb-mode-test-settle)
      (should (equal "" (ai-kb-mode-test-git "status" "--porcelain"))))))

(ert-deftest ai-kb-mode-test--a-renamed-file-is-one-node ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "three.org")
    (let ((new (ai-kb-mode-test-file "renamed.org"))
          (inhibit-message t))
      (rename-file buffer-file-name new)
      (set-visited-file-name new t t)
      (ai-kb-mode-test-type "Added.\n")
      (ai-kb-mode-test-settle)
      (should-not ai-kb-commit-state)
      (should (equal "" (ai-kb-mode-test-git "status" "--porcelain")))
      (should (string-suffix-p "Added.\n"
                               (ai-kb-mode-test-committed "renamed.org"))))))

(ert-deftest ai-kb-mode-test--follows-the-file-name ()
  (ai-kb-mode-test-with-store
    (let ((inhibit-message t))
      (ai-kb-mode-test-visit "one.org")
      (set-visited-file-name (concat ai-kb-mode-test-root "elsewhere.org") t)
      (should-not ai-kb-mode)
      (should-not (memq #'ai-kb-mode--after-save after-save-hook))
      (set-visited-file-name (ai-kb-mode-test-file "again.org") t)
      (should ai-kb-mode))))

(ert-deftest ai-kb-mode-test--off-leaves-nothing ()
  (ai-kb-mode-test-with-store
    (global-ai-kb-mode -1)
    (ai-kb-mode-test-visit "one.org")
    (let ((hooks '(after-save-hook after-revert-hook kill-buffer-hook
                   flymake-diagnostic-functions buffer-stale-function
                   flymake-no-changes-timeout header-line-format
                   revert-buffer-insert-file-contents-function
                   auto-revert-verbose))
          (values nil))
      (setq values (mapcar #'symbol-value hooks))
      (global-ai-kb-mode 1)
      (should ai-kb-mode)
      (should auto-revert-mode)
      (should flymake-mode)
      (global-ai-kb-mode -1)
      (should-not ai-kb-mode)
      (should-not auto-revert-mode)
      (should-not flymake-mode)
      ;; Flymake and auto-revert keep an entry each, as they do without us.
      (should (equal (mapcar (lambda (value)
                               (if (listp value)
                                   (remq t (remq #'auto-revert-remove-current-buffer
                                                 value))
                                 value))
                             values)
                     (mapcar (lambda (symbol)
                               (let ((value (symbol-value symbol)))
                                 (if (listp value)
                                     (remq t (remq #'auto-revert-remove-current-buffer
                                                   value))
                                   value)))
                             hooks))))))

(ert-deftest ai-kb-mode-test--ending-emacs-does-not-lose-the-commit ()
  "As when a person saves and leaves at once."
  (ai-kb-mode-test-with-store
    (let ((status
           (call-process
            (expand-file-name invocation-name invocation-directory) nil nil nil
            "-Q" "--batch" "-L" ai-kb-roam-test-elisp-directory "-l" "ai-kb"
            "--eval"
            (format "(progn (setq ai-kb-directory %S ai-kb-program %S) \
(global-ai-kb-mode 1) (find-file %S) (goto-char (point-max)) \
(insert \"Last words.\\n\") (save-buffer) (kill-emacs 0))"
                    ai-kb-directory ai-kb-program
                    (ai-kb-mode-test-file "one.org")))))
      (should (equal status 0))
      (ai-kb-mode-test-wait
       (lambda () (string-suffix-p "Last words.\n"
                                   (ai-kb-mode-test-committed "one.org"))))
      (ai-kb-mode-test-wait
       (lambda () (equal "" (ai-kb-mode-test-git "status" "--porcelain")))))))

(provide 'ai-kb-mode-test)

;;; ai-kb-mode-test.el ends here
