/** What is wrong between the shown text and its file, with what to do about it. */
import { TriangleAlert } from 'lucide-react';
import { orNotice } from '../layout/notices.tsx';
import { Button } from '../ui/button.tsx';
import { change, useBuffers } from './buffers.ts';
import { reload, save } from './files.ts';

export function BufferNoticeBar() {
  const buffer = useBuffers((state) => state.buffers.find((each) => each.id === state.active) ?? null);
  if (!buffer?.notice) return null;
  const { id, title, notice } = buffer;
  return (
    <div className="notice-bar" role="status">
      <TriangleAlert className="icon notice-bar-mark" aria-hidden />
      {notice.kind === 'lossy' ? (
        <>
          <span>
            {title} is not valid UTF-8. It is open to read only: some bytes are shown as replacement characters.
          </span>
          <Button size="small" onPress={() => void orNotice(save(id, true))}>
            Save a copy…
          </Button>
        </>
      ) : null}
      {notice.kind === 'changed' ? (
        <>
          <span>{title} has other text on disk than your unsaved text is based on.</span>
          <Button size="small" onPress={() => void orNotice(reload(id))}>
            Take the file’s text
          </Button>
          <Button size="small" onPress={() => change(id, { notice: null })}>
            Keep mine
          </Button>
        </>
      ) : null}
      {notice.kind === 'unreadable' ? (
        <>
          <span>
            {title} could not be read: {notice.message}
          </span>
          <Button size="small" onPress={() => void orNotice(reload(id))}>
            Try again
          </Button>
          <Button size="small" onPress={() => void orNotice(save(id, true))}>
            Save as…
          </Button>
        </>
      ) : null}
    </div>
  );
}
