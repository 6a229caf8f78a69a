;;; ai-kb-switch-sync-test.el --- The store's database  -*- lexical-binding: t -*-

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
(require 'ert-x)

(defun ai-kb-roam-test-files (location)
  "Return the base names of the files in the database at LOCATION, sorted."
  (sort (mapcar (lambda (row) (file-name-nondirectory (car row)))
                (ai-kb-roam-test-query location [:select file :from files]))
        #'string<))

;;;; Guard 7: what is no node

(ert-deftest ai-kb-switch-test--raw-and-index-pages-are-no-nodes ()
  "Captures, index pages and hidden files give neither nodes nor links."
  (ai-kb-roam-test-with-roams
    (let ((text (lambda (number)
                  (ai-kb-roam-test-node number "Noise" (ai-kb-roam-test-link 102)))))
      (dolist (file '("raw/page.org" "raw/deep/page.org" "index.org"
                      "index-procedures.org" ".git/refs/heads/x.org"
                      ".staged.org" "deep/.hidden/x.org"))
        (ai-kb-roam-test-write (ai-kb-roam-test-store file)
                               (funcall text (+ 200 (random 100000)))))
      (ai-kb-roam-test-write (ai-kb-roam-test-store "secret.org.gpg") "not for us")
      ;; These only look alike.
      (dolist (file '("draw/one.org" "indexing.org" "deep/index.org"
                      "deep/raw/x.org"))
        (ai-kb-roam-test-write (ai-kb-roam-test-store file)
                               (ai-kb-roam-test-node (+ 200 (random 100000)) file)))
      (ai-kb-switch-to-ai-kb)
      (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                     '("Same title" "Store One" "Store Two" "deep/index.org"
                       "deep/raw/x.org" "draw/one.org" "indexing.org")))
      (should (equal (ai-kb-roam-test-query ai-kb-db-location
                                            [:select source :from links])
                     (list (list (ai-kb-roam-test-id 101)))))
      (should (= 1 (length (org-roam-backlinks-get
                            (org-roam-node-from-id (ai-kb-roam-test-id 102))))))
      ;; Nor when they are saved, nor in org-roam's own sync.
      (dolist (file '("raw/page.org" "index.org" "index-procedures.org"))
        (with-current-buffer (ai-kb-roam-test-visit (ai-kb-roam-test-store file))
          (goto-char (point-max))
          (insert "more\n")
          (save-buffer)))
      (org-roam-db-sync)
      (should-not (member "Noise" (ai-kb-roam-test-titles ai-kb-db-location))))))

(ert-deftest ai-kb-switch-test--the-person-s-exclusions-are-not-the-store-s ()
  "What the person leaves out of their own roam is a node in the store."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'org-roam-file-exclude-regexp "two"
                         'org-roam-file-extensions '("txt")
                         'org-roam-db-node-include-function #'ignore)
    (ai-kb-roam-test-should-leave-personal
      (ai-kb-switch-to-ai-kb)
      (should (member "Store Two" (ai-kb-roam-test-titles ai-kb-db-location)))
      (ai-kb-switch-to-personal)
      (should (equal org-roam-file-exclude-regexp "two")))))

;;;; The disk is what counts

