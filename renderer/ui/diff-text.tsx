/**
 * A change of Lisp text, line by line. Added and removed lines have a sign and a tint; the sign alone is enough for a person who cannot see
 * colours.
 */
import type { DiffHunk } from '#contract/decisions/approval.ts';
import { CodeText } from './code-text.tsx';
import { Box, Text } from './layout.tsx';
import { look } from './look.ts';
import styles from './diff-text.module.css';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const;

export function DiffText({ hunks, label }: { hunks: readonly DiffHunk[]; label: string }) {
  return (
    <Box padY={1} surface={2} scroll selectable role="group" aria-label={label} tabIndex={0} className={styles.diff}>
      {hunks.flatMap((hunk, place) =>
        hunk.lines.map(({ kind, text, before, after }) => (
          <div
            key={`${place} ${before ?? ''} ${after ?? ''}`}
            className={look({ flow: 'row', align: 'stretch', font: 'code' }, styles.diffLine, styles[`diff-${kind}`])}
          >
            <Text fixed className={styles.diffSign} aria-hidden data-sign={SIGNS[kind]} />
            {kind === 'same' ? null : <span className="visually-hidden">{WORDS[kind]}</span>}
            <span className="code">
              <CodeText text={text} />
            </span>
          </div>
        )),
      )}
    </Box>
  );
}
