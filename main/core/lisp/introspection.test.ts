import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Relation } from '#contract/introspection.ts';
import { openTestImage, type TestImage } from './image.fixture.ts';

const SHOP = `(defpackage :shop (:use :cl))
(in-package :shop)
; 😀 (defun price (x) commented)
#+no-such-feature (defun price (x) hidden)
(defvar *tax* 2 "😀")
(defconstant +rate+ 3)
(defmacro with-till ((name) &body body) \`(let ((,name *tax*)) ,@body))
(progn
  (defun price (item) (+ item *tax*)) (defun total (items) (reduce #'+ (mapcar #'price items))))
(defgeneric discount (customer item)
  (:documentation "Less.")
  (:method ((customer string) item) (price item)))
(defmethod discount :around ((customer symbol) item)
  (list '(quoted (price)) (price item) (call-next-method)))
(defmethod discount ((customer symbol) item) (setf *tax* (price (price item))))
(defun (setf price) (value item) (list value item))
(defclass item () ((weight :initarg :weight :accessor weight)))
(defclass tool (item) ())
(defstruct point x y)
(define-condition sold-out (error) ())
(deftype amount () '(integer 0))
(define-symbol-macro till *tax*)
(define-compiler-macro total (&whole form items) (declare (ignore items)) form)
(defsetf shelf (n) (value) \`(list ,n ,value))
(define-method-combination loudest)
(defun sell () (with-till (tax) (let ((*tax* 1)) (list tax (price 2) (make-instance 'tool)))))
(defmethod weigh ((thing item)) thing)
`;

let lisp: TestImage;
/** Holds SHOP. */
let file: string;

beforeAll(async () => {
  lisp = await openTestImage();
  file = path.join(lisp.directory, 'shop.lisp');
  await writeFile(file, SHOP);
  await lisp.value(`(load (compile-file "${file}"))`);
});

afterAll(() => lisp.close());

const here = { context: 'test', package: null };

describe('D4 completion', () => {
  const complete = (prefix: string, more: { text?: string; offset?: number; package?: string } = {}) =>
    lisp.ask('complete', { ...here, prefix, text: null, offset: null, limit: 3, ...more });

  it('tells what could be inserted and where it matches', async () => {
    const { completions, total } = await complete('mvb');
    expect(completions[0]).toMatchObject({
      text: 'multiple-value-bind',
      kinds: ['macro'],
      lambdaList: '(VARS VALUE-FORM &BODY BODY)',
      package: 'COMMON-LISP',
      matches: [
        [0, 1],
        [9, 10],
        [15, 16],
      ],
    });
    expect(total).toBeGreaterThan(0);
  });

  it('offers locals first, counting as the editor does', async () => {
    const text = '(let ((😀 1) (total 2)) (+ tot';
    expect((await complete('tot', { text, offset: text.length })).completions[0]).toMatchObject({
      text: 'total',
      kinds: ['local-variable'],
      package: null,
    });
  });

  it('offers the keywords of the call around first', async () => {
    const text = '(make-array 3 :in';
    expect((await complete(':in', { text, offset: text.length })).completions.slice(0, 2)).toMatchObject([
      { text: ':initial-element', kinds: ['keyword'] },
      { text: ':initial-contents', kinds: ['keyword'] },
    ]);
  });

  it('says which package is unknown', async () => {
    await expect(complete('x', { package: 'nope' })).rejects.toThrow('"nope" does not designate any package');
  });

  it('never shows the engine', async () => {
    for (const prefix of ['lisp-workbench', 'lisp-workbench/protocol::', ':lisp-workbench'])
      await expect(complete(prefix)).resolves.toEqual({ completions: [], total: 0 });
  });
});

