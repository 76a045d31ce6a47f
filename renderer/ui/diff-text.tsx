/** A change of Lisp text, line by line: signs and tints tell what came and what went, without colour the signs alone. */
import './diff-text.css';
import type { DiffHunk } from '#contract/approval.ts';
import { CodeText } from './code-text.tsx';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const;

export function DiffText({ hunks, label }: { hunks: readonly DiffHunk[]; label: string }) {
  return (
    <div className="diff-text" role="group" aria-label={label} tabIndex={0}>
      {hunks.flatMap((hunk, place) =>
        hunk.lines.map(({ kind, text, before, after }) => (
          <div key={`${place} ${before ?? ''} ${after ?? ''}`} className={`diff-line diff-${kind}`}>
            <span className="diff-sign" aria-hidden data-sign={SIGNS[kind]} />
            {kind === 'same' ? null : <span className="visually-hidden">{WORDS[kind]}</span>}
            <span className="code">
              <CodeText text={text} />
            </span>
          </div>
        )),
      )}
    </div>
  );
}
