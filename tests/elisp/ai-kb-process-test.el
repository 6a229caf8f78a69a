;;; ai-kb-process-test.el --- Is the program run as it should be?  -*- lexical-binding: t -*-

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

;; With the real program where it matters, and with a shell script in
;; its place where the program would have to misbehave.

;;; Code:

(require 'ai-kb-mode-test-helper)

(defun ai-kb-process-test-failure (&rest arguments)
  "Return the error that the program's answer to ARGUMENTS is."
  (condition-case err
      (progn (apply #'ai-kb-process-call arguments) nil)
    (ai-kb-error err)))

(defun ai-kb-process-test-log ()
  "Return the lines that the script in place of the program has written."
  (let ((file (concat ai-kb-mode-test-root "log")))
    (and (file-exists-p file)
         (split-string (ai-kb-roam-test-read file) "\n" t))))

(ert-deftest ai-kb-process-test--call-returns-the-answer ()
  (ai-kb-mode-test-with-store
    (let ((nodes (alist-get 'nodes (ai-kb-process-call "find" "words" "two"))))
      (should (equal (mapcar (lambda (node) (alist-get 'id node)) nodes)
                     (list ai-kb-mode-test-two)))
      (should (equal (alist-get 'tags (car nodes)) '("principle"))))))

(ert-deftest ai-kb-process-test--call-without-native-json ()
  "An Emacs that was built without it gets the same answers."
  (ai-kb-mode-test-with-store
    (let ((native (ai-kb-process-call "status")))
      (should (assq 'remote native))
      (cl-letf (((symbol-function 'json-available-p) #'ignore)
                ((symbol-function 'json-parse-buffer)
                 (lambda (&rest _) (error "Not built in"))))
        (should (equal native (ai-kb-process-call "status")))))))

(ert-deftest ai-kb-process-test--call-signals-refusals-with-all-they-say ()
  (ai-kb-mode-test-with-store
    (let ((err (ai-kb-process-test-failure "show" "no such node")))
      (should (eq (car err) 'ai-kb-process-error))
      (should (equal (ai-kb-process-error-code err) "node-not-found"))
      (should (string-prefix-p "no node is called 'no such node'.  Use "
                               (ai-kb-process-describe err))))
    (let ((err (ai-kb-process-test-failure "new" "--type=x\ny" "--title=a")))
      (should (equal (ai-kb-process-error-code err) "usage")))))

(ert-deftest ai-kb-process-test--call-signals-findings ()
  (ai-kb-mode-test-with-store
    (let* ((result nil)
           (input (encode-coding-string "é\n#+begin_src sh\n" 'utf-8)))
      (ai-kb-process-start '("new" "--type=principle" "--title=X"
                             "--body-file=-")
                           (lambda (answer err) (setq result (list answer err)))
                           :input input)
      (ai-kb-mode-test-wait (lambda () result))
      (should-not (car result))
      (let ((finding (car (ai-kb-process-error-findings (cadr result)))))
        (should (equal (alist-get 'line finding) 2))
        (should (equal (alist-get 'code finding) "unclosed-block"))))))

(ert-deftest ai-kb-process-test--call-tells-what-is-no-json ()
  "The words of a usage error are on the other stream."
  (ai-kb-mode-test-with-store
    (should (equal (ai-kb-process-describe (ai-kb-process-test-failure "fnd"))
                   "No such command 'fnd'. Did you mean 'find'?"))))

(ert-deftest ai-kb-process-test--call-without-a-program ()
  (ai-kb-mode-test-with-store
    (set-default-toplevel-value 'ai-kb-program "no-such-program")
    (let ((err (ai-kb-process-test-failure "status")))
      (should (equal (ai-kb-process-error-code err) "no-program"))
      (should (string-match-p "ai-kb-program" (ai-kb-process-describe err))))))

(ert-deftest ai-kb-process-test--program-in-the-home-directory ()
  "A desktop's Emacs often does not look into ~/.local/bin."
  (ai-kb-mode-test-with-store
    (let ((link (expand-file-name "~/.local/bin/ai-kb-x")))
      (make-directory (file-name-directory link) t)
      (make-symbolic-link ai-kb-mode-test-program link)
      (set-default-toplevel-value 'ai-kb-program "ai-kb-x")
      (should (equal (alist-get 'nodes (ai-kb-process-call "status")) 4)))))

(ert-deftest ai-kb-process-test--input-is-closed-and-nothing-is-left ()
  (ai-kb-mode-test-with-store
    (let ((buffers (length (buffer-list)))
          (processes (length (process-list))))
      (ai-kb-mode-test-script "cat >/dev/null" "echo noise >&2"
                              "echo '{\"ok\": true}'")
      (should (equal (ai-kb-process-call "x") '((ok . t))))
      (should (equal buffers (length (buffer-list))))
      (should (equal processes (length (process-list)))))))

(ert-deftest ai-kb-process-test--much-output-does-not-block ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-script "head -c 300000 /dev/zero | tr '\\0' x >&2"
                            "printf '{\"a\": \"'"
                            "head -c 300000 /dev/zero | tr '\\0' x"
                            "echo '\"}'")
    (should (= 300000 (length (alist-get 'a (ai-kb-process-call "x")))))))

(ert-deftest ai-kb-process-test--time-is-bounded ()
  "A program that does not even listen to a signal is killed."
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-script "trap '' INT TERM"
                            (concat "echo $$ >" ai-kb-mode-test-root "log")
                            "while :; do sleep 0.1; done")
    (let* ((ai-kb-read-timeout 0.5)
           (began (float-time))
           (err (ai-kb-process-test-failure "x")))
      (should (equal (ai-kb-process-error-code err) "timeout"))
      (should (< (- (float-time) began) 2))
      (let ((pid (string-to-number (car (ai-kb-process-test-log)))))
        (should (process-attributes pid))
        (ai-kb-mode-test-wait (lambda () (not (process-attributes pid))) 5)))))

(ert-deftest ai-kb-process-test--call-while-an-event-waits ()
  "Emacs then tells nobody that a process has ended."
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-visit "one.org")
    (should auto-revert-notify-watch-descriptor)
    (ai-kb-mode-test-write "one.org" "Changed\n")
    (let ((ai-kb-read-timeout 5))
      (accept-process-output nil 0.2)
      (should (ai-kb-process-call "find" "words")))))

(ert-deftest ai-kb-process-test--quit-ends-it ()
  (ai-kb-mode-test-with-store
    (ai-kb-mode-test-script (concat "echo $$ >" ai-kb-mode-test-root "log")
                            "exec sleep 60")
    (run-with-timer 0.3 nil (lambda () (setq quit-flag t)))
    (should (eq 'quit (condition-case nil (ai-kb-process-call "x") (quit 'quit))))
    (let ((pid (string-to-number (car (ai-kb-process-test-log)))))
      (ai-kb-mode-test-wait (lambda () (not (process-attributes pid))) 5))))

;;;; The queue

(defun ai-kb-process-test-slow-script ()
  "Put a script in place of the program that notes when it begins and ends."
  (ai-kb-mode-test-script (concat "log=" ai-kb-mode-test-root "log")
                          "echo \"begin $1\" >>$log"
                          "sleep 0.3"
                          "echo \"end $1\" >>$log"
                          "echo '{\"ok\": true}'"))

(ert-deftest ai-kb-queue-test--one-after-the-other ()
  (ai-kb-mode-test-with-store
    (ai-kb-process-test-slow-script)
    (let ((began (float-time))
          (done nil))
      (dolist (name '("a" "b" "c"))
        (ai-kb-queue-add (list name) (lambda (answer _) (push answer done))))
      (should (< (- (float-time) began) 0.25))
      (ai-kb-mode-test-settle)
      (should (= 3 (length done)))
      (should (equal (ai-kb-process-test-log)
                     '("begin a" "end a" "begin b" "end b" "begin c" "end c"))))))

(ert-deftest ai-kb-queue-test--what-waits-will-do-for-both ()
  "But what runs may have read the file before it was saved again."
  (ai-kb-mode-test-with-store
    (ai-kb-process-test-slow-script)
    (dotimes (_ 4)
      (ai-kb-queue-add '("a") #'ignore :key "a"))
    (ai-kb-mode-test-settle)
    (should (equal (ai-kb-process-test-log)
                   '("begin a" "end a" "begin a" "end a")))))

(ert-deftest ai-kb-queue-test--a-failure-holds-nobody-up ()
  (ai-kb-mode-test-with-store
    (let ((program (ai-kb-process-test-slow-script))
          (said nil))
      (set-default-toplevel-value 'ai-kb-program "no-such-program")
      (ai-kb-queue-add '("a") (lambda (_ err) (push (car err) said)))
      (set-default-toplevel-value 'ai-kb-program program)
      (ai-kb-queue-add '("b") (lambda (_ _) (error "A caller's mistake")))
      (ai-kb-queue-add '("c") (lambda (answer _) (push answer said)))
      (let ((inhibit-message t)
            (debug-on-error nil))
        (ai-kb-mode-test-settle))
      (should (equal said '(((ok . t)) ai-kb-process-error))))))

(provide 'ai-kb-process-test)

;;; ai-kb-process-test.el ends here
