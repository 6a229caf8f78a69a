;;; ai-kb-node.el --- Choose and visit nodes of the knowledge base  -*- lexical-binding: t -*-

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

;; Nodes as the ai-kb program tells of them: alists with id, title,
;; path, line, tags, projects, status, updated and summary.  Here they
;; are read from the minibuffer and visited.  Neither Org nor org-roam
;; is needed for that.

;;; Code:

(require 'ai-kb-core)
(require 'ai-kb-process)
(require 'cl-lib)
(require 'seq)
(require 'subr-x)

(declare-function org-entry-get "org"
                  (epom property &optional inherit literal-nil))

(defface ai-kb-type
  '((t :inherit font-lock-type-face))
  "Face of a node's type beside its title."
  :group 'ai-kb)

(defface ai-kb-project
  '((t :inherit font-lock-constant-face))
  "Face of a node's projects beside its title."
  :group 'ai-kb)

(defface ai-kb-summary
  '((t :inherit completions-annotations))
  "Face of a node's summary beside its title."
  :group 'ai-kb)

(defconst ai-kb-node-types
  '("principle" "preference" "procedure" "observation" "reference")
  "The types that every store has.")

(defvar ai-kb-node-history nil
  "Titles of nodes that were read from the minibuffer.")

;;;; Asking

(defun ai-kb-node-ask (&rest arguments)
  "Return the answer of the program to ARGUMENTS.
When there is none, say why in a `user-error'."
  (condition-case err
      (apply #'ai-kb-process-call arguments)
    (ai-kb-process-error (user-error "%s" (ai-kb-process-describe err)))))

(defun ai-kb-node-list (&rest statuses)
  "Return all nodes, or those with one of STATUSES."
  (alist-get 'nodes
             (apply #'ai-kb-node-ask "find" "--limit" "1000000"
                    (mapcan (lambda (status) (list "--status" status))
                            (or statuses
                                (list "current" "contested" "superseded"))))))

(defun ai-kb-node-type (node)
  "Return the type of NODE, or nil."
  (let ((tags (alist-get 'tags node)))
    (or (seq-find (lambda (tag) (member tag ai-kb-node-types)) tags)
        (car tags))))

;;;; Reading

(defun ai-kb-node--candidates (nodes)
  "Return an alist from titles to NODES, each title once.
Where some nodes share a title it has the beginning of an id."
  (let ((count (make-hash-table :test #'equal)))
    (dolist (node nodes)
      (cl-incf (gethash (alist-get 'title node) count 0)))
    (mapcar (lambda (node)
              (let-alist node
                (cons (if (or (> (gethash .title count) 1)
                              (string-empty-p .title))
                          (format "%s <%s>" .title
                                  (substring .id 0 (min 8 (length .id))))
                        .title)
                      node)))
            nodes)))

(defun ai-kb-node--annotation (node)
  "Return what is shown beside the title of NODE."
  (let-alist node
    (concat
     (propertize " " 'display '(space :align-to 48))
     (propertize (format " %-12s" (or (ai-kb-node-type node) "-"))
                 'face 'ai-kb-type)
     (propertize (format "%-16s" (string-join .projects " "))
                 'face 'ai-kb-project)
     (and (not (equal .status "current"))
          (propertize (concat (upcase .status) " ") 'face 'warning))
     (propertize (truncate-string-to-width (or .summary "") 70 nil nil t)
                 'face 'ai-kb-summary))))

(defun ai-kb-node-table (candidates annotate &optional group)
  "Return a completion table for the alist CANDIDATES, in their order.
ANNOTATE is a function of a value that returns what is shown beside
its name; GROUP one that returns the heading above."
  (let ((metadata
         `(metadata
           (category . ai-kb-node)
           (display-sort-function . identity)
           (cycle-sort-function . identity)
           (affixation-function
            . ,(lambda (names)
                 (mapcar (lambda (name)
                           (list name ""
                                 (funcall annotate
                                          (cdr (assoc name candidates)))))
                         names)))
           ,@(and group
                  `((group-function
                     . ,(lambda (name transform)
                          (if transform name
                            (funcall group
                                     (cdr (assoc name candidates)))))))))))
    (lambda (string predicate action)
      (if (eq action 'metadata)
          metadata
        (complete-with-action action candidates string predicate)))))

(defun ai-kb-node-read (prompt nodes &rest options)
  "Read one of NODES from the minibuffer with PROMPT.
OPTIONS are `:free', which allows any text and then may return a
string, and `:group', a function of a node that names its group."
  (let* ((candidates (ai-kb-node--candidates nodes))
         (name (completing-read
                prompt
                (ai-kb-node-table candidates #'ai-kb-node--annotation
                                  (plist-get options :group))
                nil (not (plist-get options :free)) nil 'ai-kb-node-history)))
    (cond
     ((cdr (assoc name candidates)))
     ((string-blank-p name) (user-error "Nothing was chosen"))
     (t name))))

;;;; Visiting

(defun ai-kb-node-visit (path &optional line)
  "Visit the file PATH of the store at LINE.
Variables that the file would set are ignored: an agent wrote it."
  (let ((buffer (let ((enable-local-variables nil)
                      (enable-local-eval nil))
                  (find-file-noselect
                   (expand-file-name path (expand-file-name ai-kb-directory))))))
    (pop-to-buffer-same-window buffer)
    (when (and line (> line 1))
      (push-mark nil t)
      (widen)
      (goto-char (point-min))
      (forward-line (1- line)))
    buffer))

(defun ai-kb-node-open (node)
  "Visit NODE."
  (let-alist node
    (ai-kb-node-visit .path .line)))

(defun ai-kb-node-id-at-point ()
  "Return the id of the node at point, or nil."
  (and (derived-mode-p 'org-mode)
       (ai-kb-core-store-buffer-p)
       (org-entry-get nil "ID" t)))

(provide 'ai-kb-node)

;;; ai-kb-node.el ends here
