;;; ai-kb-switch-buffer-test.el --- Buffers, files and views while switched  -*- lexical-binding: t -*-

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

(defun ai-kb-roam-test-append (buffer text)
  "Append TEXT to BUFFER and save it, as a person does."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (goto-char (point-max))
      (insert text))
    (save-buffer)))

(defun ai-kb-roam-test-org-roam-functions (buffer)
  "Return org-roam's own functions in the local hooks of BUFFER."
  (cl-loop for hook in (append ai-kb-scope-save-hooks ai-kb-scope-view-hooks)
           append (and (local-variable-p hook buffer)
                       (cl-remove-if-not #'ai-kb-scope-org-roam-function-p
                                         (buffer-local-value hook buffer)))))

;;;; Guard 3: connections

(ert-deftest ai-kb-switch-test--connections-never-cross ()
  "No connection made in one roam is used in the other (guard 3)."
  (ai-kb-roam-test-with-roams
    (org-roam-db)
    (should (= 1 (hash-table-count org-roam-db--connection)))
    (ai-kb-roam-test-should-leave-personal
      (ai-kb-switch-to-ai-kb)
      (should (equal (hash-table-keys org-roam-db--connection)
                     (list (ai-kb-roam-test-store))))
      (ai-kb-switch-to-personal)
      (should (equal (hash-table-keys org-roam-db--connection) nil))
      (should (equal (org-roam-node-title
                      (org-roam-node-from-id (ai-kb-roam-test-id 1)))
                     "Personal A")))))

