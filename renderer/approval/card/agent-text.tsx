/** Text that an agent wrote. It is always drawn from left to right, with hidden characters shown as code points. */
import { piecesOf, plainPieces, type Piece } from '../diff/pieces.ts';
import styles from '../diff/code.module.css';

export function AgentText({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <bdo dir="ltr" className={className}>
      <Pieces pieces={plainPieces(text)} />
    </bdo>
  );
}

/** Draws text whose hidden characters have already been replaced by code points. */
export function ShownText({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <bdo dir="ltr" className={className}>
      <Pieces pieces={piecesOf(text, [], null)} />
    </bdo>
  );
}

export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  // A piece can only be identified by its position in the line, so the index is its key.
  return pieces.map(({ text, part, changed }, index) => {
    const className = [
      part === 'plain' || part === 'bar' ? '' : part === 'hidden' ? styles.codePoint : `lisp-${part}`,
      changed ? styles.changed : '',
    ]
      .filter(Boolean)
      .join(' ');
    // oxlint-disable-next-line react/no-array-index-key
    return className ? (
      <span key={index} className={className}>
        {text}
      </span>
    ) : (
      text
    );
  });
}
