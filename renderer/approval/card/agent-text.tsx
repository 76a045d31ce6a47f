/** Text that an agent wrote: drawn from left to right as it is stored, with its hidden characters as code points. */
import { piecesOf, plainPieces, type Piece } from '../diff/pieces.ts';
import styles from '../diff/code.module.css';

export function AgentText({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <bdo dir="ltr" className={className}>
      <Pieces pieces={plainPieces(text)} />
    </bdo>
  );
}

/** Draws text whose hidden characters are code points already. */
export function ShownText({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <bdo dir="ltr" className={className}>
      <Pieces pieces={piecesOf(text, [], null)} />
    </bdo>
  );
}

export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  // Pieces have no identity but their place in the line.
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
