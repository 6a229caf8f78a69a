;;; ai-kb-switch-design-test.el --- What the design document demands of the switch  -*- lexical-binding: t -*-

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

(ert-deftest ai-kb-switch-test--sets-directory-and-database ()
  "The switch sets the store's directory and database, together."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-should-leave-personal
      (ai-kb-switch-to-ai-kb)
      (should (equal org-roam-directory (ai-kb-roam-test-store)))
      (should (equal org-roam-db-location ai-kb-db-location))
      (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                     '("Same title" "Store One" "Store Two")))
      (should (equal (sort (mapcar #'org-roam-node-title (org-roam-node-list)) #'string<)
                     '("Same title" "Store One" "Store Two"))))))

(ert-deftest ai-kb-switch-test--back-restores-exactly ()
  "Switching back restores every value that the switch set, by identity."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-should-leave-personal
      (let* ((symbols (append (mapcar #'car (ai-kb-switch--variables))
                              ai-kb-personal-hooks
                              '(find-file-hook kill-emacs-hook
                                               global-mode-string)))
             (before (mapcar #'default-toplevel-value symbols))
             (definitions (mapcar #'symbol-function '(rename-file delete-file))))
        (ai-kb-switch-to-ai-kb)
        (should-not (eq org-roam-directory (nth 0 before)))
        (ai-kb-switch-to-personal)
        (cl-mapc (lambda (symbol value)
                   (should (equal (cons symbol (default-toplevel-value symbol))
                                  (cons symbol value)))
                   (should (eq (default-toplevel-value symbol) value)))
                 symbols before)
        (cl-mapc (lambda (symbol definition)
                   (should (eq (symbol-function symbol) definition)))
                 '(rename-file delete-file) definitions)
        (should org-roam-db-autosync-mode)))))

(ert-deftest ai-kb-switch-test--completed-task-hook-stays-out ()
  "A task that is completed while switched lands in the person's daily."
  (ai-kb-roam-test-with-roams
    (let ((store (directory-files-recursively (ai-kb-roam-test-store) ""))
          seen)
      (add-hook 'org-after-todo-state-change-hook
                (lambda ()
                  (setq seen (list org-roam-directory org-roam-db-location))))
      (ai-kb-switch-to-ai-kb)
      (ai-kb-roam-test-complete (ai-kb-roam-test-visit (ai-kb-roam-test-personal "b.org")))
      (should (equal seen (list (ai-kb-roam-test-personal) ai-kb-roam-test-personal-db)))
      (should (string-match-p "DONE Feed the cat"
                              (ai-kb-roam-test-read (ai-kb-roam-test-today))))
      (should (equal store
                     (directory-files-recursively (ai-kb-roam-test-store) "")))
      (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                     '("Same title" "Store One" "Store Two"))))))

(ert-deftest ai-kb-switch-test--sync-helper-is-callable ()
  "The shell's helper can be called by its three names, and says so."
  (require 'cj-ai-kb)
  (ai-kb-roam-test-with-roams
    (should (commandp 'ai-kb-db-sync))
    (should (string-match-p "on its way" (funcall (intern "cj/ai-kb-db-sync"))))
    (should (string-match-p "already" (ai-kb-db-sync)))))

(ert-deftest ai-kb-switch-test--aliases-are-the-design-s-names ()
  "The design's names are the commands."
  (require 'cj-ai-kb)
  (should (eq (symbol-function 'cj/org-roam-switch-to-ai-kb)
              'ai-kb-switch-to-ai-kb))
  (should (eq (symbol-function 'cj/org-roam-switch-to-personal)
              'ai-kb-switch-to-personal))
  (should (eq (symbol-function 'cj/ai-kb-db-sync) 'ai-kb-db-sync)))

(ert-deftest ai-kb-switch-test--keys-stand-beside-the-person-s ()
  "The keys can be placed after any prefix and leave other keys alone."
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c n f") #'org-roam-node-find)
    (ai-kb-bind-keys "C-c n" map)
    (should (eq (lookup-key map (kbd "C-c n f")) #'org-roam-node-find))
    (should (eq (lookup-key map (kbd "C-c n a")) #'ai-kb-switch-to-ai-kb))
    (should (eq (lookup-key map (kbd "C-c n A")) #'ai-kb-switch-to-personal))
    (define-key map (kbd "C-c z") 'ai-kb-command-map)
    (should (eq (lookup-key map (kbd "C-c z A")) #'ai-kb-switch-to-personal))))

(ert-deftest ai-kb-switch-test--echo-says-what-was-synced ()
  "The echo names the roam, the counts and the time."
  (ai-kb-roam-test-with-roams
    (let ((case-fold-search nil))
      (should (string-match-p
               "^ai-kb is on: 3 nodes in 3 files, 3 indexed and 0 dropped in [0-9.]+ s$"
               (ai-kb-roam-test-echo #'ai-kb-switch-to-ai-kb)))
      (should (string-match-p "^Your own roam is on: .*roam/"
                              (ai-kb-roam-test-echo #'ai-kb-switch-to-personal)))
      (ai-kb-roam-test-write (ai-kb-roam-test-store "four.org")
                             (ai-kb-roam-test-node 104 "Store Four"))
      (delete-file (ai-kb-roam-test-store "one.org"))
      (should (string-match-p
               "3 nodes in 3 files, 1 indexed and 1 dropped"
               (ai-kb-roam-test-echo #'ai-kb-switch-to-ai-kb))))))

(ert-deftest ai-kb-switch-test--mode-line-shows-the-store ()
  "The mode line of every window has a sign, and a louder one when broken."
  (ai-kb-roam-test-with-roams
    (let ((sign (lambda () (eval (cadr ai-kb-switch-mode-line) t))))
      (should (member 'global-mode-string
                      (flatten-tree (default-value 'mode-line-misc-info))))
      (should-not (memq 'ai-kb-switch-mode-line global-mode-string))
      (ai-kb-switch-to-ai-kb)
      (should (memq 'ai-kb-switch-mode-line
                    (default-value 'global-mode-string)))
      (should (get 'ai-kb-switch-mode-line 'risky-local-variable))
      (should (equal (substring-no-properties (funcall sign)) " [ai-kb]"))
      (should (eq (get-text-property 1 'face (funcall sign)) 'ai-kb-switched))
      (should (eq (face-attribute 'ai-kb-switched :inherit) 'warning))
      (should (equal " [ai-kb]" (ai-kb-scope-call sign)))
      (setq-default org-roam-directory (ai-kb-roam-test-personal))
      (should (string-match-p "half switched" (funcall sign)))
      (should (eq (get-text-property 1 'face (funcall sign))
                  'ai-kb-half-switched))
      (ai-kb-switch-to-personal)
      (should (equal (funcall sign) ""))
      (should-not (memq 'ai-kb-switch-mode-line global-mode-string)))))

(ert-deftest ai-kb-switch-test--mode-line-keeps-what-others-add ()
  "What others put into the mode line meanwhile stays there."
  (ai-kb-roam-test-with-roams
    (ai-kb-switch-to-ai-kb)
    (setq-default global-mode-string
                  (append (default-value 'global-mode-string) '("mail")))
    (ai-kb-switch-to-personal)
    (should (member "mail" global-mode-string))
    (should-not (memq 'ai-kb-switch-mode-line global-mode-string))))

(ert-deftest ai-kb-switch-test--twice-changes-nothing ()
  "A second switch in the same direction changes nothing (guard 10)."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-should-leave-personal
      (let ((directory org-roam-directory)
            (hook org-after-todo-state-change-hook))
        (ai-kb-switch-to-ai-kb)
        (let ((undo ai-kb-scope--undo)
              (kept ai-kb-scope--personal)
              (wrapped org-after-todo-state-change-hook))
          (should (string-match-p "already"
                                  (ai-kb-roam-test-echo #'ai-kb-switch-to-ai-kb)))
          (should (eq undo ai-kb-scope--undo))
          (should (eq kept ai-kb-scope--personal))
          (should (eq wrapped org-after-todo-state-change-hook)))
        (ai-kb-switch-to-personal)
        (should (string-match-p "already"
                                (ai-kb-roam-test-echo #'ai-kb-switch-to-personal)))
        (should (eq org-roam-directory directory))
        (should (eq org-after-todo-state-change-hook hook))))))

(ert-deftest ai-kb-switch-test--loading-loads-neither-org-nor-org-roam ()
  "Loading ai-kb loads neither Org nor org-roam: that is what takes long."
  (let ((output
         (with-temp-buffer
           (should
            (equal 0 (call-process
                      (expand-file-name invocation-name invocation-directory)
                      nil t nil "-Q" "--batch" "-L" ai-kb-roam-test-elisp-directory
                      "-l" "ai-kb" "--eval"
                      "(princ (list (featurep 'org) (featurep 'org-roam)))")))
           (buffer-string))))
    (should (equal output "(nil nil)"))))

;;; ai-kb-switch-design-test.el ends here
