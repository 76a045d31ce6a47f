/** The text of an empty transcript: what will appear here, and how the REPL's image relates to the rest of the window. */
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { ReplRecord } from '#contract/image/repl.ts';
import type { Session } from '#contract/image/session.ts';
import { isShared } from '../../../base/image/active-repl.ts';
import { useMirror } from '../../../base/mirror.ts';
import { Empty } from '../../../ui/panels/empty.tsx';

export function EmptyTranscript({ repl, image }: { repl: ReplRecord; image: Session | null }) {
  const first = useMirror((state) => state.repls.find(({ id }) => id === FIRST_REPL)!.name);
  const shared = useMirror((state) => state.session.name);
  if (image === null || (isShared(image) && image.state === 'gone'))
    return (
      <Empty title="No image is running.">
        <p>To evaluate forms, start an image. The editor works without one.</p>
      </Empty>
    );
  if (repl.id === FIRST_REPL)
    return (
      <Empty title="Type a form below and press Enter.">
        <p>Your evaluations here and in the editor appear here, and those of agents with their names.</p>
      </Empty>
    );
  if (isShared(image))
    return (
      <Empty title="Type a form below and press Enter.">
        <p>
          This REPL has its own package, history and values of * + /, and shares all definitions. Evaluations in the
          editor and of agents appear in {first}.
        </p>
      </Empty>
    );
  return (
    <Empty
      title={
        image.state === 'gone' ? `${image.name} starts when you evaluate a form.` : 'Type a form below and press Enter.'
      }
    >
      <p>
        {image.name} is a separate image{image.target === null ? '' : `, on ${image.target}`}. The editor, Definitions,
        Systems and checkpoints work with the shared image {shared}.
      </p>
    </Empty>
  );
}
