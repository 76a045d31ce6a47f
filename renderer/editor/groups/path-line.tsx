/** The path line of the caret's place: folder, file, definition, and the package in which code there is read. */
import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { useMirror } from '../../base/mirror.ts';
import { shownPackage } from '../../sexp/packages.ts';
import { useFrameIn } from '../monaco/frame-mark.ts';
import type { TextBuffer } from '../text/buffers.ts';
import type { CaretPlace } from './caret-place.ts';
import { Row, Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import styles from './editor.module.css';
import { pathParts, pathWithin } from '../../base/text/paths.ts';

export function PathLine({ buffer, place }: { buffer: TextBuffer; place: CaretPlace }) {
  const project = useMirror((state) => state.project);
  const replPackage = useMirror((state) => state.session.package);
  const frame = useFrameIn(buffer.id);
  const pieces = buffer.path === null ? [buffer.title] : piecesOf(buffer.path, project?.path ?? null);
  return (
    <Row justify="between" gap={4} padX={4} fixed font="small" tone={3} className={styles.pathLine}>
      <Row as="span" gap="mark" shrink lines="one" className={styles.pathPieces}>
        {pieces.map((piece, index) => (
          // A component of the path can only be identified by its position, because the same name may occur twice.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            {index > 0 ? <ChevronRight className="icon-tiny" aria-hidden /> : null}
            <span>{piece}</span>
          </Fragment>
        ))}
        {place.name === null ? null : (
          <>
            <ChevronRight className="icon-tiny" aria-hidden />
            {place.after ? <span>after</span> : null}
            <Text
              shrink
              tone={place.after ? 3 : 1}
              className={classes('code', styles.pathDefinition)}
              data-part="definition"
            >
              {place.name}
            </Text>
          </>
        )}
      </Row>
      <Text fixed className={styles.pathPackage}>
        {frame === null ? '' : `frame ${frame} · `}in{' '}
        <span className="code">{shownPackage(place.package ?? replPackage)}</span>
      </Text>
    </Row>
  );
}

function piecesOf(path: string, project: string | null): string[] {
  const pieces = pathParts((project === null ? null : pathWithin(project, path)) ?? path);
  return pieces.length > 4 ? ['…', ...pieces.slice(-4)] : pieces;
}