(ert-deftest ai-kb-switch-test--autosync-is-left-as-it-was ()
  "Where the person does not sync automatically, nothing does."
  (ai-kb-roam-test-with-roams
    (org-roam-db-autosync-mode -1)
    (let (ran)
      (let ((hook (lambda () (setq ran t))))
        (add-hook 'org-roam-db-autosync-mode-hook hook)
        (unwind-protect
            (ai-kb-roam-test-should-leave-personal
              (ai-kb-switch-to-ai-kb)
              (should-not org-roam-db-autosync-mode)
              (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                             '("Same title" "Store One" "Store Two")))
              (ai-kb-switch-to-personal)
              (should-not org-roam-db-autosync-mode)
              (should-not ran))
          (remove-hook 'org-roam-db-autosync-mode-hook hook))))))

;;;; Guard 5: hooks of buffers

(ert-deftest ai-kb-switch-test--a-personal-buffer-works-for-its-own-roam ()
  "A personal buffer saved while switched is indexed where it belongs."
  (ai-kb-roam-test-with-roams
    (let ((buffer (ai-kb-roam-test-visit (ai-kb-roam-test-personal "a.org"))))
      (ai-kb-switch-to-ai-kb)
      (should-not (ai-kb-roam-test-org-roam-functions buffer))
      (ai-kb-roam-test-append buffer (format "* Sub\n:PROPERTIES:\n:ID: %s\n:END:\n"
                                             (ai-kb-roam-test-id 9)))
      (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                     '("Same title" "Store One" "Store Two")))
      (should (member "Sub" (ai-kb-roam-test-titles ai-kb-roam-test-personal-db)))
      (ai-kb-switch-to-personal)
      (should (memq 'org-roam-db-autosync--try-update-on-save-h
                    (buffer-local-value 'after-save-hook buffer))))))

(ert-deftest ai-kb-switch-test--local-hooks-come-back-by-identity ()
  "The local hooks of open buffers are `eq' to what they were."
  (ai-kb-roam-test-with-roams
    (let* ((buffers (list (ai-kb-roam-test-visit (ai-kb-roam-test-personal "a.org"))
                          (ai-kb-roam-test-visit (ai-kb-roam-test-store "one.org"))))
           (hooks (append ai-kb-scope-save-hooks ai-kb-scope-view-hooks))
           (values (lambda ()
                     (cl-loop for buffer in buffers append
                              (mapcar (lambda (hook)
                                        (ai-kb-roam-test-local-value hook buffer))
                                      hooks))))
           (before (funcall values)))
      (ai-kb-switch-to-ai-kb)
      (should-not (equal before (funcall values)))
      (ai-kb-switch-to-personal)
      (should (equal before (funcall values)))
      (should (cl-every #'eq before (funcall values))))))

(ert-deftest ai-kb-switch-test--hooks-added-meanwhile-stay ()
  "What the person adds to a hook while switched is still there after."
  (ai-kb-roam-test-with-roams
    (let ((buffer (ai-kb-roam-test-visit (ai-kb-roam-test-personal "a.org"))))
      (ai-kb-switch-to-ai-kb)
      (with-current-buffer buffer (add-hook 'after-save-hook #'ignore nil t))
      (add-hook 'org-after-todo-state-change-hook #'ignore)
      (ai-kb-switch-to-personal)
      (let ((local (buffer-local-value 'after-save-hook buffer)))
        (should (memq #'ignore local))
        (should (memq 'org-roam-db-autosync--try-update-on-save-h local)))
      (should (memq #'ignore org-after-todo-state-change-hook))
      (should (= 2 (length org-after-todo-state-change-hook))))))

(ert-deftest ai-kb-switch-test--an-open-store-buffer-works-for-the-store ()
  "A buffer of the store opened before the switch is indexed after saving."
  (ai-kb-roam-test-with-roams
    (let ((buffer (ai-kb-roam-test-visit (ai-kb-roam-test-store "one.org"))))
      (ai-kb-roam-test-should-leave-personal
        (should-not (ai-kb-roam-test-org-roam-functions buffer))
        (ai-kb-switch-to-ai-kb)
        (ai-kb-roam-test-append buffer (format "* Sub\n:PROPERTIES:\n:ID: %s\n:END:\n"
                                               (ai-kb-roam-test-id 109)))
        (should (member "Sub" (ai-kb-roam-test-titles ai-kb-db-location)))
        (ai-kb-switch-to-personal)
        (should-not (ai-kb-roam-test-org-roam-functions buffer))
        ;; And no longer, once the person is back.
        (ai-kb-roam-test-append buffer "More.\n")
        (should-not (member "Sub" (ai-kb-roam-test-titles
                                   ai-kb-roam-test-personal-db)))))))

(ert-deftest ai-kb-switch-test--files-visited-meanwhile-belong-where-they-lie ()
  "A personal and a store file visited while switched each know their roam."
  (ai-kb-roam-test-with-roams
    (ai-kb-switch-to-ai-kb)
    (let ((personal (ai-kb-roam-test-visit (ai-kb-roam-test-personal "a.org")))
          (store (ai-kb-roam-test-visit (ai-kb-roam-test-store "one.org"))))
      (ai-kb-roam-test-append personal (format "* P\n:PROPERTIES:\n:ID: %s\n:END:\n"
                                               (ai-kb-roam-test-id 8)))
      (ai-kb-roam-test-append store (format "* S\n:PROPERTIES:\n:ID: %s\n:END:\n"
                                            (ai-kb-roam-test-id 108)))
      (should (member "P" (ai-kb-roam-test-titles ai-kb-roam-test-personal-db)))
      (should-not (member "S" (ai-kb-roam-test-titles ai-kb-roam-test-personal-db)))
      (should (member "S" (ai-kb-roam-test-titles ai-kb-db-location)))
      (should-not (member "P" (ai-kb-roam-test-titles ai-kb-db-location)))
      (ai-kb-switch-to-personal)
      (should (memq 'org-roam-db-autosync--try-update-on-save-h
                    (buffer-local-value 'after-save-hook personal)))
      (should-not (ai-kb-roam-test-org-roam-functions store)))))

(ert-deftest ai-kb-switch-test--a-reverted-personal-buffer-stays-personal ()
  "Reverting while switched does not hand a buffer to the store."
  (ai-kb-roam-test-with-roams
    (let ((buffer (ai-kb-roam-test-visit (ai-kb-roam-test-personal "a.org"))))
      (ai-kb-switch-to-ai-kb)
      (with-current-buffer buffer (revert-buffer t t))
      (should-not (ai-kb-roam-test-org-roam-functions buffer))
      (ai-kb-roam-test-append buffer "More.\n")
      (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                     '("Same title" "Store One" "Store Two")))
      (ai-kb-switch-to-personal)
      (should (= 1 (cl-count 'org-roam-db-autosync--try-update-on-save-h
                             (buffer-local-value 'after-save-hook buffer))))
      (should-not (cl-some (lambda (function)
                             (gethash function ai-kb-scope--originals))
                           (buffer-local-value 'after-save-hook buffer))))))

(ert-deftest ai-kb-switch-test--moved-files-move-in-their-own-database ()
  "Deleting and renaming personal files while switched is the person's own."
  (ai-kb-roam-test-with-roams
    (ai-kb-switch-to-ai-kb)
    (delete-file (ai-kb-roam-test-personal "a.org"))
    (rename-file (ai-kb-roam-test-personal "same.org") (ai-kb-roam-test-personal "s.org"))
    (should (equal (ai-kb-roam-test-titles ai-kb-roam-test-personal-db)
                   '("Personal B" "Same title")))
    (should (equal (ai-kb-roam-test-query
                    ai-kb-roam-test-personal-db
                    [:select file :from nodes :where (= title "Same title")])
                   (list (list (ai-kb-roam-test-personal "s.org")))))
    (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                   '("Same title" "Store One" "Store Two")))))

;;;; roam: links

(ert-deftest ai-kb-switch-test--roam-links-are-resolved-in-their-own-roam ()
  "A `roam:' link of a personal note never becomes an id of the store."
  (ai-kb-roam-test-with-roams
    (let ((buffer (ai-kb-roam-test-visit (ai-kb-roam-test-personal "a.org"))))
      (ai-kb-switch-to-ai-kb)
      (ai-kb-roam-test-append buffer "[[roam:Same title]] [[roam:Store One]]\n")
      (let ((text (ai-kb-roam-test-read (ai-kb-roam-test-personal "a.org"))))
        (should (string-match-p (concat "id:" (ai-kb-roam-test-id 3)) text))
        (should-not (string-match-p (ai-kb-roam-test-id 103) text))
        (should-not (string-match-p (ai-kb-roam-test-id 101) text))
        (should (string-match-p "\\[\\[roam:Store One\\]\\]" text))))))

;;;; Guard 8: views, histories, templates, dailies, ids

(ert-deftest ai-kb-switch-test--views-are-closed-both-ways ()
  "No buffer shows a node of the roam that is left."
  (ai-kb-roam-test-with-roams
    (let ((show (lambda (id)
                  (org-roam-buffer-display-dedicated (org-roam-node-from-id id))
                  (with-current-buffer (get-buffer-create org-roam-buffer)
                    (setq org-roam-buffer-current-node (org-roam-node-from-id id)
                          org-roam-buffer-current-directory org-roam-directory)
                    (org-roam-buffer-render-contents))))
          (views (lambda ()
                   (cl-count 'org-roam-mode (buffer-list)
                             :key (lambda (buffer)
                                    (buffer-local-value 'major-mode buffer))))))
      (save-window-excursion
        (funcall show (ai-kb-roam-test-id 1))
        (should (= 2 (funcall views)))
        (ai-kb-switch-to-ai-kb)
        (should (= 0 (funcall views)))
        (should-not org-roam-buffer-current-node)
        (funcall show (ai-kb-roam-test-id 102))
        (should (= 2 (funcall views)))
        (should (string-match-p "Store One"
                                (with-current-buffer org-roam-buffer
                                  (buffer-string))))
        (ai-kb-switch-to-personal)
        (should (= 0 (funcall views)))
        (should-not org-roam-buffer-current-node)))))

(ert-deftest ai-kb-switch-test--each-roam-has-its-own-histories ()
  "Searches of one roam are not offered in the other."
  (ai-kb-roam-test-with-roams
    (let ((personal org-roam-node-history))
      (ai-kb-switch-to-ai-kb)
      (should-not org-roam-node-history)
      (setq org-roam-node-history (list "a search in the store"))
      (ai-kb-switch-to-personal)
      (should (eq org-roam-node-history personal))
      (ai-kb-switch-to-ai-kb)
      (should (equal org-roam-node-history '("a search in the store"))))))

(ert-deftest ai-kb-switch-test--captures-use-the-store-s-templates ()
  "A template with a personal absolute path is out of the way."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'org-roam-capture-templates
                         `(("d" "mine" plain "%?"
                            :target (file+head ,(ai-kb-roam-test-personal "mine.org")
                                               "#+title: ${title}\n"))))
    (ai-kb-roam-test-should-leave-personal
      (ai-kb-switch-to-ai-kb)
      (save-window-excursion
        (org-roam-capture- :node (org-roam-node-create :title "Fresh idea"))
        (org-capture-finalize))
      (let ((file (car (directory-files (ai-kb-roam-test-store) t "-fresh_idea"))))
        (should file)
        (should (string-match-p
                 (concat "\\`:PROPERTIES:\n\\(?::.*\n\\)*:ID: .*\n"
                         "\\(?::.*\n\\)*:END:\n#\\+title: Fresh idea\n")
                 (ai-kb-roam-test-read file)))
        (should (member "Fresh idea"
                        (ai-kb-roam-test-titles ai-kb-db-location)))))))

(ert-deftest ai-kb-switch-test--dailies-stay-personal ()
  "With a relative or an absolute directory, a daily is a personal note."
  (dolist (directory '("daily/" absolute))
    (ai-kb-roam-test-with-roams
      (let ((directory (if (eq directory 'absolute)
                           (concat ai-kb-roam-test-root "roam/journal/")
                         directory)))
        (make-directory (ai-kb-roam-test-personal "journal"))
        (ai-kb-roam-test-set 'org-roam-dailies-directory directory)
        (ai-kb-switch-to-ai-kb)
        (save-window-excursion
          (org-roam-dailies-capture-today)
          (insert "Dear diary")
          (org-capture-finalize))
        (should (string-match-p
                 "Dear diary"
                 (ai-kb-roam-test-read
                  (ai-kb-roam-test-today
                   (expand-file-name directory (ai-kb-roam-test-personal))))))
        (should (member (format-time-string "%Y-%m-%d")
                        (ai-kb-roam-test-titles ai-kb-roam-test-personal-db)))
        (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                       '("Same title" "Store One" "Store Two")))
        (should (equal (directory-files (ai-kb-roam-test-store) nil "\\`[^.]")
                       '("one.org" "same.org" "two.org")))
        (ai-kb-switch-to-personal)
        (should (eq org-roam-dailies-directory directory))))))

(ert-deftest ai-kb-switch-test--dailies-may-be-the-store-s ()
  "With the option set, an absolute personal directory is left all the same."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'org-roam-dailies-directory (ai-kb-roam-test-personal "daily/")
                         'ai-kb-dailies-directory "days/")
    (make-directory (ai-kb-roam-test-store "days"))
    (ai-kb-roam-test-should-leave-personal
      (ai-kb-switch-to-ai-kb)
      (save-window-excursion
        (org-roam-dailies-capture-today)
        (org-capture-finalize))
      (should (file-exists-p (ai-kb-roam-test-today (ai-kb-roam-test-store "days/")))))))

(ert-deftest ai-kb-switch-test--ids-of-the-store-stay-out ()
  "The person's places of ids learn nothing of the store, but of all else."
  (ai-kb-roam-test-with-roams
    (org-id-add-location "personal-id" (ai-kb-roam-test-personal "a.org"))
    (let ((places org-id-locations)
          (files org-id-files))
      (ai-kb-switch-to-ai-kb)
      (should (gethash "personal-id" org-id-locations))
      (org-id-add-location "store-id" (ai-kb-roam-test-store "one.org"))
      (ai-kb-switch-to-personal)
      (should (eq org-id-locations places))
      (should (eq org-id-files files))
      (should-not (gethash "store-id" places))
      (ai-kb-switch-to-ai-kb)
      (org-id-add-location "late-id" (ai-kb-roam-test-personal "b.org"))
      (ai-kb-switch-to-personal)
      (should (eq org-id-locations places))
      (should (gethash "late-id" places))
      (should (member (abbreviate-file-name (ai-kb-roam-test-personal "b.org"))
                      org-id-files)))))

;;;; Guard 9: stale, modified and narrowed buffers

(ert-deftest ai-kb-switch-test--a-stale-buffer-is-reverted ()
  "An unmodified buffer of the store shows the new text, narrowed as before."
  (ai-kb-roam-test-with-roams
    (let ((buffer (ai-kb-roam-test-visit (ai-kb-roam-test-store "two.org"))))
      (with-current-buffer buffer
        (goto-char (point-min))
        (search-forward "* TODO")
        (narrow-to-region (line-beginning-position) (line-end-position)))
      (ai-kb-roam-test-write (ai-kb-roam-test-store "two.org")
                             (ai-kb-roam-test-node 102 "Store Two, new" "* TODO Re-read"))
      (set-file-times (ai-kb-roam-test-store "two.org")
                      (time-add (current-time) 10))
      (ai-kb-roam-test-should-leave-personal
        (ai-kb-switch-to-ai-kb)
        (with-current-buffer buffer
          (should (buffer-narrowed-p))
          (should (equal (buffer-string) "* TODO Re-read"))
          (widen)
          (should (string-match-p "Store Two, new" (buffer-string))))
        (should (member "Store Two, new"
                        (ai-kb-roam-test-titles ai-kb-db-location)))))))

(ert-deftest ai-kb-switch-test--a-narrowed-buffer-is-indexed-whole ()
  "Narrowing an unmodified buffer hides nothing from the database."
  (ai-kb-roam-test-with-roams
    (with-current-buffer (ai-kb-roam-test-visit (ai-kb-roam-test-store "one.org"))
      (narrow-to-region (point-max) (point-max))
      (ai-kb-switch-to-ai-kb)
      (should (buffer-narrowed-p)))
    (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                   '("Same title" "Store One" "Store Two")))))

(ert-deftest ai-kb-switch-test--a-modified-buffer-is-never-saved ()
  "Unsaved text stays unsaved, is named, and is not asked about."
  (dolist (behind '(nil t))
    (ai-kb-roam-test-with-roams
      (let ((buffer (ai-kb-roam-test-visit (ai-kb-roam-test-store "one.org")))
            (personal (ai-kb-roam-test-visit (ai-kb-roam-test-personal "a.org"))))
        (dolist (each (list buffer personal))
          (with-current-buffer each
            (goto-char (point-max))
            (insert "Not yet.\n")))
        (when behind
          (ai-kb-roam-test-write (ai-kb-roam-test-store "one.org")
                                 (ai-kb-roam-test-node 101 "Store One, new"))
          (set-file-times (ai-kb-roam-test-store "one.org")
                          (time-add (current-time) 10)))
        (ai-kb-roam-test-should-leave-personal
          (let ((disk (ai-kb-roam-test-read (ai-kb-roam-test-store "one.org")))
                (inhibit-interaction t))
            (should (string-match-p
                     "unsaved, so indexed as on disk: one.org$"
                     (ai-kb-roam-test-echo #'ai-kb-switch-to-ai-kb)))
            (should (equal disk (ai-kb-roam-test-read (ai-kb-roam-test-store "one.org"))))
            (should (buffer-modified-p buffer))
            (should (buffer-modified-p personal))
            (should (string-match-p "Not yet" (with-current-buffer buffer
                                                (buffer-string))))
            (should (member (if behind "Store One, new" "Store One")
                            (ai-kb-roam-test-titles ai-kb-db-location)))
            (ai-kb-switch-to-personal)
            (should (buffer-modified-p personal))))))))

;;; ai-kb-switch-buffer-test.el ends here
