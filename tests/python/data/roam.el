;;; roam.el --- What the real org-roam makes of folders of notes  -*- lexical-binding: t; -*-

;; emacs -Q --batch -l roam.el -f aikb-roam-main ROOT OUT
;;
;; Each folder below ROOT is synced with a database of its own; OUT is a JSON object: for each
;; folder `error' (the sync gave up), `warnings', `nodes' and `links'.  Never run it on anything
;; but test data: unlike ai-kb, org-roam opens the files as a person's Emacs would.

;;; Code:

(defvar aikb-roam-warnings nil)

(defun aikb-roam-start ()
  "Load Debian's org-roam, which `emacs -Q' does not look for."
  (setq load-prefer-newer nil
        user-emacs-directory (file-name-as-directory (getenv "HOME")))
  (require 'package)
  (add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
  (package-initialize)
  (setq org-id-track-globally nil vc-handled-backends nil create-lockfiles nil
        make-backup-files nil auto-save-default nil org-roam-v2-ack t
        org-inhibit-startup t org-resource-download-policy nil)
  (require 'org-roam)
  (setq org-element-use-cache nil)
  (advice-add 'display-warning :override
              (lambda (_type message &rest _) (push message aikb-roam-warnings))))

(defun aikb-roam-text (value)
  "Return VALUE as something that JSON has."
  (cond ((stringp value) (substring-no-properties value))
        ((numberp value) value)
        ((null value) nil)
        (t (format "%S" value))))

(defun aikb-roam-rows (rows)
  "Return ROWS of a query as vectors."
  (vconcat (mapcar (lambda (row) (vconcat (mapcar #'aikb-roam-text row))) rows)))

(defun aikb-roam-folder (folder database)
  "Sync FOLDER into DATABASE and return what it holds then."
  (setq org-roam-directory (file-name-as-directory (file-truename folder))
        org-roam-db-location database
        aikb-roam-warnings nil)
  (when (file-exists-p database) (delete-file database))
  (let ((failed (condition-case err (progn (org-roam-db-sync) nil)
                  (error (error-message-string err)))))
    (prog1
        (list
         (cons 'error failed)
         (cons 'warnings (vconcat aikb-roam-warnings))
         (cons 'nodes
               (aikb-roam-rows
                (mapcar (lambda (row) (cons (file-relative-name (car row) org-roam-directory)
                                            (cdr row)))
                        (org-roam-db-query [:select [file id level title] :from nodes]))))
         (cons 'tags (aikb-roam-rows (org-roam-db-query [:select [node-id tag] :from tags])))
         (cons 'aliases
               (aikb-roam-rows (org-roam-db-query [:select [node-id alias] :from aliases])))
         (cons 'refs (aikb-roam-rows (org-roam-db-query [:select [node-id ref] :from refs])))
         (cons 'links
               (aikb-roam-rows (org-roam-db-query [:select [source dest pos type] :from links]))))
      (org-roam-db--close))))

(defun aikb-roam-main ()
  "Sync every folder below the first argument and write JSON to the second."
  (aikb-roam-start)
  (let* ((root (pop command-line-args-left))
         (out (pop command-line-args-left))
         (database (expand-file-name "roam.db" (getenv "HOME")))
         (gc-cons-threshold (* 64 1024 1024))
         (inhibit-message t)
         answers)
    (dolist (folder (directory-files root t "\\`[^.]"))
      (push (cons (intern (file-name-nondirectory folder)) (aikb-roam-folder folder database))
            answers))
    (let ((coding-system-for-write 'utf-8-unix))
      (with-temp-file out (insert (json-encode answers))))))

(provide 'roam)
;;; roam.el ends here
