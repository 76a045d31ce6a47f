/** Tasks on the stock-keeping program: a feature, an error, speed, a renaming, and a new system. */
import { expectText, type Check, type Task } from './task.ts';
import { sbcl } from './sides.ts';
import { writeShop } from './shop.ts';

const SHOP = { needs: ['cl-fiveam'], prepare: writeShop };
const TEST = sbcl('(asdf:test-system :larder)');
/** Shows only the end of the test output, as an agent would that knows how much the compiler prints. */
const TEST_END = `${TEST} 2>&1 | tail -22`;
const QUIET = sbcl('(asdf:load-system :larder)');

function testsPass({ run }: Check): void {
  expectText(run(TEST), /Fail: 0 \( 0%\)/);
}

const PERISHABLE = `(defun discounted-price (item)
  "Return the price of ITEM less its discount in percent, in cents."
  (round (* (price-of item) (- 100 (discount-of item))) 100))`;

const DISCOUNT_SLOT = `   (discount :initarg :discount :initform 0 :accessor discount-of :documentation "In percent.")`;
const SLOT_BEFORE = `   (quantity :initarg :quantity :initform 0 :accessor quantity-of)))`;
const VALUE = '(* (price-of item) (quantity-of item))';
const DISCOUNTED_VALUE = '(* (discounted-price item) (quantity-of item))';
const LINE = '(quantity-of item) (price-of item)))';
const DISCOUNTED_LINE = '(quantity-of item) (discounted-price item)))';
const EXPORT = '#:quantity-of';
const EXPORTS = '#:quantity-of #:discount-of #:discounted-price';
const DISCOUNT_TEST = `(test discounts
  (let ((store (shop)))
    (setf (discount-of (find-item store "A1")) 25)
    (is (= 90 (discounted-price (find-item store "A1"))))
    (is (= 750 (total-value store)))
    (is (equal "A1 Apple: 5 x 90" (first (report-lines store))))))`;

const feature: Task = {
  ...SHOP,
  name: '3 a feature in four files',
  title: 'Items can have a discount in percent; values and reports use it. With tests.',
  goal: true,
  tools: async (agent, check) => {
    await agent.call('read-file', { path: '*.lisp' });
    const answer = await agent.call('edit-files', {
      edits: [
        { path: 'src/package.lisp', old: EXPORT, new: EXPORTS },
        {
          path: 'src/items.lisp',
          definition: 'item',
          old: SLOT_BEFORE,
          new: `${SLOT_BEFORE.slice(0, -2)}\n${DISCOUNT_SLOT}))`,
        },
        { path: 'src/items.lisp', definition: 'make-store', place: 'before', text: PERISHABLE },
        { path: 'src/stock.lisp', old: VALUE, new: DISCOUNTED_VALUE },
        { path: 'src/report.lisp', old: LINE, new: DISCOUNTED_LINE },
        { path: 't/tests.lisp', definition: 'test imports', place: 'after', text: DISCOUNT_TEST },
      ],
      test: 'larder/tests',
    });
    expectText(answer, /passed/);
    testsPass(check);
  },
  shell: (agent, check) => {
    agent.run('cat larder.asd src/*.lisp t/*.lisp');
    const answer = agent.run(`sed -i 's/${EXPORT}/${EXPORTS}/' src/package.lisp
sed -i 's/^   (quantity :initarg .*/   (quantity :initarg :quantity :initform 0 :accessor quantity-of)\\n${DISCOUNT_SLOT.replaceAll('"', '"')}))/' src/items.lisp
sed -i 's/${VALUE.replaceAll('*', String.raw`\*`)}/${DISCOUNTED_VALUE}/' src/stock.lisp
sed -i 's/(quantity-of item) (price-of item)/(quantity-of item) (discounted-price item)/' src/report.lisp
cat >> src/items.lisp <<'END'

${PERISHABLE}
END
cat >> t/tests.lisp <<'END'

${DISCOUNT_TEST}
END
${TEST_END}`);
    expectText(answer, /Fail: 0 \( 0%\)/);
    testsPass(check);
  },
};

const PRICE = `(defun parse-price (text)
  "Return the cents of a price such as 1.20 or 1,20."
  (let ((point (position-if (lambda (char) (find char ".,")) text)))
    (if point
        (+ (* 100 (parse-integer text :end point)) (parse-integer text :start (1+ point)))
        (* 100 (parse-integer text)))))`;

