;;; ai-kb-switch-property-test.el --- Any hour of a person, with and without ai-kb  -*- lexical-binding: t -*-

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

;; One random hour is lived twice: once with fifty switches and the
;; edits of agents and of the person in the store, once without them.
;; The person's files and the rows of their database are the same.

;;; Code:

(require 'ai-kb-roam-test-helper)

(defvar ai-kb-roam-test-seed nil "The seed of the running hour.")

(defun ai-kb-roam-test-random-number (limit)
  "Return the next number below LIMIT of the hour's own random numbers."
  (setq ai-kb-roam-test-seed (mod (+ (* ai-kb-roam-test-seed 1103515245) 12345) 2147483648))
  (mod (/ ai-kb-roam-test-seed 65536) limit))

(defun ai-kb-roam-test-random-choice (list)
  "Return an element of LIST."
  (nth (ai-kb-roam-test-random-number (length list)) list))

(defconst ai-kb-roam-test-personal-acts
  '(append link roam-link task complete visit kill new delete rename revert
           daily)
  "What a person does in their own roam.")

(defconst ai-kb-roam-test-store-acts
  '(switch switch switch switch back back back back agent-write agent-new
           agent-delete edit task narrow leave-unsaved sync view)
  "What happens to the knowledge base.")

(defun ai-kb-roam-test-plan (number)
  "Return a random hour, NUMBER times to and fro.
It is a list of (ROAM ACT INDEX NUMBER)."
  (let ((active nil)
        (count 0)
        (index 0)
        acts)
    (while (< count number)
      (let* ((roam (ai-kb-roam-test-random-choice '(personal store)))
             (act (ai-kb-roam-test-random-choice
                   (if (eq roam 'personal)
                       ai-kb-roam-test-personal-acts
                     ai-kb-roam-test-store-acts))))
        (push (list roam act (cl-incf index) (ai-kb-roam-test-random-number 1000))
              acts)
        (when (eq act (if active 'back 'switch))
          (setq active (not active))
          (cl-incf count))))
    (nreverse acts)))

(defun ai-kb-roam-test-pick (directory number)
  "Return a note in DIRECTORY, chosen by NUMBER."
  (let ((files (directory-files directory t "\\`[^.].*\\.org\\'")))
    (nth (mod number (length files)) files)))

(defun ai-kb-roam-test-type (file text)
  "Visit FILE, type TEXT at its end and save it."
  (with-current-buffer (ai-kb-roam-test-visit file)
    (widen)
    (goto-char (point-max))
    (unless (bolp) (insert "\n"))
    (insert text)
    (save-buffer)))

(defun ai-kb-roam-test-do-personal (act index number)
  "Do ACT, the one with INDEX in the hour, in the person's roam.
NUMBER chooses the note."
  (let ((file (ai-kb-roam-test-pick (ai-kb-roam-test-personal) number)))
    (pcase act
      ('append (ai-kb-roam-test-type file (format "Line %d\n" index)))
      ('link (ai-kb-roam-test-type file (concat (ai-kb-roam-test-link 1) "\n")))
      ('roam-link (ai-kb-roam-test-type
                   file "[[roam:Same title]] and [[roam:Store Two]]\n"))
      ('task (ai-kb-roam-test-type file (format "* TODO Task %d\n" index)))
      ('complete (let ((buffer (ai-kb-roam-test-visit file)))
                   (when (with-current-buffer buffer
                           (save-excursion
                             (goto-char (point-min))
                             (re-search-forward "^\\*+ TODO " nil t)))
                     (ai-kb-roam-test-complete buffer))))
      ('visit (ai-kb-roam-test-visit file))
      ('kill (kill-buffer (ai-kb-roam-test-visit file)))
      ('new (ai-kb-roam-test-type
             (ai-kb-roam-test-personal (format "new%d.org" index))
             (ai-kb-roam-test-node (+ 1000 index) (format "New %d" index)
                                   (ai-kb-roam-test-link 2))))
      ('delete (unless (string-match-p "/\\(?:a\\|same\\)\\.org\\'" file)
                 (when-let ((buffer (find-buffer-visiting file)))
                   (kill-buffer buffer))
                 (delete-file file)))
      ('rename (unless (string-match-p "/\\(?:a\\|same\\)\\.org\\'" file)
                 (when-let ((buffer (find-buffer-visiting file)))
                   (kill-buffer buffer))
                 (rename-file file (ai-kb-roam-test-personal
                                    (format "moved%d.org" index)))))
      ('revert (with-current-buffer (ai-kb-roam-test-visit file)
                 (revert-buffer t t)))
      ('daily (save-window-excursion
                (org-roam-dailies-capture-today)
                (insert (format "Entry %d" index))
                (org-capture-finalize))))))

(defun ai-kb-roam-test-do-store (act index number)
  "Do ACT, the one with INDEX in the hour, to the knowledge base.
NUMBER chooses the note."
  (let ((file (ai-kb-roam-test-pick (ai-kb-roam-test-store) number)))
    (pcase act
      ('switch (ai-kb-switch-to-ai-kb))
      ('back (ai-kb-switch-to-personal))
      ('agent-write (ai-kb-roam-test-write
                     file (concat (ai-kb-roam-test-read file)
                                  (format "* By an agent %d\n" index))))
      ('agent-new (ai-kb-roam-test-write
                   (ai-kb-roam-test-store (format "agent%d.org" index))
                   (ai-kb-roam-test-node (+ 100000 index) (format "Agent %d" index)
                                         "* TODO Sweep")))
      ('agent-delete (unless (string-match-p "/one\\.org\\'" file)
                       (let ((delete-by-moving-to-trash nil))
                         (call-process "rm" nil nil nil file))))
      ('edit (with-current-buffer (ai-kb-roam-test-visit file)
               (when (and (not (buffer-modified-p))
                          (verify-visited-file-modtime))
                 (ai-kb-roam-test-type file (format "Edit %d [[roam:Same title]]\n"
                                                    index)))))
      ;; With your own roam on, your hook takes any task for yours.
      ('task (with-current-buffer (ai-kb-roam-test-visit file)
               (when (and (ai-kb-switch-active-p)
                          (not (buffer-modified-p))
                          (verify-visited-file-modtime))
                 (ai-kb-roam-test-type file "* TODO In the store\n")
                 (ai-kb-roam-test-complete (current-buffer)))))
      ('narrow (with-current-buffer (ai-kb-roam-test-visit file)
                 (narrow-to-region (point-min) (point-min))))
      ('leave-unsaved (with-current-buffer (ai-kb-roam-test-visit file)
                        (when (verify-visited-file-modtime)
                          (widen)
                          (goto-char (point-max))
                          (insert "unsaved\n"))))
      ('sync (ai-kb-sync-now (ai-kb-sync-store-active-p)))
      ('view (when (ai-kb-switch-active-p)
               (save-window-excursion
                 (when-let ((node (org-roam-node-from-id (ai-kb-roam-test-id 101))))
                   (org-roam-buffer-display-dedicated node))))))))

