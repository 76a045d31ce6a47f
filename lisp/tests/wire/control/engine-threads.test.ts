/** The engine's own threads continue to run, regardless of what evaluated code does to threads. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openTestImage } from '#core/lisp/image.fixture.ts';

/** Ends every thread that SBCL lists, except for the main thread, because its end would end the image. */
const END_ALL = `
  (let ((others (remove-if (lambda (thread) (member thread (list sb-thread:*current-thread* (sb-thread:main-thread))))
                           (sb-thread:list-all-threads))))
    (dolist (thread others)
      (ignore-errors (sb-thread:terminate-thread thread)))
    (dolist (thread others (length others))
      (sb-thread:join-thread thread :default nil :timeout 20)))`;

describe('threads of the engine', () => {
  it('An image whose threads were all ended by code answers, prints and can be interrupted as before', async () => {
    const image = await openTestImage();
    try {
      for (let round = 0; round < 5; round += 1) {
        const ended = await image.value(END_ALL);
        expect(Number(ended)).toBeGreaterThanOrEqual(2);
        const printed = await image.evaluate(
          '(progn (dotimes (i 200000) (format t "~D " i)) (finish-output) (sleep 0.2) 7)',
        );
        expect(printed.values.map(({ text }) => text)).toEqual(['7']);
        const evaluation = randomUUID();
        const began = image.next('output');
        const endless = image.evaluate(`(progn (princ "round ${String(round)}") (finish-output) (loop))`, {
          evaluation,
        });
        await began;
        await image.ask('interrupt', { evaluation });
        expect((await endless).status).toBe('interrupted');
      }
    } finally {
      await image.close();
    }
  });

  it('A timer that fails in no thread of its own ends no thread of the engine', async () => {
    const image = await openTestImage();
    try {
      const failed = image.next('thread-failed');
      await image.value('(sb-ext:schedule-timer (sb-ext:make-timer (lambda () (error "late")) :thread nil) 0.01)');
      const { condition, thread } = await failed;
      expect([condition.message, /main thread|lisp-workbench/.test(thread)]).toEqual(['late', false]);
      expect(await image.value('(progn (sleep 0.1) (princ 1) 2)')).toBe('2');
      expect(image.events.filter(({ event }) => event === 'thread-failed')).toHaveLength(1);
    } finally {
      await image.close();
    }
  });
});