describe('D4 lambda list', () => {
  const arglist = (text: string) => lisp.ask('arglist', { ...here, text, offset: text.length });

  it('of the innermost call, with the parameter that is being given', async () => {
    await lisp.evaluate('(defun pick (item &key (from 0) test) "Picks." (list item from test))');
    await expect(arglist('(let ((s "😀")) (pick #\\a :test ')).resolves.toEqual({
      found: true,
      operator: 'PICK',
      kind: 'function',
      lambdaList: '(ITEM &KEY (FROM 0) TEST)',
      parameters: [
        { text: 'ITEM', start: 1, end: 5 },
        { text: '(FROM 0)', start: 11, end: 19 },
        { text: 'TEST', start: 20, end: 24 },
      ],
      current: 2,
      documentation: 'Picks.',
    });
  });

  it('is not there outside of calls', async () => {
    await expect(arglist('x')).resolves.toMatchObject({ found: false, parameters: [] });
  });
});

describe('D10 apropos and packages', () => {
  const record = {
    name: 'PACK-SHIRT',
    printed: 'WARDROBE:PACK-SHIRT',
    package: 'WARDROBE',
    external: true,
    kinds: ['function', 'variable'],
    lambdaList: '(SHIRT &OPTIONAL FOLDED)',
    documentation: 'Puts a shirt away.',
  };

  beforeAll(async () => {
    await lisp.evaluate(
      `(defpackage :wardrobe (:use :cl) (:nicknames :wr) (:export #:pack-shirt) (:local-nicknames (:m :sb-mop))
                             (:documentation "Clothes."))
       (in-package :wardrobe)
       (defun pack-shirt (shirt &optional folded) "Puts a shirt away.
For long." (list shirt folded))
       (defvar pack-shirt 1)
       (defmacro pack-trousers () nil)`,
      { context: 'wardrobe' },
    );
  });

  it('finds symbols by a part of the name, of some kind, and by documentation', async () => {
    const apropos = (pattern: string, more = {}) =>
      lisp.ask('apropos', {
        pattern,
        package: null,
        externalOnly: false,
        kinds: null,
        documentation: false,
        limit: 10,
        ...more,
      });
    await expect(apropos('ack-shir')).resolves.toEqual({ symbols: [record], total: 1 });
    await expect(apropos('shirt away', { documentation: true, package: 'wr' })).resolves.toEqual({
      symbols: [record],
      total: 1,
    });
    const names = async (more: object) => (await apropos('pack-', more)).symbols.map(({ printed }) => printed);
    await expect(names({ package: 'wardrobe' })).resolves.toEqual(['WARDROBE:PACK-SHIRT', 'WARDROBE::PACK-TROUSERS']);
    await expect(names({ package: 'wardrobe', externalOnly: true })).resolves.toEqual(['WARDROBE:PACK-SHIRT']);
    await expect(names({ package: 'wardrobe', kinds: ['macro'] })).resolves.toEqual(['WARDROBE::PACK-TROUSERS']);
    await expect(apropos('lisp-workbench')).resolves.toEqual({ symbols: [], total: 0 });
  });

  it('lists packages with what they use, none of ours', async () => {
    const { packages } = await lisp.ask('packages', {});
    expect(packages.find(({ name }) => name === 'WARDROBE')).toEqual({
      name: 'WARDROBE',
      nicknames: ['WR'],
      localNicknames: [{ nickname: 'M', package: 'SB-MOP' }],
      uses: ['COMMON-LISP'],
      usedBy: [],
      symbols: 4,
      external: 1,
      internal: 3,
      locked: false,
      documentation: 'Clothes.',
      user: true,
    });
    expect(packages.find(({ name }) => name === 'COMMON-LISP')).toMatchObject({
      locked: true,
      user: false,
      external: 978,
    });
    expect(JSON.stringify(packages)).not.toMatch(/lisp-workbench/i);
  });

  it('lists the symbols of a package in parts', async () => {
    const symbols = (more = {}) =>
      lisp.ask('package-symbols', { package: 'wr', which: 'all', filter: 'pack', offset: 0, limit: 1, ...more });
    await expect(symbols({ which: 'external' })).resolves.toEqual({ package: 'WARDROBE', symbols: [record], total: 1 });
    await expect(symbols({ which: 'internal', filter: null, offset: 1, limit: 9 })).resolves.toMatchObject({
      symbols: [
        { name: 'PACK-TROUSERS', kinds: ['macro'] },
        { name: 'SHIRT', kinds: [], lambdaList: null },
      ],
      total: 3,
    });
    await expect(symbols({ which: 'inherited', filter: 'multiple-value-bi' })).resolves.toMatchObject({
      symbols: [{ name: 'MULTIPLE-VALUE-BIND' }],
      total: 1,
    });
    await expect(symbols({ package: 'lisp-workbench/protocol' })).rejects.toThrow('does not designate any package');
  });
});