(defun ai-kb-roam-test-live (plan with-store)
  "Live PLAN, with what happens to the store if WITH-STORE.
Return the person's files and the rows of their database at the end,
and how often the roam was switched."
  (let ((switches 0)
        result)
    (ai-kb-roam-test-with-roams
      (require 'which-key nil t)
      (pcase-dolist (`(,roam ,act ,index ,number) plan)
        (let ((was (ai-kb-switch-active-p)))
          (cond
           ((eq roam 'personal) (ai-kb-roam-test-do-personal act index number))
           (with-store (ai-kb-roam-test-do-store act index number)))
          (unless (eq was (ai-kb-switch-active-p)) (cl-incf switches))))
      (when (ai-kb-switch-active-p) (ai-kb-switch-to-personal))
      (let ((local (lambda (string)
                     (replace-regexp-in-string
                      (regexp-quote ai-kb-roam-test-root) "ROOT/" string t t))))
        (setq result
              (list
               (mapcar (lambda (file)
                         (cons (funcall local file)
                               (ai-kb-roam-test-masked (ai-kb-roam-test-read file))))
                       (directory-files-recursively (ai-kb-roam-test-personal) ""))
               (mapcar (lambda (rows)
                         (mapcar (lambda (row)
                                   (ai-kb-roam-test-masked (funcall local row)))
                                 rows))
                       (ai-kb-roam-test-personal-rows))))))
    (append result (list switches))))

(defun ai-kb-roam-test-masked (text)
  "Return TEXT without what differs from one hour to the next.
That is the random ids of dailies, hashes and times of the day."
  (let* ((text (replace-regexp-in-string
                "[0-9a-f]\\{8\\}-[0-9a-f]\\{4\\}-4[0-9a-f]\\{3\\}-[089ab][0-9a-f]\\{3\\}-[0-9a-f]\\{12\\}"
                (lambda (id) (if (string-suffix-p "-4111-8111-111111111111" id)
                                 id "RANDOM-ID"))
                text))
         (text (replace-regexp-in-string "\\b[0-9a-f]\\{40\\}\\b" "HASH" text)))
    (replace-regexp-in-string " [0-9][0-9]:[0-9][0-9]\\]" " TIME]" text)))

(defun ai-kb-roam-test-hour (seed number)
  "Check the hour from SEED, NUMBER times to and fro."
  (let* ((ai-kb-roam-test-seed seed)
         (plan (ai-kb-roam-test-plan number))
         (with (ai-kb-roam-test-live plan t))
         (without (ai-kb-roam-test-live plan nil)))
    (ert-info ((format "seed %d" seed))
      (should (= (nth 2 with) number))
      (should (= (nth 2 without) 0))
      (should (equal (nth 0 with) (nth 0 without)))
      (should (equal (nth 1 with) (nth 1 without)))
      ;; The hour was not empty.
      (should (cl-some (lambda (file) (string-match-p "daily/" (car file)))
                       (nth 0 with))))))

(ert-deftest ai-kb-switch-test--personal-roam-is-as-if-ai-kb-had-never-been ()
  "Fifty random switches, edits and agent writes leave no trace.
$AI_KB_TEST_SEED gives another hour."
  (ai-kb-roam-test-hour (string-to-number (or (getenv "AI_KB_TEST_SEED") "20260524"))
                        50))

;;; ai-kb-switch-property-test.el ends here
