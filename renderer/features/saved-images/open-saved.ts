/** Goes on with a saved image in place of the one that runs, once the person has agreed to the end of that. */
import { plural } from '#contract/text/text.ts';
import { call } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { ask } from '../../base/notices/ask.tsx';
import { onlyInImage } from '../definitions/only-in-image.ts';
import { notify } from '../../base/notices/notices.tsx';

/** @throws when the saved image cannot be opened; the one that runs is then kept. */
export async function openSaved(name: string): Promise<void> {
  if (mirror.getState().session.pid !== null && !(await agreed(name))) return;
  await call('savedImages.open', { name });
  notify(`The saved image “${name}” runs.`);
}

async function agreed(name: string): Promise<boolean> {
  const count = onlyInImage();
  const loses =
    count === 0 ? 'with all that is defined in it' : `and loses ${plural(count, 'definition')} that no file has`;
  const answer = await ask({
    title: `Open “${name}”?`,
    text: `The image that runs now ends, ${loses}. The saved one takes its place. Your text is untouched.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'open', title: 'Open', kind: 'danger' },
    ],
  });
  return answer === 'open';
}