(ert-deftest ai-kb-switch-test--what-an-agent-wrote-is-found ()
  "Files that were added, changed and deleted are so in the database."
  (ai-kb-roam-test-with-roams
    (ai-kb-switch-to-ai-kb)
    (ai-kb-switch-to-personal)
    (ai-kb-roam-test-write (ai-kb-roam-test-store "one.org")
                           (ai-kb-roam-test-node 101 "Store One, changed"))
    (ai-kb-roam-test-write (ai-kb-roam-test-store "three.org")
                           (ai-kb-roam-test-node 104 "Store Three"))
    (delete-file (ai-kb-roam-test-store "two.org"))
    (ai-kb-roam-test-should-leave-personal
      (ai-kb-switch-to-ai-kb)
      (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                     '("Same title" "Store One, changed" "Store Three"))))))

(ert-deftest ai-kb-switch-test--text-from-outside-is-only-read ()
  "Local variables, settings files and large files do nothing and ask nothing."
  (ai-kb-roam-test-with-roams
    (let ((marker (concat ai-kb-roam-test-root "marker"))
          (inhibit-interaction t)
          (large-file-warning-threshold 10))
      (ai-kb-roam-test-write
       (ai-kb-roam-test-store "evil.org")
       (concat (ai-kb-roam-test-node 104 "Evil")
               (format "#+setupfile: %s\n" (ai-kb-roam-test-personal "secret.org"))
               "# Local Variables:\n"
               (format "# eval: (write-region \"x\" nil %S)\n" marker)
               "# End:\n"))
      (ai-kb-roam-test-write (ai-kb-roam-test-personal "secret.org")
                             "#+filetags: :secret:\n")
      (ai-kb-switch-to-ai-kb)
      (should (member "Evil" (ai-kb-roam-test-titles ai-kb-db-location)))
      (should-not (file-exists-p marker))
      (should-not (ai-kb-roam-test-query ai-kb-db-location
                                         [:select tag :from tags])))))

(ert-deftest ai-kb-switch-test--one-bad-file-does-not-spoil-the-others ()
  "A file that cannot be read is named, and the others are nodes."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-write (ai-kb-roam-test-store "bad.org")
                           (concat "# -*- coding: no-such-coding -*-\n"
                                   (ai-kb-roam-test-node 104 "Bad")))
    (ai-kb-roam-test-write (ai-kb-roam-test-store "quote.org")
                           (format ":PROPERTIES:\n:ID: %s\n:ROAM_ALIASES: \"odd\n:END:\n#+title: Quote\n"
                                   (ai-kb-roam-test-id 105)))
    (make-symbolic-link "nowhere.org" (ai-kb-roam-test-store "dangling.org"))
    (ai-kb-roam-test-write (ai-kb-roam-test-store "new\nline.org")
                           (ai-kb-roam-test-node 106 "New line"))
    (should (string-match-p "not readable: .*quote.org"
                            (ai-kb-roam-test-echo #'ai-kb-switch-to-ai-kb)))
    (let ((titles (ai-kb-roam-test-titles ai-kb-db-location)))
      (dolist (title '("Same title" "Store One" "Store Two" "New line"))
        (should (member title titles)))
      (should-not (member "Quote" titles)))
    (should-not (get-buffer-window "*Warnings*" t))))

;;;; A damaged database

(defun ai-kb-roam-test-damage (how file)
  "Damage the database FILE in the way HOW."
  (pcase how
    ('garbage (ai-kb-roam-test-write file "this is not a database, not at all"))
    ('empty (ai-kb-roam-test-write file ""))
    ('half (let ((bytes (ai-kb-roam-test-read file))
                 (coding-system-for-write 'no-conversion))
             (ai-kb-roam-test-write file (substring bytes 0 6000))))
    ('scribbled (let ((bytes (ai-kb-roam-test-read file))
                      (coding-system-for-write 'no-conversion))
                  (cl-loop for i from 4200 below (length bytes) by 3
                           do (aset bytes i 170))
                  (ai-kb-roam-test-write file bytes)))
    ('tables (ai-kb-roam-test-query file [:drop-table links]))
    ('newer (ai-kb-roam-test-query file "PRAGMA user_version = 999"))
    ('directory (delete-file file))))

(ert-deftest ai-kb-switch-test--a-damaged-database-is-built-anew ()
  "In whatever way the database is damaged, the switch gives a sound one."
  (dolist (how '(garbage empty half scribbled tables newer directory))
    (ai-kb-roam-test-with-roams
      (ai-kb-roam-test-should-leave-personal
        (ai-kb-switch-to-ai-kb)
        (ai-kb-switch-to-personal)
        (ai-kb-roam-test-damage how ai-kb-db-location)
        ;; So that there is something to write.
        (ai-kb-roam-test-write (ai-kb-roam-test-store "one.org")
                               (ai-kb-roam-test-node 101 "Store One" (ai-kb-roam-test-link 103)))
        (let ((echo (ai-kb-roam-test-echo #'ai-kb-switch-to-ai-kb)))
          (unless (eq how 'directory)
            (should (string-match-p "database built anew" echo))))
        (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                       '("Same title" "Store One" "Store Two")))
        (should (equal (ai-kb-roam-test-query ai-kb-db-location
                                              [:select [source dest] :from links])
                       (list (list (ai-kb-roam-test-id 101) (ai-kb-roam-test-id 103)))))))))

(ert-deftest ai-kb-switch-test--a-rebuilt-database-is-like-a-fresh-one ()
  "After any history the database says what a fresh one says."
  (ai-kb-roam-test-with-roams
    (let ((fresh (concat ai-kb-roam-test-root "fresh.db"))
          (worn ai-kb-db-location))
      (dotimes (i 5)
        (ai-kb-switch-to-ai-kb)
        (ai-kb-roam-test-write (ai-kb-roam-test-store "one.org")
                               (ai-kb-roam-test-node 101 (format "One %d" i)
                                                     (ai-kb-roam-test-link 102)))
        (ai-kb-switch-to-personal))
      (ai-kb-sync-now)
      (ai-kb-roam-test-set 'ai-kb-db-location fresh)
      (ai-kb-sync-now)
      (should (equal (ai-kb-roam-test-personal-rows worn)
                     (ai-kb-roam-test-personal-rows fresh))))))

(ert-deftest ai-kb-switch-test--the-database-is-what-org-roam-would-make ()
  "Reading in a hidden buffer gives the rows that org-roam's own sync gives."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-write
     (ai-kb-roam-test-store "rich.org")
     (format ":PROPERTIES:\n:ID: %s\n:ROAM_ALIASES: \"An alias\"\n:END:\n#+title: Rich\n#+filetags: :a:b:\n#+todo: OPEN | SHUT\n\n* OPEN Sub :c:\nSCHEDULED: <2026-01-02 Fri>\n:PROPERTIES:\n:ID: %s\n:END:\n%s\n"
             (ai-kb-roam-test-id 110) (ai-kb-roam-test-id 111) (ai-kb-roam-test-link 101)))
    (ai-kb-switch-to-ai-kb)
    (let ((ours (ai-kb-roam-test-personal-rows ai-kb-db-location)))
      (org-roam-db-sync t)
      (should (equal ours (ai-kb-roam-test-personal-rows ai-kb-db-location))))))

(ert-deftest ai-kb-switch-test--a-thousand-nodes ()
  "A thousand nodes are indexed, and the second switch is quick."
  (ai-kb-roam-test-with-roams
    (dotimes (i 1000)
      (ai-kb-roam-test-write (ai-kb-roam-test-store (format "n%d.org" i))
                             (ai-kb-roam-test-node (+ 1000 i) (format "Node %d" i)
                                                   (ai-kb-roam-test-link (+ 1000 (/ i 2))))))
    (ai-kb-roam-test-should-leave-personal
      (ai-kb-switch-to-ai-kb)
      (should (= 1003 (length (ai-kb-roam-test-titles ai-kb-db-location))))
      (ai-kb-switch-to-personal)
      (let ((start (float-time)))
        (ai-kb-switch-to-ai-kb)
        (should (< (- (float-time) start) 5))))))

;;;; On request

(defun ai-kb-roam-test-wait-for-sync ()
  "Wait until no sync is on its way."
  (with-timeout (20 (error "The sync has not run"))
    (while ai-kb-sync--timer
      (sleep-for 0.02)
      (ert-run-idle-timers))))

(ert-deftest ai-kb-switch-test--requested-sync-works-in-either-roam ()
  "The requested sync fills the store's database whichever roam is on."
  (dolist (switched '(nil t))
    (ai-kb-roam-test-with-roams
      (ai-kb-roam-test-set 'ai-kb-sync-idle-delay 0.05)
      (ai-kb-roam-test-should-leave-personal
        (when switched (ai-kb-switch-to-ai-kb))
        (ai-kb-roam-test-write (ai-kb-roam-test-store "three.org")
                               (ai-kb-roam-test-node 104 "Store Three"))
        (let ((directory org-roam-directory)
              (connections (hash-table-keys org-roam-db--connection)))
          (ai-kb-db-sync)
          (ai-kb-roam-test-wait-for-sync)
          (should (eq directory org-roam-directory))
          (should (equal connections
                         (hash-table-keys org-roam-db--connection))))
        (should (member "Store Three"
                        (ai-kb-roam-test-titles ai-kb-db-location)))))))

(ert-deftest ai-kb-switch-test--two-requests-are-one-sync ()
  "Requests in a row cause one sync; a later one causes another."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'ai-kb-sync-idle-delay 0.05)
    (let ((count 0)
          (original (symbol-function 'ai-kb-sync-now)))
      (cl-letf (((symbol-function 'ai-kb-sync-now)
                 (lambda (&rest args)
                   (cl-incf count)
                   (apply original args))))
        (ai-kb-db-sync)
        (ai-kb-db-sync)
        (should (= count 0))
        (ai-kb-roam-test-wait-for-sync)
        (should (= count 1))
        (ai-kb-db-sync)
        (ai-kb-roam-test-wait-for-sync)
        (should (= count 2))))))

(ert-deftest ai-kb-switch-test--requested-sync-touches-no-buffer ()
  "Modified, stale and narrowed buffers stay as they are; nothing is asked."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'ai-kb-sync-idle-delay 0.05)
    (let* ((stale (ai-kb-roam-test-visit (ai-kb-roam-test-store "one.org")))
           (modified (ai-kb-roam-test-visit (ai-kb-roam-test-store "two.org")))
           (look (lambda ()
                   (mapcar (lambda (buffer)
                             (with-current-buffer buffer
                               (list buffer (buffer-string) (point)
                                     (buffer-modified-p)
                                     (buffer-modified-tick)
                                     (verify-visited-file-modtime))))
                           (list stale modified))))
           (buffers (buffer-list))
           before)
      (with-current-buffer modified
        (goto-char (point-max))
        (insert "Not yet.\n")
        (narrow-to-region (1- (point)) (point)))
      (dolist (file '("one.org" "two.org"))
        (ai-kb-roam-test-write (ai-kb-roam-test-store file)
                               (ai-kb-roam-test-node (if (equal file "one.org") 101 102)
                                                     (concat "New " file)))
        (set-file-times (ai-kb-roam-test-store file) (time-add (current-time) 10)))
      (setq before (funcall look))
      (let ((inhibit-interaction t))
        (ai-kb-db-sync)
        (ai-kb-roam-test-wait-for-sync))
      (should (equal before (funcall look)))
      (should (equal (ai-kb-roam-test-titles ai-kb-db-location)
                     '("New one.org" "New two.org" "Same title")))
      (should (cl-subsetp buffers (buffer-list))))))

(ert-deftest ai-kb-switch-test--requested-sync-fails-in-silence ()
  "A sync that cannot be done is a message, never an error or a question."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'ai-kb-sync-idle-delay 0.05
                         'ai-kb-directory (concat ai-kb-roam-test-root "nowhere/"))
    (should (string-match-p
             "ai-kb: not synced: .*no store"
             (ai-kb-roam-test-echo (lambda ()
                                     (ai-kb-db-sync)
                                     (ai-kb-roam-test-wait-for-sync)))))))

(ert-deftest ai-kb-switch-test--requested-sync-speaks-to-who-asked ()
  "A sync that the shell asked for is silent; a person's says how it went."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'ai-kb-sync-idle-delay 0.05)
    (let ((echo (lambda (request)
                  (ai-kb-roam-test-echo (lambda ()
                                          (funcall request)
                                          (ai-kb-roam-test-wait-for-sync))))))
      (should-not (string-match-p "ai-kb" (funcall echo #'ai-kb-db-sync)))
      (should (string-match-p "nodes in [0-9]+ files"
                              (funcall echo (lambda ()
                                              (call-interactively #'ai-kb-db-sync)))))
      (should-not (string-match-p "ai-kb" (funcall echo #'ai-kb-db-sync))))))

(ert-deftest ai-kb-switch-test--requested-sync-waits-for-an-answer ()
  "While somebody answers in the minibuffer the sync waits."
  (ai-kb-roam-test-with-roams
    (ai-kb-roam-test-set 'ai-kb-sync-idle-delay 0.05)
    (let ((open t))
      (cl-letf (((symbol-function 'active-minibuffer-window)
                 (lambda () (and open (minibuffer-window)))))
        (ai-kb-sync--when-idle)
        (should ai-kb-sync--timer)
        (should-not (file-exists-p ai-kb-db-location))
        (setq open nil)
        (ai-kb-roam-test-wait-for-sync)
        (should (file-exists-p ai-kb-db-location))))))

(ert-deftest ai-kb-switch-test--requested-sync-does-not-load-org-roam ()
  "Where org-roam is not loaded the request says so and loads nothing."
  (let ((output
         (with-temp-buffer
           (call-process (expand-file-name invocation-name invocation-directory)
                         nil t nil "-Q" "--batch"
                         "-L" ai-kb-roam-test-elisp-directory "-l" "ai-kb" "--eval"
                         "(princ (list (ai-kb-db-sync) (featurep 'org-roam)))")
           (buffer-string))))
    (should (equal output
                   "(ai-kb: org-roam is not loaded; the next switch syncs nil)"))))

;;; ai-kb-switch-sync-test.el ends here