describe('D4 definitions', () => {
  const find = (symbol: string, pkg: string | null = 'shop') =>
    lisp.ask('find-definition', { context: 'test', package: pkg, symbol });
  const texts = async (symbol: string) =>
    (await find(symbol)).definitions.map(({ kind, name, source, end }) => {
      expect(source?.file).toBe(file);
      const text = SHOP.slice(source!.offset!, end!);
      expect(SHOP.slice(0, source!.offset!).split('\n')).toHaveLength(source!.line!);
      return [kind, name, text];
    });

  it('stand where their text begins and ends, whatever their kind', async () => {
    const line = (start: string) => SHOP.split('\n').find((text) => text.startsWith(start))!;
    expect(await texts('price')).toEqual([
      ['function', 'PRICE', '(defun price (item) (+ item *tax*))'],
      ['setf-function', '(SETF PRICE)', '(defun (setf price) (value item) (list value item))'],
    ]);
    expect(await texts('total')).toEqual([
      ['function', 'TOTAL', "(defun total (items) (reduce #'+ (mapcar #'price items)))"],
      ['compiler-macro', 'TOTAL', line('(define-compiler-macro')],
    ]);
    expect(await texts('*tax*')).toEqual([['variable', '*TAX*', line('(defvar')]]);
    expect(await texts('+rate+')).toEqual([['constant', '+RATE+', line('(defconstant')]]);
    expect(await texts('with-till')).toEqual([['macro', 'WITH-TILL', line('(defmacro')]]);
    expect(await texts('item')).toEqual([['class', 'ITEM', line('(defclass item')]]);
    expect(await texts('point')).toEqual([['structure', 'POINT', line('(defstruct')]]);
    expect(await texts('make-point')).toEqual([['function', 'MAKE-POINT', line('(defstruct')]]);
    expect(await texts('sold-out')).toEqual([['condition', 'SOLD-OUT', line('(define-condition')]]);
    expect(await texts('amount')).toEqual([['type', 'AMOUNT', line('(deftype')]]);
    expect(await texts('till')).toEqual([['symbol-macro', 'TILL', line('(define-symbol-macro')]]);
    expect(await texts('shelf')).toEqual([['setf-expander', 'SHELF', line('(defsetf')]]);
    expect(await texts('loudest')).toEqual([['method-combination', 'LOUDEST', line('(define-method')]]);
    expect(await texts(':shop')).toEqual([['package', ':SHOP', line('(defpackage')]]);
  });

  it('of a generic function come with each of its methods', async () => {
    const found = (await texts('discount')).toSorted((one, other) => one[1]!.localeCompare(other[1]!));
    expect(found.map(([kind, name, text]) => [kind, name, text!.split('\n')[0]])).toEqual([
      ['generic-function', 'DISCOUNT', '(defgeneric discount (customer item)'],
      ['method', 'DISCOUNT :AROUND (SYMBOL T)', '(defmethod discount :around ((customer symbol) item)'],
      ['method', 'DISCOUNT (STRING T)', '(:method ((customer string) item) (price item))'],
      [
        'method',
        'DISCOUNT (SYMBOL T)',
        '(defmethod discount ((customer symbol) item) (setf *tax* (price (price item))))',
      ],
    ]);
  });

  it('that were evaluated from a file or a REPL tell so', async () => {
    const text = '(defun evaluated () 1)\n\n  (defun fresh () 2)';
    const other = path.join(lisp.directory, 'other.lisp');
    await writeFile(other, text);
    const { values } = await lisp.evaluate(text.slice(24), {
      source: { file: other, offset: 24, line: 3 },
      evaluation: 'of-file',
      actor: 'client:a',
    });
    expect(values).toHaveLength(1);
    await lisp.evaluate('(defun typed () 1)', { evaluation: 'of-repl' });
    expect((await find('fresh', null)).definitions).toEqual([
      {
        kind: 'function',
        name: 'FRESH',
        source: { file: other, offset: 26, line: 3 },
        end: text.length,
        snippet: '(defun fresh () 2)',
        evaluation: 'of-file',
        actor: 'client:a',
        why: null,
      },
    ]);
    expect((await find('typed', null)).definitions).toEqual([
      {
        kind: 'function',
        name: 'TYPED',
        source: null,
        end: null,
        snippet: null,
        evaluation: 'of-repl',
        actor: 'person',
        why: 'It was evaluated in the REPL.',
      },
    ]);
  });

  it('are found by name in a file that was changed since it was loaded', async () => {
    const other = path.join(lisp.directory, 'moved.lisp');
    const text = '(defun moved () 1)\n(defun calls-moved () (list 2 (moved)))\n(defstruct moving x)\n';
    await writeFile(other, text);
    await utimes(other, 1_600_000_000, 1_600_000_000);
    await lisp.value(`(load (compile-file "${other}"))`);
    const added = `(defun new () (moved))\n(defun newer () 'moving)\n${text}`;
    await writeFile(other, added);
    const places = (found: { source: { offset: number | null } | null; end: number | null }[]) =>
      found.map(({ source, end }) => [source!.offset, added.slice(source!.offset!, end!)]);
    expect(places((await find('moved', null)).definitions)).toEqual([
      [added.indexOf('(defun moved'), '(defun moved () 1)'],
    ]);
    expect(places((await find('moving', null)).definitions)).toEqual([
      [added.indexOf('(defstruct'), '(defstruct moving x)'],
    ]);
    const { references } = await lisp.ask('cross-references', {
      ...here,
      symbol: 'moved',
      relation: 'called-by',
      limit: 5,
    });
    expect(places(references)).toEqual([[added.indexOf('2 (moved') + 3, 'moved']]);
    await rm(other);
    expect((await find('moved', null)).definitions).toMatchObject([
      { source: null, why: 'The file is no longer there.' },
    ]);
  });

  it("of SBCL's own are shown where its sources are, and else say why they cannot be", async () => {
    const sources = await mkdtemp(path.join(tmpdir(), 'sbcl-source-'));
    await lisp.value(`(sb-ext:set-sbcl-source-location "${sources}/")`);
    expect((await find('mapcar', null)).definitions[0]).toMatchObject({
      kind: 'function',
      name: 'MAPCAR',
      source: null,
      why: "SBCL's own source is not installed.",
    });
    const file = path.join(sources, 'src', 'code', 'list.lisp');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '(in-package "SB-IMPL")\n\n(defun mapcar (function list &rest more-lists)\n  nil)\n');
    expect((await find('mapcar', null)).definitions[0]).toMatchObject({
      kind: 'function',
      name: 'MAPCAR',
      source: { file, line: 3 },
      why: null,
    });
    await rm(sources, { recursive: true });
    await expect(find('no-such-name-at-all', null)).resolves.toEqual({
      found: false,
      symbol: 'no-such-name-at-all',
      definitions: [],
      total: 0,
    });
  });
});

