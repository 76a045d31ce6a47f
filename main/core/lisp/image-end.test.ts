import { afterEach, expect, it } from 'vitest';
import { describeEnd } from './image-end.ts';
import { openTestImage, type TestImage } from './image.fixture.ts';

const images: TestImage[] = [];

afterEach(async () => {
  await Promise.all(images.splice(0).map((test) => test.close()));
});

const HEAP_HANDLED =
  '(handler-case (setf (get :much :heap) (make-array (expt 10 10))) (storage-condition () :handled))';

/** Evaluates code that ends the image, and returns the reported cause of the end. */
async function endOf({ image, value }: TestImage, code: string): Promise<string> {
  const over = image.lifeOver;
  void value(code).catch(() => {});
  return describeEnd(await over);
}

it.each([
  ['SIGUSR1', '(sb-posix:kill (sb-posix:getpid) sb-posix:sigusr1)', 'The image was ended by SIGUSR1.'],
  ['SIGHUP', '(sb-posix:kill (sb-posix:getpid) sb-posix:sighup)', 'The image was ended by SIGHUP.'],
  ['exit', '(sb-ext:exit :code 7 :abort t)', 'The image ended with exit code 7.'],
])(
  'An end by %s is told as that, whatever was printed before it, in the first life and after going back to a checkpoint [issue 35.1]',
  async (_how, code, said) => {
    const test = await openTestImage();
    images.push(test);
    expect(await test.value(HEAP_HANDLED)).toBe(':HANDLED');
    const made = await test.image.checkpoint();
    expect(await endOf(test, code)).toBe(said);
    const { copy } = await test.image.wake((made as { pid: number }).pid);
    expect(await test.value(HEAP_HANDLED)).toBe(':HANDLED');
    expect(await endOf(test, code)).toBe(said);
    await test.image.wake(copy);
    // If the code handles a signal itself, the image does not end.
    expect(
      await test.value(
        '(let ((seen nil)) (sb-sys:enable-interrupt sb-posix:sigusr1 (lambda (s i c) (declare (ignore i c)) (setf seen s))) (sb-posix:kill (sb-posix:getpid) sb-posix:sigusr1) (loop until seen do (sleep 0.01)) seen)',
      ),
    ).toBe('10');
    expect(await endOf(test, '(sb-posix:kill (sb-posix:getpid) 9)')).toBe(
      'The image ended without a message, possibly by SIGKILL.',
    );
  },
);

it('An image that ran out of heap says so, by the last words of the runtime alone [issue 35.1]', () => {
  const end = (lastWords: string, signal: NodeJS.Signals | null = null) =>
    describeEnd({ code: signal ? null : 1, signal, lastWords, reason: null });
  const fatal = 'fatal error encountered in SBCL pid 30991 tid 30991:\nHeap exhausted, game over.\n\n   0: fp=0x7f90';
  expect(end(fatal)).toBe('The image ran out of heap and ended.');
  expect(end('Heap exhausted (no more space for allocation).\nPROCEED WITH CAUTION.')).toBe(
    'The image ended with exit code 1.',
  );
  expect(end(fatal, 'SIGUSR1')).toBe('The image was ended by SIGUSR1.');
});

it('The end of a later life is not described by the exit code of the first one, also when no copy is left to report it [issue 36.3]', async () => {
  const test = await openTestImage();
  images.push(test);
  const made = await test.image.checkpoint();
  expect(await endOf(test, '(sb-ext:exit :code 7 :abort t)')).toBe('The image ended with exit code 7.');
  const { pid, copy } = await test.image.wake((made as { pid: number }).pid);
  process.kill(copy, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
  expect(describeEnd(await test.image.ended)).toBe('The image ended without a message, possibly by SIGKILL.');
});

it('A checkpoint that is killed while it is woken leaves the words about the end before it [issue 36.3]', async () => {
  const test = await openTestImage();
  images.push(test);
  const made = await test.image.checkpoint();
  const { pid } = made as { pid: number };
  process.kill(pid, 'SIGSTOP'); // a stopped process cannot answer
  test.image.endLife('Back.', 'The image is gone.');
  // A stopped checkpoint's process reports nothing, so the wire finds the end of the image's process by polling.
  await test.image.lifeOver;
  const woken = test.image.wake(pid);
  process.kill(pid, 'SIGKILL');
  await expect(woken).rejects.toThrow('The image is gone.');
});

it('A later life that is killed is over although a program that its code started holds the pipes [issue 36.3]', async () => {
  const test = await openTestImage();
  images.push(test);
  const made = await test.image.checkpoint();
  test.image.endLife('Back.');
  await test.image.lifeOver;
  await test.image.wake((made as { pid: number }).pid);
  const started = Number(
    await test.value(
      '(sb-ext:process-pid (sb-ext:run-program "/bin/sleep" \'("600") :wait nil :input nil :output t :error :output))',
    ),
  );
  try {
    test.image.kill('The test is over.');
    expect(describeEnd(await test.image.ended)).toBe('The test is over.');
    expect(() => process.kill(started, 0)).not.toThrow();
  } finally {
    process.kill(started, 'SIGKILL');
  }
});
