;;; ai-kb-commands-test.el --- Do the commands find, make and show nodes?  -*- lexical-binding: t -*-

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

;; A stand-in for the person answers what is asked in the minibuffer and
;; remembers what was offered, with what is shown beside it.

;;; Code:

(require 'ai-kb-mode-test-helper)
(require 'ai-kb-commands)
(require 'ai-kb-status)

(defvar ai-kb-commands-test-offers nil
  "What each question, last first, had to offer, with the words beside it.")

(defun ai-kb-commands-test-offer (collection)
  "Remember what there is in COLLECTION."
  (let* ((names (all-completions "" collection))
         (metadata (completion-metadata "" collection nil))
         (beside (completion-metadata-get metadata 'affixation-function)))
    (push (if beside
              (mapcar (lambda (row) (cons (nth 0 row) (nth 2 row)))
                      (funcall beside names))
            (mapcar #'list names))
          ai-kb-commands-test-offers)))

(defmacro ai-kb-commands-test-answering (answers &rest body)
  "Run BODY; questions are answered by ANSWERS, in turn."
  (declare (indent 1) (debug t))
  `(let ((left ,answers)
         (inhibit-message t))
     (setq ai-kb-commands-test-offers nil)
     (cl-letf (((symbol-function 'completing-read)
                (lambda (_prompt collection &rest _)
                  (ai-kb-commands-test-offer collection)
                  (pop left)))
               ((symbol-function 'completing-read-multiple)
                (lambda (_prompt collection &rest _)
                  (ai-kb-commands-test-offer collection)
                  (pop left)))
               ((symbol-function 'read-string) (lambda (&rest _) (pop left)))
               ((symbol-function 'y-or-n-p) (lambda (&rest _) (pop left))))
       ,@body)
     (should-not left)))

(defun ai-kb-commands-test-place ()
  "Return the name of the visited file, relative to the store, and the line."
  (list (ai-kb-process-relative-name buffer-file-name)
        (line-number-at-pos nil t)))

(ert-deftest ai-kb-commands-test--find-visits-with-annotations ()
  (ai-kb-mode-test-with-store
    (ai-kb-commands-test-answering '("Node three") (call-interactively #'ai-kb-find))
    (should (equal (ai-kb-commands-test-place) '("three.org" 1)))
    (should ai-kb-mode)
    (let ((beside (cdr (assoc "Node three" (car ai-kb-commands-test-offers)))))
      (dolist (word '("principle" "general" "CONTESTED" "Words of three."))
        (should (string-match-p word beside))))
    (should (= 4 (length (car ai-kb-commands-test-offers))))))

(ert-deftest ai-kb-commands-test--find-goes-to-a-heading ()
  (ai-kb-mode-test-with-store
    (let ((id "55555555-5555-4555-8555-555555555555"))
      (ai-kb-mode-test-write
       "two.org" (ai-kb-mode-test-node
                  ai-kb-mode-test-two "Node two" "* A heading" ":PROPERTIES:"
                  (concat ":ID: " id) ":END:"))
      (ai-kb-commands-test-answering '("A heading") (ai-kb-find))
      (should (equal (ai-kb-commands-test-place) '("two.org" 12))))))

(ert-deftest ai-kb-commands-test--find-tells-nodes-of-one-title-apart ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-write
     "other.org" (ai-kb-mode-test-node "66666666-6666-4666-8666-666666666666"
                                       "Node two"))
    (ai-kb-commands-test-answering '("Node two <66666666>") (ai-kb-find))
    (should (equal (ai-kb-commands-test-place) '("other.org" 1)))
    (should-not (assoc "Node two" (car ai-kb-commands-test-offers)))))

(ert-deftest ai-kb-commands-test--find-ignores-a-files-own-variables ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-write
     "two.org" (concat "# -*- mode: emacs-lisp; fill-column: 33 -*-\n"
                       (ai-kb-mode-test-node ai-kb-mode-test-two "Node two")))
    (ai-kb-node-visit "two.org")
    (should (eq major-mode 'org-mode))
    (should-not (equal fill-column 33))))

(ert-deftest ai-kb-commands-test--find-can-make-what-it-does-not-find ()
  (ai-kb-mode-test-with-store
    (ai-kb-commands-test-answering '("Quite new" t "principle" ("general"))
      (ai-kb-find)
      (ai-kb-mode-test-settle))
    (set-buffer (window-buffer))
    (should (string-match-p "quite-new" (buffer-file-name)))
    (ai-kb-mode-test-visit "one.org")
    (ai-kb-commands-test-answering '("Nothing such" nil) (ai-kb-find))
    (should (equal (ai-kb-commands-test-place) '("one.org" 1)))))

(ert-deftest ai-kb-commands-test--new-makes-a-node-and-visits-it ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-write "ai-kb.toml" "types = [\"recipe\"]\n")
    (let ((began (float-time)))
      (ai-kb-commands-test-answering '("--Dashes" "recipe" ("emacs" "general"))
        (call-interactively #'ai-kb-new)
        (should (< (- (float-time) began) 5))
        (should (assoc "recipe" (nth 1 ai-kb-commands-test-offers)))
        (should (assoc "general" (nth 0 ai-kb-commands-test-offers)))
        (ai-kb-mode-test-settle)))
    (set-buffer (window-buffer))
    (should ai-kb-mode)
    (should (eobp))
    (let ((text (buffer-string)))
      (should (string-match-p "#\\+title: --Dashes" text))
      (should (string-match-p "#\\+filetags: :recipe:" text))
      (should (string-match-p ":PROJECTS: +:emacs: :general:" text))
      (should (string-match-p ":SOURCE: +written in Emacs" text))
      (should (equal text (ai-kb-mode-test-committed
                           (file-name-nondirectory buffer-file-name)))))))

(ert-deftest ai-kb-commands-test--new-says-why-not ()
  (ai-kb-mode-test-with-store
    (should (string-match-p
             "not made: 'no type' is no type of this store"
             (ai-kb-mode-test-messages
               (ai-kb-new "Title" "no type" nil)
               (ai-kb-mode-test-settle))))
    (should-error (ai-kb-new " " "principle" nil) :type 'user-error)))

(ert-deftest ai-kb-commands-test--index-by-type-and-project ()
  (ai-kb-mode-test-with-store
    (ai-kb-commands-test-answering '("type principle" "Node two") (ai-kb-index))
    (should (equal (ai-kb-commands-test-place) '("two.org" 1)))
    (should (equal (sort (mapcar #'car (car ai-kb-commands-test-offers)) #'string<)
                   '("Node one" "Node three" "Node two")))
    (should (equal (mapcar #'car (cadr ai-kb-commands-test-offers))
                   '("everything" "type principle" "type reference"
                     "project general")))
    (should (equal "  3" (cdr (assoc "type principle"
                                     (cadr ai-kb-commands-test-offers)))))
    (ai-kb-commands-test-answering '("everything") (ai-kb-index))
    (should (equal (ai-kb-commands-test-place) '("index.org" 1)))
    (should ai-kb-page-mode)))

(ert-deftest ai-kb-commands-test--contested ()
  (ai-kb-mode-test-with-store
    (ai-kb-commands-test-answering '("Node three") (ai-kb-contested))
    (should (equal (ai-kb-commands-test-place) '("three.org" 1)))
    (should (= 1 (length (car ai-kb-commands-test-offers))))
    (ai-kb-mode-test-shell "edit" ai-kb-mode-test-three "--status" "current")
    (should (string-match-p "No node is contested"
                            (ai-kb-mode-test-messages (ai-kb-contested))))))

(ert-deftest ai-kb-commands-test--backlinks-of-the-node-at-point ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "two.org")
    (goto-char (point-max))
    (ai-kb-commands-test-answering '("Node one:12")
      (call-interactively #'ai-kb-backlinks))
    (should (equal (ai-kb-commands-test-place) '("one.org" 12)))
    (should (string-match-p
             "Nothing links" (ai-kb-mode-test-messages
                               (call-interactively #'ai-kb-backlinks))))
    (with-temp-buffer
      (ai-kb-commands-test-answering '("Node two" "Node one:12")
        (call-interactively #'ai-kb-backlinks)))))

(ert-deftest ai-kb-commands-test--check-buffer-lists-findings ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (should (string-match-p "nothing wrong with one.org"
                            (ai-kb-mode-test-messages
                              (ai-kb-check-buffer)
                              (ai-kb-mode-test-wait
                               (lambda () (not (process-list)))))))
    (goto-char (point-max))
    (insert "#+begin_src sh\n")
    (let ((inhibit-message t))
      (ai-kb-check-buffer)
      (ai-kb-mode-test-wait (lambda () (get-buffer "*ai-kb findings*"))))
    (with-current-buffer "*ai-kb findings*"
      (should (string-match-p "^one\\.org:13: error: this block.* \\[unclosed-block\\]$"
                              (buffer-string)))
      (should (file-exists-p (expand-file-name "one.org"))))))

(ert-deftest ai-kb-commands-test--status-shows-and-visits ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-write "loose.org" "* Not a node\n")
    (ai-kb-status)
    (should (equal (buffer-name) "*ai-kb status*"))
    (dolist (words '("4 nodes" "No backup" "Not committed:" "Contested:"))
      (should (string-match-p words (buffer-string))))
    (goto-char (point-min))
    (search-forward "loose.org")
    (push-button (1- (point)))
    (should (equal (ai-kb-commands-test-place) '("loose.org" 1)))
    (delete-file (ai-kb-mode-test-file "loose.org"))
    (with-current-buffer "*ai-kb status*"
      (revert-buffer)
      (should (string-match-p "Everything is committed" (buffer-string))))))

(ert-deftest ai-kb-commands-test--status-says-what-hinders-every-write ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-git "remote" "add" "origin" "/nowhere")
    (ai-kb-mode-test-git "checkout" "-q" "--detach")
    (ai-kb-status)
    (dolist (words '("HEAD is detached" "git switch main" "cannot be told"))
      (should (string-match-p words (buffer-string))))
    (should-not (string-match-p "Pushed to" (buffer-string)))))

(ert-deftest ai-kb-commands-test--push ()
  (ai-kb-mode-test-with-store
    (should (string-match-p "not pushed: " (ai-kb-mode-test-messages
                                             (ai-kb-push)
                                             (ai-kb-mode-test-settle))))
    (ai-kb-mode-test-git "init" "-q" "--bare" "../remote")
    (ai-kb-mode-test-git "remote" "add" "origin" "../remote")
    (should (string-match-p "pushed to " (ai-kb-mode-test-messages
                                           (ai-kb-push)
                                           (ai-kb-mode-test-settle))))))

(ert-deftest ai-kb-commands-test--a-missing-store-is-said-in-words ()
  (ai-kb-mode-test-with-store
    (set-default-toplevel-value 'ai-kb-directory (concat ai-kb-mode-test-root "no/"))
    (dolist (command '(ai-kb-find ai-kb-status ai-kb-contested ai-kb-index))
      (should (string-match-p "there is no ai-kb store at"
                              (cadr (should-error (funcall command)
                                                  :type 'user-error)))))))

(ert-deftest ai-kb-commands-test--without-org-roam-and-without-loading-much ()
  "Loading ai-kb loads none of these files; the commands need no org-roam."
  (ai-kb-mode-test-with-store
    (with-temp-buffer
      (call-process
       (expand-file-name invocation-name invocation-directory) nil t nil
       "-Q" "--batch" "-L" ai-kb-roam-test-elisp-directory "-l" "ai-kb" "--eval"
       (prin1-to-string
        `(let ((features-then
                (mapcar (lambda (f) (and (featurep f) f))
                        '(ai-kb-process ai-kb-mode ai-kb-commands ai-kb-menu
                          transient flymake autorevert org))))
           (setq ai-kb-directory ,ai-kb-directory ai-kb-program ,ai-kb-program)
           (ai-kb-bind-keys "C-c n")
           (let ((menu (key-binding (kbd "C-c n k"))))
             (ai-kb-status)
             (require 'ai-kb-menu)
             (princ (list (delq nil features-then) menu (commandp 'ai-kb-menu)
                          (featurep 'transient) (featurep 'org-roam)
                          (buffer-name)))))))
      (should (string-suffix-p "(nil ai-kb-menu t t nil *ai-kb status*)"
                               (buffer-string))))))

(provide 'ai-kb-commands-test)

;;; ai-kb-commands-test.el ends here
