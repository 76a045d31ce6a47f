/** The notice in a REPL whose earlier package does not exist in its image, for example after a restart. */
import type { ReplRecord } from '#contract/image/repl.ts';
import { packageOf, useOfShownImage } from '../../../base/image/active-repl.ts';
import { useMirror } from '../../../base/mirror.ts';
import { shownPackage } from '../../../sexp/packages.ts';
import { MissingLibrary } from '../../libraries/missing-library.tsx';
import { Row } from '../../../ui/layout.tsx';

/**
 * Shows the notice. Shows nothing while no image is running, because that is reported elsewhere, and nothing once the person has evaluated
 * code in the REPL's current package.
 */
export function MissingPackage({ repl }: { repl: ReplRecord }) {
  const isUp = useOfShownImage((image) => image !== null && image.pid !== null);
  const name = useMirror((state) => packageOf(repl, state));
  if (repl.wanted === null || !isUp) return null;
  return (
    <Row gap={2} wrap padY={1} padX={4} fixed font="small" tone={2} edge="top" role="status" aria-label="Package">
      <span>
        There is no package <span className="code">{repl.wanted}</span> in the image. This REPL is in{' '}
        <span className="code">{shownPackage(name)}</span>, and will switch back when the package exists.
      </span>
      <MissingLibrary meant={{ kind: 'package', name: repl.wanted.toLowerCase() }} />
    </Row>
  );
}