describe('D4 D10 cross-references', () => {
  const references = async (relation: Relation, symbol: string, pkg: string | null = 'shop') => {
    const { references: found } = await lisp.ask('cross-references', {
      context: 'test',
      package: pkg,
      symbol,
      relation,
      limit: 50,
    });
    return found.map(({ kind, name, source, end }) => {
      if (source === null) return `${kind} ${name}`;
      const text = SHOP.slice(0, source.offset!);
      const column = source.offset! - text.lastIndexOf('\n') - 1;
      return `${kind} ${name} ${source.line}:${column} ${SHOP.slice(source.offset!, end!)}`;
    });
  };

  it('point at the mention itself', async () => {
    expect(await references('called-by', 'price')).toEqual([
      'method DISCOUNT (STRING T) 12:37 price',
      'method DISCOUNT :AROUND (SYMBOL T) 14:27 price',
      'method DISCOUNT (SYMBOL T) 15:58 price',
      'method DISCOUNT (SYMBOL T) 15:65 price',
      'function SELL 26:60 price',
      'function TOTAL 9:81 price',
    ]);
    expect(await references('references', '*tax*')).toEqual([
      'function PRICE 9:30 *tax*',
      "function SELL 26:15 (with-till (tax) (let ((*tax* 1)) (list tax (price 2) (make-instance 'tool))))",
    ]);
    expect(await references('binds', '*tax*')).toEqual(['function SELL 26:39 *tax*']);
    expect(await references('sets', '*tax*')).toEqual(['method DISCOUNT (SYMBOL T) 15:51 *tax*']);
    expect(await references('macroexpands', 'with-till')).toEqual(['function SELL 26:16 with-till']);
    expect(await references('specializes', 'item')).toEqual(['method WEIGH (ITEM) 27:25 item']);
    expect(await references('calls', 'sell')).toEqual(['function PRICE 26:60 price']);
    expect(await references('callers-by-object', 'price')).toEqual([
      'method DISCOUNT (STRING T) 12:37 price',
      'method DISCOUNT :AROUND (SYMBOL T) 14:27 price',
      'method DISCOUNT (SYMBOL T) 15:58 price',
      'function SELL 26:60 price',
      'function TOTAL 9:81 price',
    ]);
  });

  it('point at the mention in what was evaluated from a file', async () => {
    const text = '(defun callee ()) (defun twice (callee) (list (callee) callee (callee)))';
    const other = path.join(lisp.directory, 'twice.lisp');
    await writeFile(other, `;; 😀\n${text}`);
    await lisp.evaluate(text, { source: { file: other, offset: 6, line: 2 }, evaluation: 'twice' });
    const { references: found } = await lisp.ask('cross-references', {
      ...here,
      symbol: 'callee',
      relation: 'called-by',
      limit: 5,
    });
    expect(found).toEqual(
      [53, 69].map((offset) => ({
        kind: 'function',
        name: 'TWICE',
        source: { file: other, offset, line: 2 },
        end: offset + 6,
        snippet: text,
        evaluation: 'twice',
        actor: 'person',
        why: null,
      })),
    );
  });

  it('are bounded, and those of SBCL say why they have no place', async () => {
    const reply = await lisp.ask('cross-references', { ...here, symbol: 'car', relation: 'called-by', limit: 2 });
    expect(reply.total).toBeGreaterThan(100);
    expect(reply.references).toHaveLength(2);
    expect(JSON.stringify(reply)).not.toMatch(/lisp-workbench/i);
    await expect(
      lisp.ask('cross-references', { ...here, symbol: 'no-such-name', relation: 'calls', limit: 2 }),
    ).resolves.toEqual({ found: false, symbol: 'no-such-name', references: [], total: 0 });
  });
});

