/** The objects in memory, and the references that keep them alive. */
import { beforeAll, describe, expect, it } from 'vitest';
import { runningImage } from './running.fixture.ts';

const lisp = await runningImage();

const here = { context: 'test', package: 'RUNNING' };

describe('memory', () => {
  beforeAll(async () => {
    await lisp.value(
      `(in-package :running) (defvar *kept* (list 1 (vector (make-instance 'shape :side 1)))) (defstruct box content)
       (defvar *boxed* (make-box :content (list (make-instance 'shape :side 2)))) (defclass lonely () ()) nil`,
      { context: 'memory' },
    );
  });

  const holder = 'memory';

  it('Memory is reported by type and generation [D11]', async () => {
    const report = await lisp.ask('memory-report', { limit: 100 });
    expect(report.used).toBeGreaterThan(10_000_000);
    expect(report.size).toBe(1024 ** 3);
    expect(report.generations).toHaveLength(7);
    expect(report.types).toHaveLength(100);
    expect(report.total).toBeGreaterThan(100);
    expect(report.sinceGc).toBeGreaterThan(0);
    expect(report.types.map(({ type }) => type)).toEqual(expect.arrayContaining(['CONS', 'SIMPLE-VECTOR', 'SYMBOL']));
    expect(JSON.stringify(report)).not.toMatch(/lisp-workbench/i);
  });

  it('A report of memory with room for all types counts each object, also those made just now [D11]', async () => {
    await lisp.value(
      '(progn (defstruct running::crate) (defvar running::*crates* (loop repeat 37 collect (running::make-crate))) 1)',
    );
    const { types, total } = await lisp.ask('memory-report', { limit: 10_000 });
    expect(types).toHaveLength(total);
    expect(types.find(({ type }) => type === 'RUNNING::CRATE')?.count).toBe(37);
  });

  it('Instances are those of the class itself, without its subclasses, as the report counts them [D11]', async () => {
    await lisp.value(
      '(progn (defstruct (running::barrel (:include running::crate))) (defvar running::*barrel* (running::make-barrel)) 1)',
    );
    const { total } = await lisp.ask('instances', { ...here, class: 'crate', holder, limit: 1 });
    expect(total).toBe(37);
  });

  it('Memory is collected on request [D11]', async () => {
    const { result } = await lisp.run('gc', { full: true });
    expect(result?.after).toBeLessThan(result?.before ?? 0);
  });

  it('The memory view shows what keeps an object alive [D11]', async () => {
    await lisp.run('gc', { full: true });
    const { found, total, instances } = await lisp.ask('instances', { ...here, class: 'shape', holder, limit: 10 });
    expect([found, total >= 2]).toEqual([true, true]);
    const steps = async (text: string) => {
      const { handle } = instances.find((instance) => instance.text === text)!;
      const { paths } = await lisp.ask('why-alive', { handle, holder });
      return paths.map((path) => [path.root, ...path.steps.map(({ slot, type }) => `${slot} of ${type}`)]);
    };
    await expect(steps('shape 1')).resolves.toEqual([
      ['the symbol RUNNING::*KEPT*', 'value of SYMBOL', 'CDR of CONS', 'CAR of CONS', '0 of (SIMPLE-VECTOR 1)'],
    ]);
    await expect(steps('shape 2')).resolves.toEqual([
      ['the symbol RUNNING::*BOXED*', 'value of SYMBOL', 'CONTENT of RUNNING::BOX', 'CAR of CONS'],
    ]);
  });

  it('The memory view lists instances that print without end [D11]', async () => {
    await lisp.value(
      `(progn (defclass running::slow () ()) (defmethod print-object ((it running::slow) stream) (loop))
              (defvar running::*slow* (loop repeat 8 collect (make-instance 'running::slow))) nil)`,
    );
    const { instances } = await lisp.ask('instances', { ...here, class: 'slow', holder, limit: 8 });
    expect(instances.map(({ text }) => text)).toContain('#<took too long>');
    expect(instances).toHaveLength(8);
    await lisp.value('(progn (setf running::*slow* nil) 1)');
  });

  it('The memory view shows that only a REPL remembers an object, or nobody [D11]', async () => {
    await lisp.value("(make-instance 'running::lonely)", { context: 'remembering' });
    const roots = async () => {
      const { instances } = await lisp.ask('instances', { ...here, class: 'lonely', holder, limit: 10 });
      const replies = await Promise.all(instances.map(({ handle }) => lisp.ask('why-alive', { handle, holder })));
      return replies.flatMap(({ paths }) => paths.map(({ root }) => root));
    };
    await expect(roots()).resolves.toContain('the results that a REPL remembers');
    await lisp.ask('forget-context', { context: 'remembering' });
    await expect(roots()).resolves.not.toContain('the results that a REPL remembers');
    await expect(lisp.ask('why-alive', { handle: 999_999, holder })).resolves.toEqual({ expired: true, paths: [] });
  });
});
