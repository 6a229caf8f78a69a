;;; ai-kb-batch-hostile-test.el --- Does text stay text?  -*- lexical-binding: t; -*-

;; Copyright (C) 2026  ai-kb contributors

;; Author: ai-kb contributors
;; SPDX-License-Identifier: GPL-3.0-or-later

;;; Commentary:

;; Each payload is a note that tries to run, open, fetch or write
;; something.  It stands between two good notes.  Traps show what it
;; reached: a marker file, programs that leave a marker too, a local web
;; server, named pipes that hang whoever opens them, and the list of all
;; files.

;;; Code:

(require 'ai-kb-test-helper)

(defconst ai-kb-batch-hostile-programs
  '("sh" "bash" "ssh" "scp" "rsync" "sudo" "curl" "wget" "git" "gpg" "gpg2"
    "gpgconf" "gzip" "latex" "convert" "dvipng" "xdg-open" "touch")
  "Programs that a payload may start, replaced by traps.")

(defvar ai-kb-batch-hostile-requests 0
  "How often something has connected to the trap's web server.")

(defconst ai-kb-batch-hostile-payloads
  ;; LISP is code that writes the marker, URL and REMOTE cannot be
  ;; reached without notice, PIPE hangs, DIR is the test's directory.
  '((src-header-argument "#+begin_src sh :dir LISP :var x=LISP" "ls" "#+end_src")
    (header-keyword "#+header: :dir LISP :var x=LISP" "#+begin_src sh" "ls" "#+end_src")
    (call-line "#+call: f[:dir LISP](x=LISP)[:var y=LISP]")
    (inline-call "Text call_f[:dir LISP](x=LISP)[:var y=LISP] text")
    (inline-source "Text src_sh[:dir LISP]{ls} text")
    (header-args-keyword "#+PROPERTY: header-args :dir LISP"
                         "#+PROPERTY: header-args:sh+ :var x=LISP"
                         "#+begin_src sh" "ls" "#+end_src")
    (header-args-property "* h" ":PROPERTIES:" ":header-args: :dir LISP"
                          ":HEADER-ARGS:sh+: :var x=LISP" ":END:"
                          "#+begin_src sh" "ls" "#+end_src")
    (include-remote "#+INCLUDE: \"REMOTE\"" "#+INCLUDE: \"REMOTE::*h\" src sh")
    (include-local "#+INCLUDE: \"DIRsecret.org\"" "#+INCLUDE: \"DIRsecret.org::*h\"")
    (include-pipe "#+INCLUDE: \"PIPE\"" "#+INCLUDE: \"PIPE::*h\"")
    (setupfile-local "#+SETUPFILE: DIRsecret.org" "#+SETUPFILE: secret.org")
    (setupfile-url "#+SETUPFILE: URL" "#+SETUPFILE: \"URL\"")
    (setupfile-remote "#+SETUPFILE: REMOTE")
    (setupfile-pipe "#+SETUPFILE: PIPE" "#+SETUPFILE: \"pipe\"")
    (link-abbreviation "#+LINK: run %(shell-command)" "#+LINK: id %(shell-command)"
                       "[[run:touch MARKER]] [[id:touch MARKER]]")
    (link-elisp "[[elisp:LISP]] <elisp:LISP> elisp:LISP [[elisp:(load \"DIRevil.el\")]]")
    (link-shell "[[shell:touch MARKER]] <shell:touch MARKER> shell:touch%20MARKER")
    (link-remote-file "[[file:REMOTE]] [[REMOTE]] [[attachment:x.png]] [[file+sys:REMOTE]]"
                      "* h" ":PROPERTIES:" ":DIR: REMOTE" ":ATTACH_DIR: PIPE" ":END:"
                      "[[attachment:x.png]]")
    (macro-eval "#+MACRO: m (eval LISP)" "{{{m}}} {{{m(1)}}}")
    (macro-when-compile "#+MACRO: m (eval (eval-when-compile LISP))" "{{{m}}}")
    (macro-file "{{{modification-time(%Y,t)}}} {{{input-file}}} {{{keyword(SETUPFILE)}}}")
    (local-variables "text" "# Local Variables:" "# eval: LISP" "# mode: emacs-lisp"
                     "# org-confirm-babel-evaluate: nil" "# End:")
    (local-variables-coding "text" "# Local Variables:" "# coding: no-such-coding"
                            "# End:")
    (diary-sexp "%%LISP" "  %%LISP" "* h" "<%%LISP>" "SCHEDULED: <%%LISP>")
    (planning-sexp "* TODO h" "SCHEDULED: <%%LISP> DEADLINE: <%%LISP>")
    (property-sexp "* h" ":PROPERTIES:" ":WHEN: <%%LISP>" ":EFFORT: LISP"
                   ":COLUMNS: %25ITEM(LISP)" ":LOGGING: LISP" ":END:")
    (table-formula "| 1 | 2 |" "#+TBLFM: $2='LISP::@1$1='(identity LISP)")
    (table-constants "#+CONSTANTS: x=LISP" "#+COLUMNS: %25ITEM{LISP}"
                     "| 1 | 2 |" "#+TBLFM: $2=$x")
    (startup "#+STARTUP: inlineimages latexpreview align shrink num indent beamer"
             "#+STARTUP: hideblocks fnadjust logdrawer LISP"
             "[[file:DIRpicture.png]] [[REMOTE.png]] $x^2$ \\(y\\)")
    (options "#+OPTIONS: ^:LISP" "#+OPTIONS: author:LISP" "#+BIND: org-x LISP")
    (todo-keywords "#+TODO: LISP(t@/!) | DONE" "#+TAGS: { LISP : x } [ y ]"
                   "#+PRIORITIES: LISP")
    (archive "#+ARCHIVE: REMOTE::" "* h :ARCHIVE:" ":PROPERTIES:"
             ":ARCHIVE: PIPE::datetree/* LISP" ":END:")
    (dynamic-block "#+BEGIN: clocktable :scope (\"PIPE\") :formula LISP"
                   "#+END:" "#+BEGIN: columnview :id LISP" "#+END:")
    (citation "#+bibliography: REMOTE" "#+bibliography: PIPE"
              "#+cite_export: UPevil" "#+cite_export: csl REMOTE"
              "[cite:@a] #+print_bibliography:")
    (source-language "#+begin_src UPevil" "x" "#+end_src" "#+begin_src (shell-command)"
                     "x" "#+end_src" "src_UPevil{x}")
    (export-blocks "#+begin_export LISP" "x" "#+end_export"
                   "#+EXPORT_FILE_NAME: REMOTE" "#+INFOJS_OPT: path:REMOTE"
                   "#+LATEX_HEADER: \\immediate\\write18{touch MARKER}")
    (radio-regexp "<<<\\(a+\\)+$>>> aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"))
  "Payloads, as (NAME LINE ...), each with placeholders in capitals.")

