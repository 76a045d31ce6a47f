/** Classes, their graph, and generic functions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let lisp: TestImage;

beforeAll(async () => {
  lisp = await openTestImage();
});

afterAll(() => lisp.close());

describe('classes and generic functions', () => {
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

  it.each([
    ['a name', { symbol: 'name', initarg: false, class: null }, ['ANIMAL', 'FISH']],
    ['a name of a class and those above it', { symbol: 'depth', initarg: false, class: 'fish' }, ['SWIMMER']],
    ['a keyword', { symbol: ':fish-name', initarg: true, class: null }, ['FISH']],
    ['a keyword of a class above', { symbol: ':name', initarg: true, class: 'fish' }, ['ANIMAL']],
    ['a class that is not there', { symbol: ':name', initarg: true, class: 'bird' }, []],
    ['a name that nothing has', { symbol: 'no-such-slot', initarg: false, class: null }, []],
  ])('The classes that define the slot of %s are told', async (_what, asked, expected) => {
    const { definitions } = await lisp.ask('slot-definitions', { context: 'test', package: 'zoo', ...asked });
    expect(definitions.map(({ name }) => name.replace(/^ZOO::/, '')).toSorted()).toEqual(expected);
  });

  it('A class is told with slots, methods and source location before any instance was made [D10]', async () => {
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

  it('Structures and conditions are told as classes too [D10]', async () => {
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

  it('Classes make a graph [D10]', async () => {
    const graph = (fields: object) =>
      lisp.ask('class-graph', { context: 'test', package: 'zoo', roots: null, limit: 50, ...fields });
    await expect(graph({ roots: ['animal'] })).resolves.toEqual({
      seenFrom: 'ZOO',
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

  it('Generic functions come with combination and methods [D10]', async () => {
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
