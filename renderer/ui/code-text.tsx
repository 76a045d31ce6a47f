/** Lisp text in its colours. It is never interpreted as markup. */
import { memo } from 'react';
import { colourText } from '../sexp/reading/colour.ts';
import { classes } from './look.ts';

export const CodeText = memo(function CodeText({ text }: { text: string }) {
  return colourText(text).map(({ line, runs }, row) => (
    // Lines are identified only by their position.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={row}>
      {row > 0 ? '\n' : null}
      {runs.map((run) =>
        run.part === 'plain' || run.part === 'bar' ? (
          line.slice(run.start, run.end)
        ) : (
          <span key={run.start} className={classes(`lisp-${run.part}`)}>
            {line.slice(run.start, run.end)}
          </span>
        ),
      )}
    </span>
  ));
});
