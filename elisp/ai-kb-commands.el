;;; ai-kb-commands.el --- Find, read and make nodes of the knowledge base  -*- lexical-binding: t -*-

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

;; Commands for the knowledge base that need neither the switch nor
;; org-roam: all of them ask the ai-kb program.

;;; Code:

(require 'ai-kb-core)
(require 'ai-kb-node)
(require 'ai-kb-process)
(require 'ai-kb-queue)
(require 'seq)
(require 'subr-x)

(autoload 'ai-kb-flymake-text "ai-kb-flymake")

;;;; Finding

;;;###autoload
(defun ai-kb-find ()
  "Choose a node of the knowledge base and visit it.
A title that no node has can become a new node."
  (interactive)
  (let ((chosen (ai-kb-node-read "Node: " (ai-kb-node-list) :free t)))
    (cond
     ((consp chosen) (ai-kb-node-open chosen))
     ((y-or-n-p (format "No node is called `%s'; make one? " chosen))
      (apply #'ai-kb-new chosen (ai-kb-commands--read-kind)))
     (t (message "No node is called `%s'" chosen)))))

;;;###autoload
(defun ai-kb-contested ()
  "Choose one of the contested nodes and visit it."
  (interactive)
  (if-let ((nodes (ai-kb-node-list "contested")))
      (ai-kb-node-open (ai-kb-node-read "Contested node: " nodes))
    (message "No node is contested")))

(defun ai-kb-commands--types ()
  "Return the types of nodes that the store knows."
  (or (alist-get 'types (ai-kb-node-ask "status")) ai-kb-node-types))

(defun ai-kb-commands--count (nodes key)
  "Return a sorted alist from the values of KEY to how many NODES have them.
KEY is a function of a node that returns a list."
  (mapcar (lambda (group) (cons (car group) (length (cdr group))))
          (sort (seq-group-by #'identity (seq-mapcat key nodes))
                (lambda (one other) (string< (car one) (car other))))))

(defun ai-kb-commands--scopes (nodes types)
  "Return an alist from names of parts of the index of NODES to their data.
A part is a list of an option of the program, its value, and how
many nodes there are.  TYPES are those that the store knows."
  (append
   (list (list "everything" nil nil (length nodes)))
   (mapcar (pcase-lambda (`(,type . ,count))
             (list (concat "type " type) "--type" type count))
           (ai-kb-commands--count
            nodes (lambda (node)
                    (seq-take (seq-filter (lambda (tag) (member tag types))
                                          (alist-get 'tags node))
                              1))))
   (mapcar (pcase-lambda (`(,project . ,count))
             (list (concat "project " project) "--project" project count))
           (ai-kb-commands--count
            nodes (lambda (node) (alist-get 'projects node))))))

;;;###autoload
(defun ai-kb-index ()
  "Choose a part of the index, then a node in it, and visit that.
A part is a type or a project; `everything' shows the whole page."
  (interactive)
  (let* ((scopes (ai-kb-commands--scopes (ai-kb-node-list)
                                         (ai-kb-commands--types)))
         (table (ai-kb-node-table
                 scopes (lambda (scope) (format "  %d" (nth 2 scope)))))
         (name (completing-read "Index of: " table nil t nil nil "everything"))
         (scope (cdr (assoc name scopes))))
    (if (not (car scope))
        (ai-kb-node-visit "index.org")
      (let ((nodes (ai-kb-commands--index-nodes (nth 0 scope) (nth 1 scope))))
        (ai-kb-node-open
         (ai-kb-node-read
          (format "Node of %s: " name) nodes
          :group (lambda (node) (alist-get 'section node))))))))

(defun ai-kb-commands--index-nodes (option value)
  "Return the part of the index by OPTION with VALUE, a list of nodes in order."
  (let-alist (ai-kb-node-ask "index" option value)
    (mapcan (pcase-lambda (`(,section . ,nodes))
              (mapcar (lambda (node)
                        (cons (cons 'section (symbol-name section)) node))
                      nodes))
            .sections)))

;;;###autoload
(defun ai-kb-backlinks (id)
  "Choose one of the links to the node with ID and visit it.
Interactively that is the node at point; elsewhere, and with a
prefix argument, you choose it."
  (interactive
   (list (or (and (not current-prefix-arg) (ai-kb-node-id-at-point))
             (alist-get 'id (ai-kb-node-read "Links to: " (ai-kb-node-list))))))
  (let* ((links (alist-get 'backlinks (ai-kb-node-ask "backlinks" id)))
         (names (mapcar (lambda (link)
                          (let-alist link
                            (cons (format "%s:%s" .title .line) link)))
                        links)))
    (if (not links)
        (message "Nothing links to this node")
      (let-alist
          (cdr (assoc (completing-read
                       "Linked from: "
                       (ai-kb-node-table
                        names (lambda (link)
                                (concat "  " (alist-get 'path link))))
                       nil t)
                      names))
        (if .path (ai-kb-node-visit .path .line)
          (user-error "Nothing was chosen"))))))

;;;; Writing

(defun ai-kb-commands--read-kind ()
  "Read a type and projects for a new node; return a list of both."
  (let ((projects (delete-dups
                   (cons "general"
                         (mapcan (lambda (node)
                                   (copy-sequence (alist-get 'projects node)))
                                 (ai-kb-node-list))))))
    (list (completing-read "Type: " (ai-kb-commands--types) nil t)
          (completing-read-multiple "Projects (general): " projects
                                    nil nil nil nil "general"))))

;;;###autoload
(defun ai-kb-new (title type projects)
  "Make a node with TITLE, of TYPE, for PROJECTS, and visit it when it is made.
It is checked, indexed and committed; Emacs does not wait."
  (interactive
   (cons (string-trim (read-string "Title: ")) (ai-kb-commands--read-kind)))
  (when (string-blank-p title) (user-error "A node needs a title"))
  (when (string-blank-p type) (user-error "A node needs a type"))
  (message "ai-kb: making `%s'..." title)
  (ai-kb-queue-add
   (append (list "new" (concat "--title=" title) (concat "--type=" type)
                 (format-time-string "--source=written in Emacs %Y-%m-%d"))
           (mapcar (lambda (project) (concat "--project=" project))
                   (delete "" projects)))
   #'ai-kb-commands--made))

(defun ai-kb-commands--made (answer err)
  "Visit the new node of ANSWER, or say what ERR is about.
A person who is in the middle of something else is only told."
  (cond
   (err
    (if-let ((findings (ai-kb-process-error-findings err)))
        (message "ai-kb: not made: %s" (alist-get 'message (car findings)))
      (message "ai-kb: not made: %s" (ai-kb-process-describe err))))
   ((active-minibuffer-window)
    (message "ai-kb: made %s" (alist-get 'path answer)))
   (t
    (ai-kb-node-visit (alist-get 'path answer))
    (goto-char (point-max))
    (message "ai-kb: made `%s'; write, and save to commit"
             (alist-get 'title answer)))))

;;;; Checking

(defun ai-kb-commands--show-findings (findings)
  "Show FINDINGS in a buffer of links to their places, for `next-error'."
  (with-current-buffer (get-buffer-create "*ai-kb findings*")
    (let ((inhibit-read-only t))
      (erase-buffer)
      (setq default-directory (ai-kb-core-true-directory ai-kb-directory))
      (dolist (finding findings)
        (let-alist finding
          (insert (format "%s:%s: %s: %s [%s]\n"
                          .path .line .severity .message .code)))))
    (compilation-mode)
    (goto-char (point-min))
    (display-buffer (current-buffer))))

;;;###autoload
(defun ai-kb-check-buffer ()
  "Check the text of the current buffer as a node of the knowledge base.
What is found is shown in a list when it is known; nothing is changed."
  (interactive)
  (unless buffer-file-name
    (user-error "This buffer visits no file"))
  (let ((name (file-name-nondirectory buffer-file-name)))
    (message "ai-kb: checking %s..." name)
    (condition-case err
        (ai-kb-process-start
         (list "check" "--stdin-as" (expand-file-name buffer-file-truename))
         (lambda (answer err)
           (let ((findings (alist-get 'findings answer)))
             (cond
              (err (message "ai-kb: %s" (ai-kb-process-describe err)))
              (findings (ai-kb-commands--show-findings findings)
                        (message "ai-kb: %d findings in %s"
                                 (length findings) name))
              (t (message "ai-kb: nothing wrong with %s" name)))))
         :input (ai-kb-flymake-text))
      (ai-kb-process-error (user-error "%s" (ai-kb-process-describe err))))))

(provide 'ai-kb-commands)

;;; ai-kb-commands.el ends here