const error: Task = {
  ...SHOP,
  name: '4 an error, state kept',
  title: 'The import of this morning fails at one row. Fix the cause and let it go on; do not count anything twice.',
  goal: false,
  tools: async (agent, check) => {
    await agent.call('load-system', { system: 'larder' });
    const held = await agent.call(
      'evaluate-lisp',
      {
        code: `(defvar *store* (larder:make-store))
(larder:import-rows *store* '("A1;Apple;1.20;5" "B2;Bread;3,10;1" "C3;Cake;12;2"))`,
        hold: true,
      },
      true,
    );
    expectText(held, /RETRY-ROW/);
    await agent.call('find-definition', { symbol: 'larder::parse-price', source: true });
    await agent.call('edit-files', {
      edits: [{ path: 'src/import.lisp', definition: 'parse-price', text: PRICE }],
      load: true,
    });
    expectText(await agent.call('invoke-restart', { restart: 'RETRY-ROW' }), /=> 3/);
    expectText(await agent.aside('(larder:total-value *store*)'), /=> 3310/);
    testsPass(check);
  },
};

const FASTER = `(defun duplicate-names (store)
  "Return the names that more than one item of STORE has, each once, in alphabetical order."
  (let ((counts (make-hash-table :test #'equal)))
    (dolist (item (items-of store))
      (incf (gethash (name-of item) counts 0)))
    (sort (loop for name being the hash-keys of counts using (hash-value count)
                when (> count 1) collect name)
          #'string<)))`;

const MANY = `(defparameter *many* (let ((store (larder:make-store)))
  (dotimes (i 2000 store) (larder:add-item store (format nil "S~D" i) (format nil "N~D" (mod i 1500)) 100 1))))`;
const DUPLICATES = '(length (larder:duplicate-names *many*))';

const speed: Task = {
  ...SHOP,
  name: '5 speed',
  title: 'duplicate-names takes long in a store of 2,000 items. Make it fast, and say by how much.',
  goal: true,
  tools: async (agent, check) => {
    await agent.call('profile-code', { code: `(asdf:load-system "larder")\n${MANY}\n${DUPLICATES}` });
    await agent.call('find-definition', { symbol: 'larder:duplicate-names', source: true });
    const after = await agent.call('edit-files', {
      edits: [{ path: 'src/report.lisp', definition: 'duplicate-names', text: FASTER }],
      load: true,
      evaluate: `(time ${DUPLICATES})`,
      test: 'larder/tests',
    });
    expectText(after, /=> 500/);
    testsPass(check);
  },
  shell: (agent, check) => {
    const profile = `(sb-sprof:with-profiling (:report :flat :max-samples 10000) (print (time ${DUPLICATES})))`;
    agent.run('cat src/items.lisp src/report.lisp');
    agent.run(
      `${QUIET} --eval '(require :sb-sprof)' --eval '${MANY}' --eval '${profile}' 2>&1 | grep -v '^;' | head -40`,
    );
    const after = agent.run(`python3 - <<'END'
import re
s = open("src/report.lisp").read()
i = s.index("(defun duplicate-names")
open("src/report.lisp", "w").write(s[:i] + '''${FASTER}
''')
END
${QUIET} --eval '${MANY}' --eval '(print (time ${DUPLICATES}))' 2>&1 | grep -v '^;'
${TEST_END}`);
    expectText(after, /500/);
    testsPass(check);
  },
};

const UNIT_SLOT = `   (unit :initarg :unit :initform "piece" :accessor unit-of)`;

const renaming: Task = {
  ...SHOP,
  name: '6 a new name and a slot, live',
  title:
    'price-of shall be unit-price everywhere, and items get a unit, "piece" by default. The image has 1,000 items.',
  goal: true,
  tools: async (agent, check) => {
    // Prepares the image for the task.
    await agent.aside(`(asdf:load-system "larder") (defvar *store* (larder:make-store))
(dotimes (i 1000) (larder:add-item *store* (format nil "S~D" i) "Thing" i 1))`);
    expectText(await agent.call('rename-symbol', { symbol: 'larder:price-of', new_name: 'unit-price' }), /unit-price/);
    const answer = await agent.call('edit-files', {
      edits: [
        { path: 'src/package.lisp', old: '#:quantity-of', new: '#:quantity-of #:unit-of' },
        {
          path: 'src/items.lisp',
          old: '   (price :initarg :price',
          new: `${UNIT_SLOT}\n   (price :initarg :price`,
        },
      ],
      load: true,
      test: 'larder/tests',
    });
    expectText(answer, /passed/);
    expectText(
      await agent.aside(`(list (larder:total-value *store*) (larder:unit-price (larder:find-item *store* "S7"))
 (larder::unit-of (larder:find-item *store* "S7")) (fboundp (find-symbol "PRICE-OF" :larder)))`),
      /=> \(499500 7 "piece" NIL\)/,
    );
    expectText(check.run('grep -rn price-of . ; echo none'), /^none$/m);
    testsPass(check);
  },
  shell: (agent, check) => {
    agent.run(
      'grep -rn "price-of" . --include=*.lisp; grep -n "defclass item" -A6 src/items.lisp; cat src/package.lisp',
    );
    agent.run(`sed -i 's/price-of/unit-price/g' $(grep -rl price-of src t)
sed -i 's/#:quantity-of/#:quantity-of #:unit-of/' src/package.lisp
sed -i 's/^   (price :initarg/${UNIT_SLOT}\\n   (price :initarg/' src/items.lisp
grep -rn "price-of" .
${TEST_END}`);
    testsPass(check);
  },
};