describe('D10 classes and generic functions', () => {
  const noPlace = {
    source: null,
    end: null,
    snippet: null,
    evaluation: 'zoo',
    actor: 'person',
    why: 'It was evaluated in the REPL.',
  };

  beforeAll(async () => {
    await lisp.evaluate(
      `(defpackage :zoo (:use :cl)) (in-package :zoo)
       (defclass animal () ((name :initarg :name :accessor name :type string :documentation "Called.")))
       (defclass swimmer () ((depth :allocation :class :initform (+ 1 1) :reader depth)))
       (defclass fish (animal swimmer) ((name :initarg :fish-name)) (:default-initargs :name "Wanda") (:documentation "Wet."))
       (defgeneric feed (animal &key food) (:method-combination progn) (:documentation "Feeds."))
       (defmethod feed progn ((it fish) &key food) "With plankton." food)
       (defstruct cage (size 1 :type integer))
       (define-condition escape (error) ((from :initarg :from :reader escape-from)))`,
      { context: 'zoo', evaluation: 'zoo' },
    );
  });

  const feed = {
    name: 'FEED PROGN (FISH)',
    qualifiers: ['PROGN'],
    specializers: ['FISH'],
    lambdaList: '(IT &KEY FOOD)',
    documentation: 'With plankton.',
    ...noPlace,
  };

  it('are told with slots, methods and place before any instance was made', async () => {
    await expect(lisp.ask('class', { context: 'test', package: 'zoo', symbol: 'fish' })).resolves.toEqual({
      found: true,
      class: {
        name: 'FISH',
        kind: 'class',
        metaclass: 'STANDARD-CLASS',
        finalized: false,
        superclasses: ['ANIMAL', 'SWIMMER'],
        subclasses: [],
        precedence: ['FISH', 'ANIMAL', 'SWIMMER', 'STANDARD-OBJECT', 'SB-PCL::SLOT-OBJECT', 'T'],
        slots: [
          {
            name: 'NAME',
            allocation: 'instance',
            type: 'STRING',
            initargs: [':FISH-NAME', ':NAME'],
            initform: null,
            readers: ['NAME'],
            writers: ['(SETF NAME)'],
            documentation: 'Called.',
            from: 'FISH',
          },
          {
            name: 'DEPTH',
            allocation: 'class',
            type: 'T',
            initargs: [],
            initform: '(+ 1 1)',
            readers: ['DEPTH'],
            writers: [],
            documentation: null,
            from: 'SWIMMER',
          },
        ],
        defaultInitargs: [{ initarg: ':NAME', form: '"Wanda"' }],
        methods: [feed],
        documentation: 'Wet.',
        ...noPlace,
      },
    });
  });

  it('of structures and conditions too', async () => {
    const told = async (symbol: string) => (await lisp.ask('class', { context: 'test', package: 'zoo', symbol })).class;
    expect(await told('cage')).toMatchObject({
      kind: 'structure',
      slots: [{ name: 'SIZE', type: 'INTEGER', initform: '1', readers: ['CAGE-SIZE'], writers: ['(SETF CAGE-SIZE)'] }],
    });
    expect(await told('escape')).toMatchObject({
      kind: 'condition',
      superclasses: ['ERROR'],
      slots: [{ name: 'FROM', initargs: [':FROM'], readers: ['ESCAPE-FROM'] }],
    });
    expect(await told('no-such-class')).toBeNull();
  });

  it('make a graph', async () => {
    const graph = (fields: object) =>
      lisp.ask('class-graph', { context: 'test', package: 'zoo', roots: null, limit: 50, ...fields });
    await expect(graph({ roots: ['animal'] })).resolves.toEqual({
      nodes: [
        { name: 'ANIMAL', kind: 'class', user: true },
        { name: 'FISH', kind: 'class', user: true },
      ],
      edges: [{ class: 'FISH', superclass: 'ANIMAL' }],
      total: 2,
    });
    const { nodes, edges } = await graph({});
    expect(nodes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['ANIMAL', 'FISH', 'SWIMMER', 'CAGE', 'ESCAPE', 'ERROR', 'STANDARD-OBJECT', 'T']),
    );
    expect(edges).toContainEqual({ class: 'FISH', superclass: 'SWIMMER' });
    expect((await graph({ roots: ['t'], limit: 3 })).nodes).toHaveLength(3);
    expect(JSON.stringify(await graph({ roots: ['t'], limit: 5000 }))).not.toMatch(/lisp-workbench/i);
  });

  it('of functions come with combination and methods', async () => {
    const told = (symbol: string, setf = false) =>
      lisp.ask('generic-function', { context: 'test', package: 'zoo', symbol, setf });
    await expect(told('feed')).resolves.toEqual({
      found: true,
      genericFunction: {
        name: 'FEED',
        class: 'STANDARD-GENERIC-FUNCTION',
        lambdaList: '(ANIMAL &KEY FOOD)',
        methodCombination: '(PROGN :MOST-SPECIFIC-FIRST)',
        methods: [feed],
        total: 1,
        documentation: 'Feeds.',
        ...noPlace,
      },
    });
    expect((await told('name', true)).genericFunction).toMatchObject({ name: '(SETF NAME)', total: 1 });
    await expect(told('car')).resolves.toEqual({ found: false, genericFunction: null });
  });
});

