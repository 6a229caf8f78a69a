;;; ai-kb-switch-guard-test.el --- The switch refuses, and restores after a failure  -*- lexical-binding: t -*-

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

(defmacro ai-kb-roam-test-should-refuse (reason &rest body)
  "Check that BODY is refused for REASON, a regexp, without any effect."
  (declare (indent 1) (debug t))
  `(let ((values (mapcar #'default-toplevel-value ai-kb-roam-test-variables))
         (message (ai-kb-roam-test-error (lambda () ,@body))))
     (should (string-match-p ,reason (or message "it was not refused")))
     (should-not (ai-kb-switch-active-p))
     (should (cl-every #'eq values (mapcar #'default-toplevel-value
                                           ai-kb-roam-test-variables)))))

;;;; Guard 1: not now

(ert-deftest ai-kb-switch-test--refuses-in-a-minibuffer ()
  "An open minibuffer is named as the reason."
  (ai-kb-roam-test-with-roams
    (with-current-buffer (window-buffer (minibuffer-window))
      (ai-kb-roam-test-should-refuse "minibuffer" (ai-kb-switch-to-ai-kb)))))

(ert-deftest ai-kb-switch-test--refuses-while-a-capture-is-pending ()
  "A pending capture is named, in both directions."
  (ai-kb-roam-test-with-roams
    (let ((capture (lambda ()
                     (org-roam-capture-
                      :node (org-roam-node-create :title "Half a thought")
                      :templates org-roam-capture-templates))))
      (save-window-excursion
        (funcall capture)
        (ai-kb-roam-test-should-refuse "capture is pending in CAPTURE-"
          (ai-kb-switch-to-ai-kb))
        (cl-letf (((symbol-function 'yes-or-no-p) #'always))
          (org-capture-kill)))
      (ai-kb-switch-to-ai-kb)
      (save-window-excursion
        (funcall capture)
        (should (string-match-p "capture is pending"
                                (ai-kb-roam-test-error #'ai-kb-switch-to-personal)))
        (should (ai-kb-switch-active-p))
        (should (equal org-roam-directory (ai-kb-roam-test-store)))
        (cl-letf (((symbol-function 'yes-or-no-p) #'always))
          (org-capture-kill)))
      (ai-kb-switch-to-personal))))

(ert-deftest ai-kb-switch-test--refuses-when-let-bound ()
  "Let-bound variables are named."
  (ai-kb-roam-test-with-roams
    (let ((org-roam-directory (ai-kb-roam-test-personal "daily/"))
          (org-roam-node-history '("other")))
      (should (string-match-p
               "let-bound.*`org-roam-directory'.*`org-roam-node-history'"
               (ai-kb-roam-test-error #'ai-kb-switch-to-ai-kb)))
      (should (equal org-roam-directory (ai-kb-roam-test-personal "daily/"))))
    (should (equal org-roam-directory (ai-kb-roam-test-personal)))
    (should-not (ai-kb-switch-active-p))))