const TEMPERATURE: Readonly<Record<string, string>> = {
  'warmth.asd': `(defsystem "warmth"
  :description "Conversions of temperatures."
  :components ((:file "package") (:file "warmth" :depends-on ("package")))
  :in-order-to ((test-op (test-op "warmth/tests"))))

(defsystem "warmth/tests"
  :depends-on ("warmth" "fiveam")
  :components ((:file "tests"))
  :perform (test-op (o c)
             (unless (symbol-call :fiveam :run! (find-symbol "WARMTH" "WARMTH/TESTS"))
               (error "Tests failed."))))
`,
  'package.lisp': `(defpackage #:warmth
  (:use #:cl)
  (:export #:convert #:unknown-scale #:scale-of))
`,
  'warmth.lisp': `(in-package #:warmth)

(define-condition unknown-scale (error)
  ((scale :initarg :scale :reader scale-of))
  (:report (lambda (condition stream) (format stream "No scale ~S." (scale-of condition)))))

(defun to-kelvin (degrees scale)
  (ecase scale
    (:kelvin degrees)
    (:celsius (+ degrees 5463/20))
    (:fahrenheit (* 5/9 (+ degrees 45967/100)))))

(defun from-kelvin (kelvin scale)
  (ecase scale
    (:kelvin kelvin)
    (:celsius (- kelvin 5463/20))
    (:fahrenheit (- (* 9/5 kelvin) 45967/100))))

(defun convert (degrees from to)
  "Return DEGREES of the scale FROM in the scale TO; exact for rationals."
  (dolist (scale (list from to))
    (unless (member scale '(:kelvin :celsius :fahrenheit))
      (error 'unknown-scale :scale scale)))
  (from-kelvin (to-kelvin degrees from) to))
`,
  'tests.lisp': `(defpackage #:warmth/tests
  (:use #:cl #:warmth #:fiveam))
(in-package #:warmth/tests)

(def-suite warmth)
(in-suite warmth)

(test known-points
  (is (= 100 (convert 212 :fahrenheit :celsius)))
  (is (= 32 (convert 0 :celsius :fahrenheit)))
  (is (= 5463/20 (convert 0 :celsius :kelvin)))
  (is (= -40 (convert -40 :celsius :fahrenheit))))

(test round-trips
  (dolist (scale '(:kelvin :celsius :fahrenheit))
    (is (= 17 (convert (convert 17 :celsius scale) scale :celsius)))))

(test wrong-scales
  (signals unknown-scale (convert 1 :celsius :reaumur)))
`,
};

const nothing: Task = {
  name: '7 a system from nothing',
  title: 'Write a library that converts temperatures, exact for rationals, as a system with tests.',
  goal: true,
  needs: ['cl-fiveam'],
  prepare: () => Promise.resolve(),
  tools: async (agent, check) => {
    const answer = await agent.call('edit-files', {
      edits: Object.entries(TEMPERATURE).map(([file, content]) => ({ path: file, content })),
      test: 'warmth/tests',
    });
    expectText(answer, /passed/);
    expectText(check.run(sbcl('(asdf:test-system :warmth)')), /Fail: 0 \( 0%\)/);
  },
  shell: (agent) => {
    agent.run(
      Object.entries(TEMPERATURE)
        .map(([file, text]) => `cat > ${file} <<'END'\n${text}END`)
        .join('\n'),
    );
    expectText(agent.run(`${sbcl('(asdf:test-system :warmth)')} 2>&1 | tail -22`), /Fail: 0 \( 0%\)/);
  },
};

const withClMcp: Task['clMcp'] = async (agent, folder) => {
  await agent.call('fs-set-project-root', { path: folder });
  for (const [file, content] of Object.entries(TEMPERATURE)) await agent.call('fs-write-file', { path: file, content });
  await agent.call('repl-eval', { code: `(asdf:load-asd "${folder}/warmth.asd")` });
  expectText(await agent.call('run-tests', { system: 'warmth/tests' }), /pass/i);
};

export const shopTasks = { feature, error, speed, renaming, nothing: { ...nothing, clMcp: withClMcp } };