describe('D11 macro stepper', () => {
  const expand = (form: string, mode: 'once' | 'fully' | 'compiler-macro' = 'once', steps: number[] | null = null) =>
    lisp.ask('macroexpand', { context: 'stepper', package: null, form, mode, path: steps });

  beforeAll(async () => {
    await lisp.evaluate(
      `(defmacro step-unless (test &body body) \`(if ,test nil (progn ,@body)))
       (defmacro step-broken () (error "No expansion."))
       (defmacro step-loud () (print "Loud.") (warn "Loud.") (write-line "Loud." *error-output*) nil)
       (defmacro step-endless () (loop))
       (define-compiler-macro step-add (&whole form x y) (if (eql y 0) x form))
       (defpackage :stepping (:use)) (set-macro-character #\\! (lambda (stream char) char (list 'quote (read stream))))`,
      { context: 'stepper' },
    );
  });

  it('expands once or all, with the names and the syntax of the context', async () => {
    const once = await expand('(step-unless !a (step-unless b c))');
    expect(once.text.replaceAll(/\s+/g, ' ')).toBe("(if 'a nil (progn (step-unless b c)))");
    expect(once).toEqual({ text: once.text, start: 0, end: once.text.length, changed: true, path: [], cut: 0 });
    expect((await expand('(step-unless a (step-unless b c))', 'fully')).text.replaceAll(/\s+/g, ' ')).toBe(
      '(if a nil (progn (if b nil (progn c))))',
    );
    await expect(expand('(list 1)')).resolves.toMatchObject({ text: '(list 1)', changed: false });
    await expect(expand('(step-add (f) 0)', 'compiler-macro')).resolves.toMatchObject({ text: '(f)', changed: true });
    await expect(expand('(step-add (f) 1)', 'compiler-macro')).resolves.toMatchObject({ changed: false });
  });

  it('expands a part in its place', async () => {
    const {
      text,
      start,
      end,
      changed,
      path: steps,
    } = await expand('(defun f (a) "😀" (step-unless a (g)))', 'once', [4]);
    expect(text.replaceAll(/\s+/g, ' ')).toBe('(defun f (a) "😀" (if a nil (progn (g))))');
    expect(text.slice(start, end).split('\n')).toEqual(['(if a', '      nil', '      (progn (g)))']);
    expect([changed, steps]).toEqual([true, [4]]);
    await expect(expand('(a)', 'once', [3])).rejects.toThrow('no part at the path 3');
  });

  it('keeps to itself what a macro writes', async () => {
    await expect(expand('(step-loud)')).resolves.toMatchObject({ text: 'nil', changed: true });
    expect(lisp.events.filter((event) => JSON.stringify(event).includes('Loud.'))).toEqual([]);
  });

  it('says what a macro or the reader signals, and gives up on one without end', async () => {
    await expect(expand('(step-broken)')).rejects.toThrow('No expansion.');
    await expect(expand('(step-broken')).rejects.toThrow('END-OF-FILE');
    await expect(expand('(step-endless)')).rejects.toThrow('longer than five seconds');
    await expect(expand('(list 1)')).resolves.toMatchObject({ text: '(list 1)' });
  });
});

