/** An agent's print methods on the most basic classes. The engine's own printing calls them too. */
import { expect, it } from 'vitest';
import { guardedImage } from '../guarded-image.fixture.ts';

const { image, asked, byAgent, person } = await guardedImage();

it.each(['symbol', 'integer', 'float', 'string', 'cons', 'stream'])(
  'A print method on %s that reaches outside does not recurse, in what the engine prints or tells of the guard [E4]',
  async (type) => {
    const method = `(defmethod print-object :around ((x ${type}) stream)
      (with-open-file (s @ :direction :output :if-exists :supersede) (print 1 s)) (call-next-method))`;
    await byAgent(method);
    for (const code of [
      '(gc :full t)',
      '17',
      '1.5',
      ':name',
      '(list 1 "two" (quote three))',
      '(make-string-output-stream)',
    ])
      expect([code, (await person(code)).status]).toEqual([code, 'ok']);
    const { status, condition } = await person(
      '(let ((all (list 1 2))) (declare (dynamic-extent all)) (error "of ~S" (length all)))',
    );
    expect([status, condition?.type]).toEqual(['error', 'SIMPLE-ERROR']);
    // Code that itself causes an effect causes only one request, regardless of how the frames below it are displayed.
    await byAgent('(flet ((out (s) (declare (ignore s)) (delete-file @))) (with-output-to-string (s) (out s)))');
    expect(asked.flatMap(({ operator }) => (operator === 'OPEN' ? [] : [operator]))).toEqual(['DELETE-FILE']);
    await person(
      `(remove-method #'print-object (find-method #'print-object '(:around) (list (find-class '${type}) (find-class t))))`,
    );
    expect(await image.value('(+ 1 2)')).toBe('3');
  },
);
