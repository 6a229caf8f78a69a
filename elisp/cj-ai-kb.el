;;; cj-ai-kb.el --- The design document's names for ai-kb  -*- lexical-binding: t -*-

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

;; The design document calls the commands `cj/…', after the
;; configuration that it was written for.  Load this file to have the
;; commands under these names too.

;;; Code:

(require 'ai-kb)

;; In a table, because these names do not begin with the package's name.
(pcase-dolist (`(,name . ,command)
               '((cj/org-roam-switch-to-ai-kb . ai-kb-switch-to-ai-kb)
                 (cj/org-roam-switch-to-personal . ai-kb-switch-to-personal)
                 (cj/ai-kb-db-sync . ai-kb-db-sync)))
  (defalias name command))

(provide 'cj-ai-kb)

;;; cj-ai-kb.el ends here
