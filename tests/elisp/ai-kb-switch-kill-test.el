;;; ai-kb-switch-kill-test.el --- Nothing of the store outlives an Emacs  -*- lexical-binding: t -*-

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

;; Guard 11.  Each test ends another Emacs while the knowledge base is
;; on, and looks at the files that it left.

;;; Code:

(require 'ai-kb-roam-test-helper)

(defconst ai-kb-roam-test-person-with-savers
  '((require 'savehist)
    (require 'desktop)
    (setq savehist-file (concat ai-kb-roam-test-root "history")
          savehist-additional-variables '(org-roam-node-history
                                          org-roam-directory)
          desktop-globals-to-save '(org-roam-directory org-roam-node-history)
          ;; -Q is otherwise a reason not to save.
          init-file-user ""
          user-init-file (concat ai-kb-roam-test-root "init.el")
          custom-file (concat ai-kb-roam-test-root "custom.el"))
    (ai-kb-roam-test-configure)
    (savehist-mode 1)
    (setq savehist-loaded t)
    ;; As in an Emacs that is not in batch mode.
    (add-hook 'kill-emacs-hook 'org-id-locations-save)
    (org-id-add-location "personal-id" (ai-kb-roam-test-personal "a.org")))
  "A person whose Emacs keeps values in files.")

(defconst ai-kb-roam-test-busy-in-the-store
  '((ai-kb-switch-to-ai-kb)
    (push "a search in the store" org-roam-node-history)
    (org-id-add-location "store-id" (ai-kb-roam-test-store "one.org"))
    (org-id-add-location "late-id" (ai-kb-roam-test-personal "b.org")))
  "What a person does with the knowledge base on.")

(defun ai-kb-roam-test-should-have-kept-out (&rest files)
  "Check that FILES hold the person's values and none of the store's."
  (dolist (file files)
    (let ((text (ai-kb-roam-test-read (concat ai-kb-roam-test-root file))))
      (should-not (string-match-p
                   "kb/\\|store-id\\|a search in the store\\|org-roam-ai" text)))))

(ert-deftest ai-kb-switch-test--killing-emacs-persists-nothing-switched ()
  "Ending Emacs while switched writes the person's values."
  (ai-kb-roam-test-with-roams
    (org-roam-db-autosync-mode -1)
    (ai-kb-roam-test-should-leave-personal
      (apply #'ai-kb-roam-test-emacs
             `(,@ai-kb-roam-test-person-with-savers
               ,@ai-kb-roam-test-busy-in-the-store
               (customize-save-variable 'fill-column 71)
               (kill-emacs 0))))
    (ai-kb-roam-test-should-have-kept-out "history" "ids" "custom.el")
    (should (string-match-p "an old search"
                            (ai-kb-roam-test-read (concat ai-kb-roam-test-root "history"))))
    (should (string-match-p "71" (ai-kb-roam-test-read
                                  (concat ai-kb-roam-test-root "custom.el"))))
    (let ((ids (ai-kb-roam-test-read (concat ai-kb-roam-test-root "ids"))))
      (should (string-match-p "personal-id" ids))
      (should (string-match-p "late-id" ids)))))

(ert-deftest ai-kb-switch-test--saving-meanwhile-persists-nothing-switched ()
  "What Emacs writes now and then while switched are the person's values."
  (ai-kb-roam-test-with-roams
    (org-roam-db-autosync-mode -1)
    (apply #'ai-kb-roam-test-emacs
           `(,@ai-kb-roam-test-person-with-savers
             ,@ai-kb-roam-test-busy-in-the-store
             (savehist-save)
             (org-id-locations-save)
             (desktop-save ai-kb-roam-test-root)
             ;; The store is still on.
             (unless (and (equal org-roam-directory (ai-kb-roam-test-store))
                          (gethash "store-id" org-id-locations)
                          (equal org-roam-node-history
                                 '("a search in the store")))
               (error "Not switched any more"))
             ;; The machine goes down.
             (signal-process (emacs-pid) (quote SIGKILL))))
    (ai-kb-roam-test-should-have-kept-out "history" "ids" ".emacs.desktop")
    (should (string-match-p "late-id" (ai-kb-roam-test-read
                                       (concat ai-kb-roam-test-root "ids"))))
    (should (string-match-p "roam/" (ai-kb-roam-test-read
                                     (concat ai-kb-roam-test-root
                                             ".emacs.desktop"))))))

(ert-deftest ai-kb-switch-test--savers-are-themselves-again ()
  "After switching back the functions that write files are not advised."
  (ai-kb-roam-test-with-roams
    (require 'savehist)
    (let ((before (mapcar #'symbol-function
                          '(savehist-save org-id-locations-save))))
      (ai-kb-switch-to-ai-kb)
      (ai-kb-switch-to-personal)
      (should (cl-every #'eq before
                        (mapcar #'symbol-function
                                '(savehist-save org-id-locations-save)))))))

;;; ai-kb-switch-kill-test.el ends here
