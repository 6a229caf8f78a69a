;;; ai-kb-batch-node.el --- Nodes and links as org-roam reads them  -*- lexical-binding: t; -*-

;; Copyright (C) 2026  ai-kb contributors

;; Author: ai-kb contributors
;; SPDX-License-Identifier: GPL-3.0-or-later

;; This program is free software; you can redistribute it and/or modify
;; it under the terms of the GNU General Public License as published by
;; the Free Software Foundation, either version 3 of the License, or
;; (at your option) any later version.

;; This program is distributed in the hope that it will be useful,
;; but WITHOUT ANY WARRANTY; without even the implied warranty of
;; MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
;; GNU General Public License for more details.

;; You should have received a copy of the GNU General Public License
;; along with this program.  If not, see <https://www.gnu.org/licenses/>.

;;; Commentary:

;; A part of ai-kb-batch.el: what org-roam's database would hold about the
;; current Org buffer, found out with Org's own functions.  The rules are
;; those of org-roam-db.el 2.2.1; org-roam itself is not needed.

;;; Code:

(defvar org-element-use-cache)
(defvar org-file-tags)
(defvar org-link-any-re)
(defvar org-property-re)

(declare-function org-back-to-heading "org" (&optional invisible-ok))
(declare-function org-collect-keywords "org" (keywords &rest args))
(declare-function org-element-context "org-element" (&optional element))
(declare-function org-element-map "org-element" (data types fun &rest args))
(declare-function org-element-parse-buffer "org-element" (&rest args))
(declare-function org-element-property "org-element" (property element &rest args))
(declare-function org-element-type "org-element" (element &rest args))
(declare-function org-get-property-block "org" (&optional beg force))
(declare-function org-get-tags "org" (&optional pos local))
(declare-function org-heading-components "org" ())
(declare-function org-id-get "org-id" (&optional pom &rest args))
(declare-function org-in-regexp "org-macs" (regexp &optional nlines visually))
(declare-function org-link-display-format "ol" (s))
(declare-function org-map-region "org" (fun beg end))
(declare-function org-outline-level "org" ())

;;;; Nodes

(defun ai-kb-batch-node--properties ()
  "Return the drawer of the node at point as an alist, in the file's order.
Org's rules hold: case does not matter, the first value wins, KEY+ adds
to the value of KEY wherever it stands.  `org-entry-properties' is not
asked because it adds what is not in the drawer and drops what bears
the name of a special property."
  (save-excursion
    (let ((range (org-get-property-block))
          (case-fold-search t)
          keys base extra)
      (when range
        (goto-char (car range))
        (while (re-search-forward org-property-re (cdr range) t)
          (let* ((raw (upcase (match-string-no-properties 2)))
                 (value (or (match-string-no-properties 3) ""))
                 (more (string-suffix-p "+" raw))
                 (key (if more (substring raw 0 -1) raw)))
            (unless (member key keys)
              (push key keys))
            (cond (more (push (cons key value) extra))
                  ((not (assoc key base)) (push (cons key value) base))))))
      (setq extra (nreverse extra))
      (mapcar (lambda (key)
                (let ((values (and (assoc key base)
                                   (list (cdr (assoc key base))))))
                  (dolist (pair extra)
                    (when (equal (car pair) key)
                      (setq values (append values (list (cdr pair))))))
                  (cons key (mapconcat #'identity values " "))))
              (nreverse keys)))))

(defun ai-kb-batch-node--at-point (level title tags)
  "Return the node at point as a plist, given its LEVEL, TITLE and TAGS."
  (list :level level
        :line (line-number-at-pos)
        :id (let ((id (org-id-get))) (and id (substring-no-properties id)))
        :title (and title
                    (substring-no-properties (org-link-display-format title)))
        :tags (mapcar #'substring-no-properties tags)
        :properties (ai-kb-batch-node--properties)))

(defun ai-kb-batch-node-list ()
  "Return the nodes of this buffer as org-roam's database would have them.
That is the file, with or without an ID, unless its first line is
a heading, and each heading with an ID.  ROAM_EXCLUDE and missing
titles are left for the caller to judge."
  (let (nodes)
    (goto-char (point-min))
    (when (= (org-outline-level) 0)
      (push (ai-kb-batch-node--at-point
             0
             (cadr (assoc "TITLE" (org-collect-keywords '("TITLE"))))
             org-file-tags)
            nodes))
    (org-map-region
     (lambda ()
       (save-excursion
         (org-back-to-heading t)
         (when (org-id-get)
           (let ((components (org-heading-components)))
             (push (ai-kb-batch-node--at-point (nth 1 components)
                                      (nth 4 components)
                                      (org-get-tags))
                   nodes)))))
     (point-min) (point-max))
    (nreverse nodes)))

;;;; Links

(defconst ai-kb-batch-node-excluded-keys
  '((node-property "ROAM_REFS")
    (keyword "transclude"))
  "Places whose links org-roam does not count.
The value of `org-roam-db-extra-links-exclude-keys', which also says
that all other properties and keywords do count.")

(defun ai-kb-batch-node--link-in (string scratch)
  "Return the link that STRING is, read in the Org buffer SCRATCH.
Org does not read links in properties and keywords; org-roam does, by
this detour."
  (with-current-buffer scratch
    (let ((org-element-use-cache nil))
      (erase-buffer)
      (insert string)
      (goto-char (point-min))
      (org-element-context))))

(defun ai-kb-batch-node--mark-elements ()
  "Put each link, property and keyword on its text as a text property.
So `ai-kb-batch-node-links' can ask what stands at a position in no time.
Asked for each link of an index of 1,000 notes, `org-element-context'
could take 17 seconds."
  (org-element-map (org-element-parse-buffer) '(link keyword node-property)
    (lambda (element)
      (let ((begin (org-element-property :begin element)))
        (put-text-property
         begin
         (if (eq (org-element-type element) 'link)
             (org-element-property :end element)
           (goto-char begin)
           (line-end-position))
         'ai-kb-batch element))
      nil)
    nil nil nil 'with-affiliated))

(defun ai-kb-batch-node--link-at-point (scratch)
  "Return the link at point as org-roam sees it, as (LINK . POSITION), or nil.
SCRATCH is an Org buffer."
  (let* ((element (get-text-property (point) 'ai-kb-batch))
         (type (org-element-type element))
         bounds)
    (cond
     ((eq type 'link)
      (cons element (org-element-property :begin element)))
     ((and element
           (not (member-ignore-case
                 (org-element-property :key element)
                 (cdr (assq type ai-kb-batch-node-excluded-keys))))
           (setq bounds (org-in-regexp org-link-any-re)))
      (cons (ai-kb-batch-node--link-in
             (buffer-substring-no-properties (car bounds) (cdr bounds)) scratch)
            (car bounds))))))

(defun ai-kb-batch-node-links (scratch)
  "Return the id links of this buffer, as (TARGET LINE).
The walk is that of `org-roam-db-map-links', which looks at what stands
at the end of each match of a regexp.  SCRATCH is an Org buffer."
  (let ((inhibit-modification-hooks t)
        links)
    (ai-kb-batch-node--mark-elements)
    (goto-char (point-min))
    (while (re-search-forward org-link-any-re nil t)
      (backward-char)
      (let* ((found (ai-kb-batch-node--link-at-point scratch))
             (link (car found)))
        (when (equal (org-element-property :type link) "id")
          (push (list (substring-no-properties
                       (org-element-property :path link))
                      (line-number-at-pos (cdr found)))
                links))))
    (nreverse links)))

(provide 'ai-kb-batch-node)
;;; ai-kb-batch-node.el ends here