describe('D10 D11 texts about a name', () => {
  beforeAll(async () => {
    await lisp.evaluate(
      `(defun told (x) "A function." x) (defvar told 1 "A variable.") (defun (setf told) (v x) "Sets." (list v x))
       (defclass rude () ()) (defmethod print-object ((it rude) stream) (error "No.")) (defvar *rude* (make-instance 'rude))`,
    );
  });

  it('disassembles, bounded', async () => {
    const ask = (symbol: string, limit: number) => lisp.ask('disassemble', { ...here, symbol, limit });
    const whole = await ask('told', 100_000);
    expect(whole).toMatchObject({ found: true, cut: 0 });
    expect(whole.text).toContain('; disassembly for TOLD');
    expect(whole.size).toBeGreaterThan(10);
    await expect(ask('told', 20)).resolves.toEqual({
      ...whole,
      text: whole.text.slice(0, 20),
      cut: whole.text.length - 20,
    });
    await expect(ask('if', 20)).resolves.toEqual({ found: false, text: '', size: null, cut: 0 });
  });

  it('describes, also what cannot be printed', async () => {
    const ask = (symbol: string) => lisp.ask('describe', { ...here, symbol, limit: 5000 });
    expect((await ask('told')).text).toContain('A variable.');
    expect((await ask('*rude*')).text).toContain('#<error SIMPLE-ERROR printing RUDE>');
    await expect(ask('no-such-name')).resolves.toEqual({ found: false, text: '', cut: 0 });
  });

  it('gives the documentation of everything that it names', async () => {
    await expect(lisp.ask('documentation', { ...here, symbol: 'told' })).resolves.toEqual({
      found: true,
      symbol: 'TOLD',
      documentation: [
        { type: 'function', text: 'A function.' },
        { type: 'variable', text: 'A variable.' },
        { type: 'setf-function', text: 'Sets.' },
      ],
    });
  });
});

