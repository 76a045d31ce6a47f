/** The conflict between an unsaved text and its file on disk: shows the differing lines and asks the person which version to keep. */
import { useEffect, useState } from 'react';
import type { TextDifference, TextEncoding } from '#contract/text/text-file.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { ask } from '../../base/notices/ask.tsx';
import { DiffText } from '../../ui/diff-text.tsx';
import { Text } from '../../ui/layout.tsx';
import styles from '../groups/editor.module.css';

interface OwnText {
  readonly path: string;
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** Shows the lines that saving would delete from the file (removed) and write into it (added). */
function DiskDifference({ own }: { own: OwnText }) {
  const [shown, setShown] = useState<TextDifference | null>(null);
  useEffect(() => {
    let isCurrent = true;
    call('file.difference', own).then(
      (difference) => (isCurrent ? setShown(difference) : undefined),
      (error: unknown) => (isCurrent ? setShown({ hunks: [], why: messageOf(error) }) : undefined),
    );
    return () => {
      isCurrent = false;
    };
  }, [own]);
  if (shown?.hunks.length)
    return (
      <div className={styles.difference}>
        <DiffText hunks={shown.hunks} label="Difference between the file on disk and your text" />
      </div>
    );
  return (
    <Text as="p" padY={1} font="small" tone={3}>
      {shown === null ? 'Comparing…' : (shown.why ?? 'The two texts are the same.')}
    </Text>
  );
}

/** Asks which of the two texts to keep; null if the person postpones the decision. */
export function chooseText(title: string, own: OwnText): Promise<'file' | 'mine' | null> {
  return ask({
    title: `${title}: the file and your text`,
    text: 'Lines with − are only on disk, lines with + only in your unsaved text.',
    more: <DiskDifference own={own} />,
    answers: [
      { id: 'file', title: 'Reload from disk' },
      { id: 'mine', title: 'Keep mine', kind: 'primary' },
    ],
  });
}

/** Asks before the text replaces a file that another program has changed. */
export function askBeforeReplacing(title: string, own: OwnText): Promise<'cancel' | 'reload' | 'overwrite' | null> {
  return ask({
    title: `${title} has changed on disk`,
    text: 'Another program changed the file since you opened it. Saving replaces its text (−) with yours (+).',
    more: <DiskDifference own={own} />,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'reload', title: 'Reload from disk' },
      { id: 'overwrite', title: 'Overwrite', kind: 'danger' },
    ],
  });
}
