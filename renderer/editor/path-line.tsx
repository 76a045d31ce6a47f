/** Where the caret is: folder, file, definition, and the package that code there is read in. */
import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { useMirror } from '../mirror.ts';
import { shownPackage } from '../sexp/packages.ts';
import { useBuffers } from './buffers.ts';

export function PathLine() {
  const buffer = useBuffers((state) => state.buffers.find((each) => each.id === state.active) ?? null);
  const place = useBuffers((state) => state.place);
  const project = useMirror((state) => state.project);
  const replPackage = useMirror((state) => state.session.package);
  if (!buffer) return null;
  const pieces = buffer.path === null ? [buffer.title] : piecesOf(buffer.path, project?.path ?? null);
  return (
    <div className="path-line">
      <span className="path-pieces">
        {pieces.map((piece, index) => (
          // The same name may stand twice in a path.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            {index > 0 ? <ChevronRight className="icon-tiny" aria-hidden /> : null}
            <span>{piece}</span>
          </Fragment>
        ))}
        {place.definition === null ? null : (
          <>
            <ChevronRight className="icon-tiny" aria-hidden />
            <span className="code path-definition">{place.definition}</span>
          </>
        )}
      </span>
      <span className="path-package">
        in <span className="code">{shownPackage(place.package ?? replPackage)}</span>
      </span>
    </div>
  );
}

function piecesOf(path: string, project: string | null): string[] {
  const inside = project !== null && (path.startsWith(`${project}/`) || path.startsWith(`${project}\\`));
  const pieces = (inside ? path.slice(project.length + 1) : path).split(/[/\\]/).filter((piece) => piece !== '');
  return pieces.length > 4 ? ['…', ...pieces.slice(-4)] : pieces;
}