(defconst ai-kb-batch-hostile-raw-payloads
  '((first-line-eval "# -*- mode: org; eval: LISP -*-")
    (first-line-mode "# -*- mode: emacs-lisp -*-" "LISP")
    (first-line-coding "# -*- coding: no-such-coding -*-")
    (enriched-text "Content-Type: text/enriched" "Text-Width: 70" ""
                   "<x-display><param>(when LISP)</param>x</x-display>"))
  "Payloads that must stand at the very start of the file.")

;;;; Traps

(defun ai-kb-batch-hostile-fill (line port)
  "Return LINE with its placeholders replaced; the web server is at PORT."
  (let* ((directory ai-kb-test-directory)
         (marker (concat directory "traps/marker"))
         (case-fold-search nil))
    (dolist (pair `(("LISP" . ,(format "(progn (write-region \"x\" nil %S))" marker))
                    ("MARKER" . ,marker)
                    ("REMOTE" . "/ssh:trap:/x.org")
                    ("URL" . ,(format "http://127.0.0.1:%d/x.org" port))
                    ("PIPE" . ,(concat directory "pipe"))
                    ;; Up to the root from wherever Lisp files lie.
                    ("UP" . ,(concat "/../" (apply #'concat (make-list 12 "../"))
                                     (substring directory 1)))
                    ("DIR" . ,directory))
                  line)
      (setq line (replace-regexp-in-string (concat "\\b" (car pair))
                                           (cdr pair) line t t)))))

(defun ai-kb-batch-hostile-set-traps ()
  "Lay the traps in the test's directory; return the web server."
  (let ((trap (format "#!/bin/sh\n: > '%straps/program'\n" ai-kb-test-directory))
        (lisp (ai-kb-batch-hostile-fill "LISP" 0)))
    (dolist (name ai-kb-batch-hostile-programs)
      (set-file-modes (ai-kb-test-write (concat "bin/" name) trap) #o755))
    (make-directory "traps")
    (make-directory "home")
    (ai-kb-test-write "secret.org" "#+FILETAGS: :stolen:" "#+title: Stolen" "* h")
    (dolist (name '("evil.el" "oc-evil.el" "ob-evil.el"))
      (ai-kb-test-write name lisp "(provide 'evil)"))
    (ai-kb-test-write ".dir-locals.el" (format "((nil . ((eval . %s))))" lisp))
    (should (equal 0 (call-process "mkfifo" nil nil nil "pipe")))
    (setq ai-kb-batch-hostile-requests 0)
    (make-network-process
     :name "trap" :server t :host "127.0.0.1" :service t :family 'ipv4
     :noquery t
     :sentinel (lambda (connection event)
                 (when (string-prefix-p "open" event)
                   (setq ai-kb-batch-hostile-requests
                         (1+ ai-kb-batch-hostile-requests))
                   (delete-process connection))))))

(defun ai-kb-batch-hostile-sprung ()
  "Return what the traps have caught."
  (append (directory-files "traps" nil "\\`[^.]")
          (and (> ai-kb-batch-hostile-requests 0) '("web server"))))

(defun ai-kb-batch-hostile-check (file lines)
  "Fail if a note named FILE with LINES does anything but being read."
  (ai-kb-test-with-directory
    (let* ((server (ai-kb-batch-hostile-set-traps))
           (port (process-contact server :service))
           (good (ai-kb-test-write "good.org" "#+title: Good" "#+filetags: :kb:"))
           (bad (apply #'ai-kb-test-write file
                       (mapcar (lambda (line)
                                 (ai-kb-batch-hostile-fill line port))
                               lines)))
           (before (ai-kb-test-tree))
           (ai-kb-test-environment
            (list (concat "PATH=" ai-kb-test-directory "bin"))))
      (unwind-protect
          (let ((answers (ai-kb-test-ask good bad good)))
            (should-not (ai-kb-batch-hostile-sprung))
            (should (equal (ai-kb-test-tree) before))
            (should (equal (nth 0 answers) (nth 2 answers)))
            (should (ai-kb-test-get (nth 2 answers) :nodes))
            ;; It was read, and as it stands.
            (should (ai-kb-test-get (nth 1 answers) :nodes))
            (should-not (string-match-p "stolen" (format "%S" (nth 1 answers)))))
        (delete-process server)))))

;;;; Tests

(dolist (payload ai-kb-batch-hostile-payloads)
  (eval `(ert-deftest ,(intern (format "ai-kb-batch-hostile-test--%s" (car payload))) ()
           "The text is read, and nothing else happens."
           (ai-kb-batch-hostile-check "bad.org" '("#+title: Bad" "" ,@(cdr payload))))
        t))

(dolist (payload ai-kb-batch-hostile-raw-payloads)
  (eval `(ert-deftest ,(intern (format "ai-kb-batch-hostile-test--%s" (car payload))) ()
           "The text is read, and nothing else happens."
           (ai-kb-batch-hostile-check "bad.org" ',(cdr payload)))
        t))

(ert-deftest ai-kb-batch-hostile-test--file-name ()
  "No name makes Emacs decrypt, unpack or fetch."
  (dolist (name '("bad.org.gpg" "bad.org.gz" "ftp:bad.org" "bad.tar" "bad.el"))
    (ai-kb-batch-hostile-check name '("#+title: Bad"))))

(ert-deftest ai-kb-batch-hostile-test--remote-name ()
  "A remote file name on standard input is a file that does not exist."
  (ai-kb-test-with-directory
    (let ((server (ai-kb-batch-hostile-set-traps))
          (ai-kb-test-environment (list (concat "PATH=" ai-kb-test-directory "bin"))))
      (delete-process server)
      (should (equal (ai-kb-test-ask "/ssh:trap:/x.org" "/sudo::/etc/hosts")
                     '((file "/ssh:trap:/x.org" :error "No such file")
                       (file "/sudo::/etc/hosts" :error "No such file"))))
      (should-not (ai-kb-batch-hostile-sprung)))))

(ert-deftest ai-kb-batch-hostile-test--traps-work ()
  "A plain Emacs that visits and lints such notes springs the traps.
Else the other tests would prove nothing."
  (ai-kb-test-with-directory
    (let* ((server (ai-kb-batch-hostile-set-traps))
           (port (process-contact server :service))
           (process-environment
            (append (list (concat "PATH=" ai-kb-test-directory "bin")
                          (concat "HOME=" ai-kb-test-directory "home"))
                    process-environment))
           (plain (lambda (&rest lines)
                    (let ((path (apply #'ai-kb-test-write "bad.org"
                                       (mapcar (lambda (line)
                                                 (ai-kb-batch-hostile-fill line port))
                                               lines))))
                      (call-process
                       (expand-file-name invocation-name invocation-directory)
                       nil nil nil "-Q" "--batch" "--eval"
                       (format "(progn (setq enable-local-variables :all \
enable-local-eval t tramp-verbose 0 tramp-connection-timeout 2) (with-timeout (5) \
(find-file %S) (ignore-errors (org-lint))))" path)))
                    (prog1 (ai-kb-batch-hostile-sprung)
                      (mapc #'delete-file (directory-files "traps" t "\\`[^.]"))))))
      (unwind-protect
          (progn
            (should (member "marker"
                            (apply plain (alist-get 'local-variables
                                                    ai-kb-batch-hostile-payloads))))
            (delete-file ".dir-locals.el")
            (should-not (funcall plain "text"))
            (should (member "program" (funcall plain "#+INCLUDE: \"REMOTE\"")))
            (delete-process
             (make-network-process :name "visitor" :host "127.0.0.1" :service port))
            (ai-kb-test-wait #'ai-kb-batch-hostile-sprung))
        (delete-process server)))))

(provide 'ai-kb-batch-hostile-test)
;;; ai-kb-batch-hostile-test.el ends here
