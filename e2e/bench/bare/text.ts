/** The text that both windows show. */

/** A word of the first line. It contains no spaces, because Monaco draws spaces as other characters. */
export const MARK = 'launch-benchmark';

const AREA = `(defclass shape ()
  ((name :initarg :name :reader name :type string))
  (:documentation "Something with an area."))

(defgeneric area (shape)
  (:documentation "The area in square metres."))

(defmethod area ((shape circle))
  (* pi (expt (radius shape) 2)))
`;

export const TEXT = `;;;; ${MARK}\n\n${Array.from({ length: 12 }, () => AREA).join('\n')}`;