describe('Syntax', () => {
  const problems = async (text: string) => {
    const reply = await lisp.ask('validate-syntax', { context: 'stepper', package: null, text });
    expect(reply.total).toBe(reply.problems.length);
    return reply.problems.map(({ severity, kind, offset, line, column }) => [severity, kind, offset, line, column]);
  };

  it.each([
    ['(a "b" #\\( ; (\n #| ( |# |x(| #(1 2) #\'f `(b ,c ,@d) #+x y :k #:u 1.5)', []],
    ['(a (b)', [['error', 'unclosed', 0, 1, 0]]],
    [
      '😀 (a))\n x)',
      [
        ['error', 'unmatched', 6, 1, 6],
        ['error', 'unmatched', 10, 2, 2],
      ],
    ],
    [
      '(a "b)',
      [
        ['error', 'unclosed', 0, 1, 0],
        ['error', 'unterminated-string', 3, 1, 3],
      ],
    ],
    ['\n  #| a', [['error', 'unterminated-comment', 3, 2, 2]]],
    ['|a', [['error', 'unterminated-symbol', 0, 1, 0]]],
    ["(a ')", [['error', 'incomplete', 3, 1, 3]]],
    ['(a ,b)', [['error', 'comma', 3, 1, 3]]],
    ['#<x>', [['error', 'dispatch', 0, 1, 0]]],
    ['#.(exit)', []],
    [
      '(nowhere:x cl:car cl:no-such)',
      [
        ['note', 'package', 1, 1, 1],
        ['note', 'external', 18, 1, 18],
      ],
    ],
    ['(defpackage :nowhere) (nowhere::x)', []],
  ])('of %j', async (text, expected) => {
    await expect(problems(text)).resolves.toEqual(expected);
  });

  it('is looked at without interning a name', async () => {
    const text = '(never-interned-by-looking ';
    await problems(text);
    await lisp.ask('arglist', { ...here, text, offset: text.length });
    await lisp.ask('complete', { ...here, prefix: 'never-interned-by', text, offset: text.length, limit: 5 });
    await lisp.ask('find-definition', { ...here, symbol: 'never-interned-by-looking' });
    await expect(lisp.value('(find-symbol "NEVER-INTERNED-BY-LOOKING")')).resolves.toBe('NIL');
  });
});

describe('Nothing of the engine', () => {
  it.each(['print-object', 'find-symbol', 'make-instance', 't', 'structure-object', '*package*'])(
    'shows in what is told about %s',
    async (symbol) => {
      const place = { ...here, symbol };
      const limit = 1000;
      const replies = [
        await lisp.ask('find-definition', place),
        await lisp.ask('class', place),
        await lisp.ask('generic-function', { ...place, setf: false }),
        await lisp.ask('describe', { ...place, limit: 100_000 }),
        await lisp.ask('cross-references', { ...place, relation: 'called-by', limit }),
        await lisp.ask('cross-references', { ...place, relation: 'callers-by-object', limit }),
        await lisp.ask('cross-references', { ...place, relation: 'references', limit }),
        await lisp.ask('cross-references', { ...place, relation: 'binds', limit }),
        await lisp.ask('cross-references', { ...place, relation: 'specializes', limit }),
        await lisp.ask('apropos', {
          pattern: symbol,
          package: null,
          externalOnly: false,
          kinds: null,
          documentation: true,
          limit,
        }),
      ];
      expect(JSON.stringify(replies)).not.toMatch(/lisp-workbench|\/introspection\//i);
    },
  );
});
