(cl:in-package #:lisp-workbench/tests)

(defun octets (text)
  (coerce (sb-ext:string-to-octets text :external-format :utf-8) '(simple-array (unsigned-byte 8) (*))))

(defun read-json (text)
  (handler-case (parse-json (octets text))
    (json-syntax-error () :no-json)))

(defun written-json (value)
  (let ((buffer (encode-json value (make-octet-buffer 1))))
    (sb-ext:octets-to-string (lisp-workbench/protocol::octet-buffer-octets buffer)
                             :end (lisp-workbench/protocol::octet-buffer-fill buffer) :external-format :utf-8)))

(deftest "JSON is read as it is defined"
  (loop for (text value)
          in `(("null" nil) ("true" t) ("false" nil) ("0" 0) ("-12" -12) ("1.5" 3/2) ("2e3" 2000) ("25e-1" 5/2)
               ("\"\"" "") ("\"a\\n\\\"\\\\\\/\\t\"" ,(format nil "a~%\"\\/~C" #\Tab))
               ("\"\\u00e9\\ud83d\\ude00\"" ,(coerce '(#.(code-char #xe9) #.(code-char #x1f600)) 'string))
               ("\"\\ud800x\"" ,(coerce (list (code-char #xd800) #\x) 'string))
               ("[]" #()) (" [1, [2] , {}] " #(1 #(2) (:object))) ("{\"a\":{\"b\":[null]}}" (:object "a" (:object "b" #(nil)))))
        do (is (equalp value (read-json text)) "~A gave ~S" text (read-json text))))

(deftest "What is no JSON is refused"
  (dolist (text '("" "nul" "[1" "[1,]" "{\"a\"}" "{a:1}" "\"" "\"\\x\"" "\"\\u12g4\"" "1 2" "-" "1." "01x" "{\"a\":1,}" "#.(+ 1 2)"))
    (is (eq :no-json (read-json text)) "~S was read as ~S" text (read-json text)))
  (is (eq :no-json (read-json (make-string 100000 :initial-element #\[)))))

(deftest "JSON text round trips, astral characters, controls and lone surrogates included"
  (dolist (text (list "" "plain" (format nil "~C~C~%\"\\" (code-char 0) (code-char 31))
                      (coerce (list (code-char #xe9) (code-char #x2028) (code-char #xffff) (code-char #x1f600)) 'string)
                      (make-string 10000 :initial-element (code-char #x3bb))))
    (is (equal text (read-json (written-json text)))))
  (is (equal "\"\\udc00\"" (written-json (string (code-char #xdc00))))))

(deftest "JSON numbers, arrays and objects are written whatever the printer's variables say"
  (let ((*print-base* 2) (*print-radix* t) (*print-readably* t) (*print-length* 1))
    (is (equal "{\"a\":[1,-20,1.5,0.001,-0.25,123456789012345678901],\"b\":null,\"c\":true,\"d\":false,\"e\":[]}"
               (written-json (object "a" (vector 1 -20 3/2 1/1000 -0.25d0 123456789012345678901)
                                     "b" nil "c" t "d" :false "e" (array-of '())))))))

(deftest "Octets that are no UTF-8 become U+FFFD one by one"
  (flet ((decoded (&rest codes)
           (map 'list #'char-code
                (parse-json (coerce `(34 ,@codes 34) '(simple-array (unsigned-byte 8) (*)))))))
    (is (equal '(#xfffd) (decoded #xff)))
    (is (equal '(#xfffd #x28) (decoded #xc3 #x28)))
    (is (equal '(#xfffd #xfffd #x61) (decoded #xe2 #x82 #x61)))
    (is (equal '(#xfffd #xfffd) (decoded #xc0 #x80)))
    (is (equal '(#xfffd #xfffd #xfffd) (decoded #xed #xa0 #x80)))
    (is (equal '(#x1f600) (decoded #xf0 #x9f #x98 #x80)))))
