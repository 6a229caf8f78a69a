;;; ai-kb-scope.el --- What is yours while the knowledge base is on  -*- lexical-binding: t -*-

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

;; While the knowledge base is on, the values of your own roam are kept
;; here, exactly as they were, and what is yours runs with them:
;; `ai-kb-scope-call'.  Hooks are never replaced by a copy: a function
;; that is yours is wrapped, and whatever you add or remove meanwhile
;; is still there when the wrappers come off.
;;
;; Each change pushes its own way back (`ai-kb-scope-push-undo'), so
;; that an error half-way and an ordinary exit take the same road.

;;; Code:

(require 'ai-kb-core)
(require 'cl-lib)
(require 'seq)

;;;; The way back

(defvar ai-kb-scope--undo nil
  "List of (LABEL . FUNCTION), the newest change first.")

(defun ai-kb-scope-push-undo (label function)
  "Remember FUNCTION as the way back from LABEL, a change."
  (push (cons label function) ai-kb-scope--undo))

(defun ai-kb-scope-unwind ()
  "Go back the whole way; return what failed, a list of strings.
A failure does not keep the others from being taken back."
  (let ((inhibit-quit t)
        failures)
    (while ai-kb-scope--undo
      (pcase-let ((`(,label . ,function) (pop ai-kb-scope--undo)))
        (condition-case err
            (funcall function)
          (error (push (format "%s: %s" label (error-message-string err))
                       failures)))))
    (nreverse failures)))

;;;; Variables

(defvar ai-kb-scope--personal nil
  "Alist from each changed variable to its value in your own roam.")

(defun ai-kb-scope-personal-cell (symbol)
  "Return the cell (SYMBOL . VALUE) of your own roam, or nil.
It is nil when the knowledge base is off."
  (assq symbol ai-kb-scope--personal))

(defun ai-kb-scope-set-variables (values)
  "Give the variables of the alist VALUES their values for the store.
They are set together and at top level.  A variable whose new value
does not show, because something has bound it, is an error."
  (let ((inhibit-quit t))
    (setq ai-kb-scope--personal
          (mapcar (lambda (cell)
                    (cons (car cell) (default-toplevel-value (car cell))))
                  values))
    (ai-kb-scope-push-undo "variables" #'ai-kb-scope--restore-variables)
    (pcase-dolist (`(,symbol . ,value) values)
      (set-default-toplevel-value symbol value)))
  (pcase-dolist (`(,symbol . ,value) values)
    (unless (eq (default-value symbol) value)
      (signal 'ai-kb-switch-error (list (format "`%s' is let-bound" symbol))))))

(defun ai-kb-scope--restore-variables ()
  "Give all variables the values of your own roam."
  (pcase-dolist (`(,symbol . ,value) ai-kb-scope--personal)
    (set-default-toplevel-value symbol value))
  (setq ai-kb-scope--personal nil))

(defun ai-kb-scope-call (function &rest args)
  "Call FUNCTION with ARGS as if the knowledge base were not on.
What FUNCTION sets in your own roam's variables is kept for you."
  (if (null ai-kb-scope--personal)
      (apply function args)
    (let ((buffer (current-buffer))
          (personal ai-kb-scope--personal))
      ;; In a buffer without local values the DEFAULT values are bound,
      ;; so that FUNCTION finds them in whatever buffer it goes to.
      (with-temp-buffer
        (cl-progv (mapcar #'car personal) (mapcar #'cdr personal)
          (unwind-protect
              (with-current-buffer buffer
                (apply function args))
            (dolist (cell personal)
              (setcdr cell (default-value (car cell))))))))))

;;;; Hooks

(defvar ai-kb-scope--originals (make-hash-table :test #'eq :weakness 'key)
  "From each wrapper to the function that it wraps.")

(cl-defstruct (ai-kb-scope--hook (:copier nil))
  symbol
  (buffer nil :documentation "The buffer of a local value, nil for the default.")
  (saved nil :documentation "The value itself, for `eq'.")
  (dropped nil :documentation "Functions of SAVED that do not run meanwhile."))

(defvar ai-kb-scope--hooks nil
  "The changed hooks, a list of `ai-kb-scope--hook'.")

(defun ai-kb-scope-rescoped (function)
  "Return a wrapper of FUNCTION for your own roam.
In a buffer that visits the store it does nothing."
  (let ((wrapper (lambda (&rest args)
                   (unless (ai-kb-core-store-buffer-p)
                     (apply #'ai-kb-scope-call function args)))))
    (puthash wrapper function ai-kb-scope--originals)
    wrapper))

(defun ai-kb-scope-functions (value)
  "Return the hook VALUE as a list of functions, possibly with t."
  (if (or (functionp value) (not (listp value))) (list value) value))

(defun ai-kb-scope--unwrapped (value)
  "Return the hook VALUE as a list without wrappers and without doubles."
  (delete-dups
   (mapcar (lambda (function)
             (gethash function ai-kb-scope--originals function))
           (ai-kb-scope-functions value))))

(defun ai-kb-scope-same-set-p (one other)
  "Return non-nil when the lists ONE and OTHER have the same elements."
  (and (seq-every-p (lambda (element) (member element other)) one)
       (seq-every-p (lambda (element) (member element one)) other)))

(defun ai-kb-scope-back-to (saved now)
  "Return SAVED when NOW has the same elements, else what NOW became.
Both are hook values.  Elements that were in SAVED keep their order."
  (let ((was (ai-kb-scope-functions saved)))
    (if (ai-kb-scope-same-set-p was now)
        saved
      (append (seq-remove (lambda (function) (member function was)) now)
              (seq-filter (lambda (function) (member function now)) was)))))

(defun ai-kb-scope--hook-value (symbol buffer)
  "Return the value of the hook SYMBOL, local to BUFFER when non-nil."
  (if buffer (buffer-local-value symbol buffer) (default-toplevel-value symbol)))

(defun ai-kb-scope--set-hook (symbol buffer value)
  "Set the hook SYMBOL to VALUE, locally to BUFFER when non-nil."
  (if buffer
      (with-current-buffer buffer (set (make-local-variable symbol) value))
    (set-default-toplevel-value symbol value)))

(defun ai-kb-scope-change-hook (symbol buffer change)
  "Pass each function of the hook SYMBOL through CHANGE.
CHANGE returns what is to stand in its place, or nil for nothing.
BUFFER is the buffer of a local value, or nil for the default."
  (let* ((saved (ai-kb-scope--hook-value symbol buffer))
         (functions (ai-kb-scope-functions saved))
         (dropped nil)
         (new nil))
    (dolist (function functions)
      (let ((instead (if (eq function t) t (funcall change function))))
        (if instead (push instead new) (push function dropped))))
    (setq new (nreverse new))
    (unless (equal new functions)
      (push (make-ai-kb-scope--hook :symbol symbol :buffer buffer
                                    :saved saved :dropped dropped)
            ai-kb-scope--hooks)
      (ai-kb-scope--set-hook symbol buffer new))))

(defun ai-kb-scope--restore-hook (hook)
  "Give HOOK its saved value back, with what you changed meanwhile."
  (let* ((symbol (ai-kb-scope--hook-symbol hook))
         (buffer (ai-kb-scope--hook-buffer hook)))
    (when (or (null buffer)
              (and (buffer-live-p buffer) (local-variable-p symbol buffer)))
      (ai-kb-scope--set-hook
       symbol buffer
       (ai-kb-scope-back-to
        (ai-kb-scope--hook-saved hook)
        (delete-dups
         (append (ai-kb-scope--unwrapped
                  (ai-kb-scope--hook-value symbol buffer))
                 (ai-kb-scope--hook-dropped hook))))))))

(defun ai-kb-scope-restore-hooks (&optional buffer)
  "Give all changed hooks their values back, or only those local to BUFFER."
  (let ((hooks (seq-filter (lambda (hook)
                             (or (null buffer)
                                 (eq buffer (ai-kb-scope--hook-buffer hook))))
                           ai-kb-scope--hooks)))
    (setq ai-kb-scope--hooks (seq-difference ai-kb-scope--hooks hooks #'eq))
    (mapc #'ai-kb-scope--restore-hook hooks)))

;;;;; Which functions are whose

(defconst ai-kb-scope-save-hooks '(before-save-hook after-save-hook)
  "Local hooks in which org-roam's functions write or index.")

(defconst ai-kb-scope-view-hooks '(post-command-hook
                                   completion-at-point-functions)
  "Local hooks in which org-roam's functions only show or offer.")

(defun ai-kb-scope-org-roam-function-p (function)
  "Return non-nil when FUNCTION is one of org-roam's, by its name."
  (and (symbolp function)
       (string-prefix-p "org-roam-" (symbol-name function))))

(defun ai-kb-scope--change-personal (function)
  "Return what stands in for FUNCTION of one of `ai-kb-personal-hooks'."
  (and (eq ai-kb-personal-hooks-action 'rescope)
       (ai-kb-scope-rescoped function)))

(defun ai-kb-scope--change-save (function)
  "Return what stands in for FUNCTION of a local save hook."
  (if (ai-kb-scope-org-roam-function-p function)
      (ai-kb-scope-rescoped function)
    function))

(defun ai-kb-scope--change-view (function)
  "Return FUNCTION of a local view hook unless it is one of org-roam's."
  (and (not (ai-kb-scope-org-roam-function-p function)) function))

(defun ai-kb-scope-hide-buffer (buffer)
  "Keep the functions that run in BUFFER, which is yours, in your roam.
In a buffer of the store only `ai-kb-personal-hooks' are changed."
  (let ((change (lambda (symbols function)
                  (dolist (symbol symbols)
                    (when (local-variable-p symbol buffer)
                      (ai-kb-scope-change-hook symbol buffer function))))))
    (funcall change ai-kb-personal-hooks #'ai-kb-scope--change-personal)
    (unless (ai-kb-core-store-buffer-p buffer)
      (funcall change ai-kb-scope-save-hooks #'ai-kb-scope--change-save)
      (funcall change ai-kb-scope-view-hooks #'ai-kb-scope--change-view))))

(defun ai-kb-scope-hide-hooks ()
  "Keep all functions that are yours in your own roam."
  (ai-kb-scope-push-undo "hooks" #'ai-kb-scope-restore-hooks)
  (dolist (symbol ai-kb-personal-hooks)
    (when (boundp symbol)
      (ai-kb-scope-change-hook symbol nil #'ai-kb-scope--change-personal)))
  (mapc #'ai-kb-scope-hide-buffer (buffer-list)))

(provide 'ai-kb-scope)

;;; ai-kb-scope.el ends here
