/** The engine's automatic work with objects of user code. This work is guarded, and one hostile method cannot hide other objects. */
import { existsSync } from 'node:fs';
import { realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, decideAll } from '../effects.fixture.ts';
import { ALL_LISTED, openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;
let file: string;

beforeEach(async () => {
  image = await openTestImage();
  file = path.join(await realpath(image.directory), 'file');
  await writeFile(file, 'kept');
});

afterEach(() => image.close());

const trap = (): string => `(when (probe-file "${file}") (delete-file "${file}"))`;

describe('methods of the code on what the engine reads', () => {
  it.each([
    ['the methods of a generic function', 'sb-mop:generic-function-methods', 'g'],
    ['the lambda list of one', 'sb-mop:generic-function-lambda-list', 'g'],
    ['the name of one', 'sb-mop:generic-function-name', 'g'],
    ['the direct slots of a class', 'sb-mop:class-direct-slots', 'm'],
    ['the direct methods of a class', 'sb-mop:specializer-direct-methods', 'm'],
    ['the direct superclasses of a class', 'sb-mop:class-direct-superclasses', 'm'],
    ['the qualifiers of a method', 'method-qualifiers', 'standard-method'],
    ['the documentation of a class', 'documentation', 'm'],
  ])('Methods of the code on %s reach nothing outside while nobody evaluates', async (_what, reader, specializer) => {
    const asked = decideAll(image, 'deny');
    const lambdaList = reader === 'documentation' ? `((x ${specializer}) (type (eql t)))` : `((x ${specializer}))`;
    await image.evaluate(
      `(progn
         (defclass g (standard-generic-function) () (:metaclass sb-mop:funcallable-standard-class))
         (defclass m (standard-class) ())
         (defmethod sb-mop:validate-superclass ((m m) (s standard-class)) t)
         (defgeneric egf (x) (:generic-function-class g))
         (defmethod egf ((x t)) 1)
         (defclass thing () (slot) (:metaclass m))
         (defun plain () 1))`,
      AGENT,
    );
    await image.evaluate(`(defmethod ${reader} :before ${lambdaList} ${trap()})`, AGENT);
    await image.value('(+ 1 1)', { ...AGENT, actor: 'client:other' });
    const { definitions } = await image.ask('list-definitions', { ...ALL_LISTED, package: 'CL-USER' });
    const names = definitions.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['EGF', 'PLAIN', 'THING', 'G', 'M']));
    const { packages } = await image.ask('definitions', { packages: null, text: null, most: 1000, room: 1000 });
    expect(packages.flatMap((each) => each.definitions).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['EGF', 'PLAIN', 'THING']),
    );
    for (const symbol of ['egf', 'thing', 'plain']) {
      expect((await image.ask('describe-symbol', { symbol, package: null, context: 'test' })).found).toBe(true);
    }
    expect([asked, existsSync(file)]).toEqual([[], true]);
  });

  it('Methods of the code on what the engine reads are told where they hide something', async () => {
    await image.evaluate(
      `(progn
         (defclass g (standard-generic-function) () (:metaclass sb-mop:funcallable-standard-class))
         (defgeneric egf (x) (:generic-function-class g)))`,
    );
    await image.evaluate(`(defmethod sb-mop:generic-function-methods :before ((x g)) (error "Not yours."))`);
    const { definitions } = await image.ask('list-definitions', { ...ALL_LISTED, package: 'CL-USER' });
    expect(definitions.find(({ name }) => name === 'EGF')?.documentation).toBe(
      'Its methods cannot be listed: Not yours.',
    );
  });
});

describe('form that is expanded', () => {
  const expand = (form: string) =>
    image.ask('macroexpand', { form, package: null, context: 'test', mode: 'once', path: null });

  it('A form that is expanded is read without evaluating anything', async () => {
    await image.evaluate('(defvar *x* 0)');
    await expect(expand('(when #.(setf *x* 1) 2)')).rejects.toThrow('*READ-EVAL*');
    expect(await image.value('*x*')).toBe('0');
    expect((await expand('(when 1 2)')).text).toBe('(if 1\n    2)');
  });
});
