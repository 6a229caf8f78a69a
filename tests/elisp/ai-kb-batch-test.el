;;; ai-kb-batch-test.el --- Does the worker read and answer right?  -*- lexical-binding: t; -*-

;; Copyright (C) 2026  ai-kb contributors

;; Author: ai-kb contributors
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; The worker runs as the command line runs it.  What hostile texts try
;; stands in ai-kb-batch-hostile-test.el.

;;; Code:

(require 'ai-kb-test-helper)
(require 'ai-kb-batch (expand-file-name "elisp/ai-kb-batch.el" ai-kb-test-root))

(defconst ai-kb-batch-test-id "3f6c1e0a-5b7d-4c2e-9a41-0d8e7f6b5c4a"
  "An identifier.")

(defconst ai-kb-batch-test-other "7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
  "Another identifier.")

(defun ai-kb-batch-test-note (&rest body)
  "Return the lines of a good note with BODY at its end."
  (append (list ":PROPERTIES:" (concat ":ID:       " ai-kb-batch-test-id) ":END:"
                "#+title: Good" "#+filetags: :kb:" "")
          body))

(defun ai-kb-batch-test-read (&rest body)
  "Return the worker's answer for a good note with BODY at its end."
  (apply #'ai-kb-test-read (apply #'ai-kb-batch-test-note body)))

;;;; The session

(ert-deftest ai-kb-batch-test--serve-refuses-when-interactive ()
  "In a person's Emacs it would set many global variables."
  (let ((noninteractive nil))
    (should-error (ai-kb-batch-serve) :type 'user-error)))

(ert-deftest ai-kb-batch-test--serve-empty-input ()
  "An Emacs started in advance may not be needed."
  (ai-kb-test-with-directory
    (should-not (ai-kb-test-ask))))

(ert-deftest ai-kb-batch-test--serve-answers-at-once ()
  "Each line comes before the input ends, so that the caller may wait for it."
  (ai-kb-test-with-directory
    (let ((path (apply #'ai-kb-test-write "a.org" (ai-kb-batch-test-note)))
          (process (ai-kb-test-start-worker)))
      (ai-kb-test-wait (lambda () (ai-kb-test-worker-lines process)))
      (pcase (ai-kb-test-form (car (ai-kb-test-worker-lines process)))
        (`(ready :emacs ,emacs :org ,org)
         (should (equal emacs emacs-version))
         (should (version<= "9.5" org)))
        (form (ert-fail form)))
      (process-send-string process
                           (encode-coding-string (concat path "\n") 'utf-8-unix))
      (ai-kb-test-wait (lambda () (cdr (ai-kb-test-worker-lines process))))
      (should (equal (car (last (ai-kb-test-worker-finish process)))
                     '(done 1))))))

(ert-deftest ai-kb-batch-test--serve-leaves-nothing ()
  "Neither caches nor temporary files stay, whatever was linted."
  (ai-kb-test-with-directory
    (let ((path (apply #'ai-kb-test-write "a.org"
                       (ai-kb-batch-test-note
                        (format "[[id:%s]]" ai-kb-batch-test-other)
                        "#+begin_src emacs-lisp" "(ignore)" "#+end_src"))))
      (make-directory "home")
      (let ((before (ai-kb-test-tree)))
        (ai-kb-test-ask path path)
        (should (equal (ai-kb-test-tree) before))))))

(ert-deftest ai-kb-batch-test--serve-any-locale ()
  "Names and text are UTF-8, also where the locale is not."
  (ai-kb-test-with-directory
    (let ((ai-kb-test-environment '("LC_ALL=C" "LANG=C"))
          (path (ai-kb-test-write "ü 知识 🧠.org" "#+title: Öl 知识 🧠")))
      (let ((answer (car (ai-kb-test-ask path))))
        (should (equal (plist-get (car (ai-kb-test-get answer :nodes)) :title)
                       "Öl 知识 🧠"))))))

(ert-deftest ai-kb-batch-test--serve-no-state-between-files ()
  "Settings of a file are forgotten before the next one is read."
  (ai-kb-test-with-directory
    (let ((plain (apply #'ai-kb-test-write "plain.org"
                        (ai-kb-batch-test-note
                         "* TODO [#A] A :x:" ":PROPERTIES:"
                         (concat ":ID: " ai-kb-batch-test-other) ":END:"
                         (format "[[id:%s]] <<radio>>" ai-kb-batch-test-other))))
          (settings (ai-kb-test-write
                     "settings.org"
                     "#+STARTUP: odd" "#+TODO: A | B" "#+FILETAGS: :old:"
                     "#+LINK: id https://example.org/" "#+CATEGORY: old"
                     "#+PROPERTY: ID old" "#+PRIORITIES: 1 9 5" "#+TAGS: x(y)"
                     "#+MACRO: radio x" "<<<radio>>>" "#+OPTIONS: html-style:nil"
                     "*** H")))
      (let ((answers (ai-kb-test-ask plain settings plain)))
        (should (= (length (ai-kb-test-get (nth 0 answers) :nodes)) 2))
        (should (equal (nth 0 answers) (nth 2 answers)))))))

(ert-deftest ai-kb-batch-test--serve-goes-on-after-errors ()
  "What cannot be read is an answer like any other."
  (ai-kb-test-with-directory
    (let ((bad (ai-kb-test-write "bad.org" "a"))
          (good (apply #'ai-kb-test-write "good.org" (ai-kb-batch-test-note))))
      (let ((coding-system-for-write 'binary))
        (write-region "ok\nb\366se\n" nil bad))
      (call-process "mkfifo" nil nil nil "pipe.org")
      (let* ((pipe (expand-file-name "pipe.org"))
             (answers (ai-kb-test-ask bad "relative.org" "~/x.org" "/ssh:h:/x.org"
                                      ai-kb-test-directory pipe good)))
        (should (equal (mapcar (lambda (answer)
                                 (plist-get (cddr answer) :error))
                               answers)
                       '("Not UTF-8 in line 2"
                         "Not an absolute file name" "Not an absolute file name"
                         "No such file" "Not a regular file" "Not a regular file"
                         nil)))))))

(ert-deftest ai-kb-batch-test--serve-deep-nesting ()
  "Deep trees are read, or refused; they do not end the session."
  (ai-kb-test-with-directory
    (let ((deep (apply #'ai-kb-test-write "deep.org"
                       (mapcar (lambda (depth) (concat (make-string depth ?*) " h"))
                               (number-sequence 1 400))))
          (good (apply #'ai-kb-test-write "good.org" (ai-kb-batch-test-note))))
      (should (ai-kb-test-get (cadr (ai-kb-test-ask deep good)) :nodes)))))

(ert-deftest ai-kb-batch-test--print-survives-sexpdata ()
  "Python reads back exactly what stood in the file."
  (ai-kb-test-with-directory
    (let* ((venv (expand-file-name ".venv/bin/python" ai-kb-test-root))
           (python (or (getenv "AI_KB_PYTHON")
                       (if (file-exists-p venv) venv "python3")))
           (value "\"q\" \\ \\n \\\" ; ' #\t| \r \f \v \e[0m é 知 🧠 👩‍🔬 \u2028 \u0085 \0.")
           (path (ai-kb-test-write "a \"b\" \\n.org"
                                   ":PROPERTIES:" (concat ":X: " value) ":END:"
                                   (concat "#+title: " value)))
           (process (ai-kb-test-start-worker))
           (script (concat "import sys, sexpdata\n"
                           "lines = sys.stdin.buffer.read().split(b'\\n')\n"
                           "form = sexpdata.loads(lines[1].decode())\n"
                           "node = form[form.index(sexpdata.Symbol(':nodes')) + 1][0]\n"
                           "value = node[node.index(sexpdata.Symbol(':properties')) + 1][0][2]\n"
                           "title = node[node.index(sexpdata.Symbol(':title')) + 1]\n"
                           "sys.stdout.buffer.write('\\n'.join([form[1], value, title]).encode())\n"))
           (coding-system-for-read 'utf-8-unix)
           (coding-system-for-write 'binary))
      (process-send-string process (encode-coding-string (concat path "\n") 'utf-8-unix))
      (process-send-eof process)
      (ai-kb-test-wait (lambda () (not (process-live-p process))))
      (with-temp-buffer
        (insert-buffer-substring (process-buffer process))
        (let ((status (call-process-region nil nil python t t nil "-c" script)))
          (should (equal (list status (buffer-string))
                         (list 0 (string-join (list path value value) "\n")))))))))

;;;; What is read

(ert-deftest ai-kb-batch-test--lint-findings ()
  "A finding has the line, the checker's name and Org's words."
  (ai-kb-test-with-directory
    (pcase (ai-kb-test-get (ai-kb-batch-test-read "#+begin_src sh" "ls") :lint)
      (`((7 invalid-block ,message))
       (should (string-match-p "begin_src" message)))
      (findings (ert-fail findings)))))

(ert-deftest ai-kb-batch-test--lint-clean ()
  "A good note, and links of types that live in modules, are clean."
  (ai-kb-test-with-directory
    (should-not (ai-kb-test-get
                 (ai-kb-batch-test-read "[[info:emacs#Top][m]] [[doi:10.1/x]]"
                                        (format "[[id:%s][x]]" ai-kb-batch-test-other))
                 :lint))))

(ert-deftest ai-kb-batch-test--lint-crash ()
  "A checker that crashes (Org 9.5 on this clock line) is an answer."
  (ai-kb-test-with-directory
    (let ((answer (ai-kb-batch-test-read "* h" ":LOGBOOK:" "CLOCK: [x]--[y] => 1:00"
                                         ":END:")))
      (should (or (stringp (plist-get (cddr answer) :error))
                  (plist-get (cddr answer) :nodes))))))

(ert-deftest ai-kb-batch-test--nodes ()
  "The file and the headings with an ID, with all tags that hold there."
  (ai-kb-test-with-directory
    (should
     (equal
      (ai-kb-test-get
       (ai-kb-batch-test-read "* No node :up:" "** TODO A [[https://x.org][link]] :own:"
                              ":PROPERTIES:" (concat ":id: " ai-kb-batch-test-other)
                              ":END:")
       :nodes)
      `((:level 0 :line 1 :id ,ai-kb-batch-test-id :title "Good" :tags ("kb")
                :properties (("ID" . ,ai-kb-batch-test-id)))
        (:level 2 :line 8 :id ,ai-kb-batch-test-other :title "A link"
                :tags ("kb" "up" "own")
                :properties (("ID" . ,ai-kb-batch-test-other))))))))

(ert-deftest ai-kb-batch-test--nodes-file-level ()
  "There is no file node where the file begins with a heading; ids may lack."
  (ai-kb-test-with-directory
    (should-not (ai-kb-test-get (ai-kb-test-read "* h" "#+title: t") :nodes))
    (should (equal (ai-kb-test-get (ai-kb-test-read "#+title:" "#+title: b") :nodes)
                   '((:level 0 :line 1 :id nil :title "" :tags nil
                             :properties nil))))
    (should (equal (ai-kb-test-get (ai-kb-test-read "text") :nodes)
                   '((:level 0 :line 1 :id nil :title nil :tags nil
                             :properties nil))))))

(ert-deftest ai-kb-batch-test--properties ()
  "The first value wins, KEY+ adds, what Org derives is not there."
  (ai-kb-test-with-directory
    (should
     (equal
      (plist-get
       (car (ai-kb-test-get
             (ai-kb-test-read ":PROPERTIES:" ":B+: two" ":ID: x" ":b: one" ":A: first"
                              ":A: second" ":B+: three" ":EMPTY:" ":PRIORITY: Z"
                              ":NIL: nil" ":END:")
             :nodes))
       :properties)
      '(("B" . "one two three") ("ID" . "x") ("A" . "first") ("EMPTY" . "")
        ("PRIORITY" . "Z") ("NIL" . "nil"))))))

(ert-deftest ai-kb-batch-test--links ()
  "Those that org-roam counts, where they stand, in order."
  (ai-kb-test-with-directory
    (should
     (equal
      (ai-kb-test-get
       (ai-kb-test-read ":PROPERTIES:" ":SEE: [[id:property]]" ":ROAM_REFS: [[id:no]]"
                        ":END:" "#+title: [[id:title][t]]" "#+transclude: [[id:no]]"
                        "[[id:a][over" "two lines]] [[id:b::*search]] id:plain, <id:angle>"
                        "=[[id:no]]=" "# [[id:no]]" "#+begin_src sh" "[[id:no]]"
                        "#+end_src" ": [[id:no]]" "[[https://x.org][id:no]]"
                        "* [[id:heading]]" "| [[id:cell]] |")
       :links)
      '(("property" 2) ("title" 5) ("a" 7) ("b::*search" 8) ("plain" 8) ("angle" 8)
        ("heading" 16) ("cell" 17))))))

(ert-deftest ai-kb-batch-test--links-many ()
  "An index of 3,000 notes does not take minutes, as org-roam's way would."
  (ai-kb-test-with-directory
    (let ((links (ai-kb-test-get
                  (apply #'ai-kb-test-read
                         (mapcar (lambda (number) (format "- [[id:%d][n]] x" number))
                                 (number-sequence 1 3000)))
                  :links)))
      (should (equal (car links) '("1" 1)))
      (should (equal (car (last links)) '("3000" 3000)))
      (should (= (length links) 3000)))))

(provide 'ai-kb-batch-test)
;;; ai-kb-batch-test.el ends here
