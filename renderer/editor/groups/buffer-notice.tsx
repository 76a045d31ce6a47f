/** The notice of a conflict between the visible text and its file, with actions to resolve the conflict. */
import { TriangleAlert } from 'lucide-react';
import { orNotice } from '../../base/notices/notices.tsx';
import { shownPackage } from '../../sexp/packages.ts';
import { Bar } from '../../ui/panels/bar.tsx';
import { Button } from '../../ui/button.tsx';
import { change, type EvaluatedNotice, type TextBuffer } from '../text/buffers.ts';
import { close } from '../files/closing.ts';
import { compare, reload, save } from '../files/files.ts';
import { additions } from '../additions.ts';
import { PrintedBar } from './printed-bar.tsx';
import { Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './editor.module.css';

export function BufferNoticeBar({ buffer }: { buffer: TextBuffer }) {
  if (!buffer.notice) return null;
  const { id, title, notice } = buffer;
  if (notice.kind === 'printed') return <PrintedBar id={id} notice={notice} />;
  if (notice.kind === 'expansion') {
    const { expansion: ExpansionBar } = additions.notices;
    return ExpansionBar ? <ExpansionBar notice={notice} /> : null;
  }
  if (notice.kind === 'evaluated') return <EvaluatedBar notice={notice} />;
  return (
    <Bar kind="parked" wrap className={styles.noticeBar}>
      <TriangleAlert className={look({ tone: 'cautious' }, 'icon')} aria-hidden />
      {notice.kind === 'lossy' ? (
        <>
          <span>
            {title} is not valid UTF-8. It is read-only, because some bytes are shown as replacement characters.
          </span>
          <Button size="small" onPress={() => void orNotice(reload(id, 'iso-8859-1'))}>
            Read as ISO 8859-1
          </Button>
          <Button size="small" onPress={() => void orNotice(save(id, true))}>
            Save a copy…
          </Button>
        </>
      ) : null}
      {notice.kind === 'large' ? (
        <>
          <span>{title} is large. Colours, completion and marks are off to keep typing fast.</span>
          <Button size="small" onPress={() => change(id, { notice: null })}>
            OK
          </Button>
        </>
      ) : null}
      {notice.kind === 'changed' ? (
        <>
          <span>{title} has changed on disk since you started editing it.</span>
          <Button size="small" onPress={() => void orNotice(compare(id))}>
            Compare…
          </Button>
          <Button size="small" onPress={() => void orNotice(reload(id))}>
            Reload from disk
          </Button>
          <Button size="small" onPress={() => change(id, { notice: null })}>
            Keep mine
          </Button>
        </>
      ) : null}
      {notice.kind === 'deleted' ? (
        <>
          <span>{title} no longer exists on disk. Its text exists only here.</span>
          <Button size="small" onPress={() => void orNotice(save(id))}>
            Create it again
          </Button>
          <Button size="small" onPress={() => void orNotice(close(id))}>
            Close
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
    </Bar>
  );
}

/** Explains why an evaluated form is not in any file. */
function EvaluatedBar({ notice }: { notice: EvaluatedNotice }) {
  const where = notice.package === null ? '' : ` in ${shownPackage(notice.package)}`;
  return (
    <Bar kind="tools" aria-label="Evaluated form">
      <Text tone={2}>The form that was evaluated{where}. It is not in a file.</Text>
    </Bar>
  );
}