(ert-deftest ai-kb-switch-test--takes-back-when-let-bound-to-the-same-value ()
  "A binding that cannot be seen beforehand is seen in time."
  (ai-kb-roam-test-with-roams
    (let ((directory org-roam-directory))
      (let ((org-roam-directory org-roam-directory))
        (should (string-match-p "let-bound"
                                (ai-kb-roam-test-error #'ai-kb-switch-to-ai-kb)))
        (should (eq org-roam-directory directory)))
      (should (eq org-roam-directory directory))
      (should (equal org-roam-db-location ai-kb-roam-test-personal-db))
      (should-not (ai-kb-switch-active-p)))))

(ert-deftest ai-kb-switch-test--tells-all-reasons-at-once ()
  "Two reasons come in one message."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'ai-kb-directory (concat ai-kb-roam-test-root "nowhere/")
                         'ai-kb-db-location ai-kb-roam-test-personal-db)
    (ai-kb-roam-test-should-refuse "no store at .*; .*are one file"
      (ai-kb-switch-to-ai-kb))))

;;;; Guard 2: not there

(ert-deftest ai-kb-switch-test--refuses-a-missing-store ()
  "A missing store is named and not made."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-should-leave-personal
      (ai-kb-roam-test-set 'ai-kb-directory (concat ai-kb-roam-test-root "nowhere/"))
      (ai-kb-roam-test-should-refuse "no store at .*nowhere"
        (ai-kb-switch-to-ai-kb))
      (should-not (file-exists-p ai-kb-directory)))))

(ert-deftest ai-kb-switch-test--refuses-directories-that-overlap ()
  "The two roams may be neither one nor inside each other, links or not."
  (ai-kb-roam-test-with-roams
    (let ((link (concat ai-kb-roam-test-root "link")))
      (make-symbolic-link (ai-kb-roam-test-personal) link)
      (make-directory (ai-kb-roam-test-personal "kb"))
      (ai-kb-roam-test-set 'ai-kb-directory link)
      (ai-kb-roam-test-should-refuse "one directory" (ai-kb-switch-to-ai-kb))
      (ai-kb-roam-test-set 'ai-kb-directory (concat link "/kb"))
      (ai-kb-roam-test-should-refuse "store lies inside" (ai-kb-switch-to-ai-kb))
      (ai-kb-roam-test-set 'ai-kb-directory (directory-file-name ai-kb-roam-test-root))
      (ai-kb-roam-test-should-refuse "lies inside the store"
        (ai-kb-switch-to-ai-kb)))))

(ert-deftest ai-kb-switch-test--a-shared-name-is-no-overlap ()
  "A directory whose name begins like the other's is another directory."
  (ai-kb-roam-test-with-roams
    (let ((beside (concat ai-kb-roam-test-root "roam-ai")))
      (rename-file (directory-file-name (ai-kb-roam-test-store)) beside)
      (ai-kb-roam-test-set 'ai-kb-directory beside)
      (ai-kb-switch-to-ai-kb)
      (should (equal org-roam-directory (concat beside "/"))))))

(ert-deftest ai-kb-switch-test--links-and-missing-slashes-are-resolved ()
  "The store is known by its true name with a final slash (guard 2)."
  (ai-kb-roam-test-with-roams
    (let ((link (concat ai-kb-roam-test-root "link")))
      (make-symbolic-link (ai-kb-roam-test-store) link)
      (make-directory (concat ai-kb-roam-test-root "kb-other"))
      (ai-kb-roam-test-set 'ai-kb-directory link
                           'org-roam-directory
                           (directory-file-name (ai-kb-roam-test-personal)))
      (ai-kb-roam-test-should-leave-personal
        (let ((form org-roam-directory))
          (ai-kb-switch-to-ai-kb)
          (should (equal org-roam-directory (ai-kb-roam-test-store)))
          (should (org-roam-file-p (ai-kb-roam-test-store "one.org")))
          (should-not (org-roam-file-p
                       (concat ai-kb-roam-test-root "kb-other/x.org")))
          (should (ai-kb-core-store-buffer-p
                   (ai-kb-roam-test-visit (concat link "/one.org"))))
          (ai-kb-switch-to-personal)
          (should (eq org-roam-directory form)))))))

(ert-deftest ai-kb-switch-test--refuses-one-database-for-both ()
  "The person's database is never the store's, links or not."
  (ai-kb-roam-test-with-roams
    (let ((link (concat ai-kb-roam-test-root "link.db")))
      (make-symbolic-link ai-kb-roam-test-personal-db link)
      (ai-kb-roam-test-set 'ai-kb-db-location link)
      (ai-kb-roam-test-should-leave-personal
        (ai-kb-roam-test-should-refuse "are one file" (ai-kb-switch-to-ai-kb))))))

;;;; Guard 4: buffers with a roam of their own

(ert-deftest ai-kb-switch-test--reports-buffer-local-roams ()
  "A buffer with a roam of its own keeps it, and is named."
  (ai-kb-roam-test-with-roams
    (let ((other (ai-kb-roam-test-personal "daily/")))
      (with-current-buffer (get-buffer-create "own roam")
        (setq-local org-roam-directory other)
        (should (string-match-p "a roam of their own have: own roam"
                                (ai-kb-roam-test-echo #'ai-kb-switch-to-ai-kb)))
        (should (equal org-roam-directory other)))
      (should (equal org-roam-directory (ai-kb-roam-test-store)))
      (ai-kb-switch-to-personal)
      (should (equal org-roam-directory (ai-kb-roam-test-personal))))))

(ert-deftest ai-kb-switch-test--switches-from-a-buffer-with-its-own-roam ()
  "Called where the variables are local, the top-level values change."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-should-leave-personal
      (with-temp-buffer
        (setq-local org-roam-directory (ai-kb-roam-test-personal))
        (setq-local org-roam-db-location ai-kb-roam-test-personal-db)
        (ai-kb-switch-to-ai-kb)
        (should (equal (default-value 'org-roam-directory) (ai-kb-roam-test-store)))
        (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                       '("Same title" "Store One" "Store Two")))
        (ai-kb-switch-to-personal)
        (should (equal (default-value 'org-roam-directory)
                       (ai-kb-roam-test-personal)))))))

;;;; Guard 6: half-way

(defconst ai-kb-roam-test-steps
  '(ai-kb-autosync-disconnect ai-kb-switch--close-views
                              ai-kb-switch--set-variables ai-kb-scope-hide-hooks
                              ai-kb-autosync-watch-files ai-kb-keep-hold-savers ai-kb-autosync-connect
                              ai-kb-switch--show-lighter ai-kb-switch--revert-stale ai-kb-sync-now)
  "The steps of the switch.")

(defun ai-kb-roam-test-everything ()
  "Return all values that the switch may touch, for `eq'."
  (append (mapcar #'default-toplevel-value
                  (remq 'ai-kb-switch--histories ai-kb-roam-test-variables))
          (mapcar #'symbol-function '(rename-file delete-file))
          (cl-loop for buffer in (buffer-list)
                   when (buffer-file-name buffer)
                   append (cl-loop for hook in (append ai-kb-scope-save-hooks
                                                       ai-kb-scope-view-hooks)
                                   collect (ai-kb-roam-test-local-value hook buffer)))))

(ert-deftest ai-kb-switch-test--an-error-half-way-restores-everything ()
  "Whatever step fails, before or after its work, all is as it was."
  (dolist (step ai-kb-roam-test-steps)
    (dolist (where '(before after))
      (ai-kb-roam-test-with-roams
        (ai-kb-roam-test-visit (ai-kb-roam-test-personal "a.org"))
        (ai-kb-roam-test-should-leave-personal
          (let ((before (ai-kb-roam-test-everything))
                (original (symbol-function step))
                message)
            (cl-letf (((symbol-function step)
                       (lambda (&rest args)
                         ;; The way back may take the same step.
                         (fset step original)
                         (when (eq where 'after) (apply original args))
                         (error "Broken pipe"))))
              (setq message (ai-kb-roam-test-error #'ai-kb-switch-to-ai-kb)))
            (should (string-match-p "as before: Broken pipe" message))
            (should (cl-every #'eq before (ai-kb-roam-test-everything)))
            (should-not (ai-kb-switch-active-p))
            (should-not ai-kb-scope--undo)
            (should org-roam-db-autosync-mode)
            (should (equal "Personal A"
                           (org-roam-node-title
                            (org-roam-node-from-id (ai-kb-roam-test-id 1)))))))))))

(ert-deftest ai-kb-switch-test--quitting-restores-everything ()
  "Pressing `C-g' in the middle is an error like any other."
  (ai-kb-roam-test-with-roams
    (let ((before (ai-kb-roam-test-everything)))
      (cl-letf (((symbol-function 'ai-kb-sync-now)
                 (lambda (&rest _) (signal 'quit nil))))
        (should-error (ai-kb-switch-to-ai-kb) :type 'ai-kb-switch-error))
      (should (cl-every #'eq before (ai-kb-roam-test-everything)))
      (should-not (ai-kb-switch-active-p)))))

(ert-deftest ai-kb-switch-test--one-failing-way-back-keeps-no-other ()
  "A step that cannot be taken back is named; the others are taken back."
  (ai-kb-roam-test-with-roams
    (ai-kb-switch-to-ai-kb)
    (ai-kb-scope-push-undo "sand" (lambda () (error "Grit in the gears")))
    (should (string-match-p "sand: Grit in the gears"
                            (ai-kb-roam-test-error #'ai-kb-switch-to-personal)))
    (should-not (ai-kb-switch-active-p))
    (should (equal org-roam-directory (ai-kb-roam-test-personal)))
    (should org-roam-db-autosync-mode)))

;;; ai-kb-switch-guard-test.el ends here
