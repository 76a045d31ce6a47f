/**
 * Draws key caps: three for `Ctrl+Shift+P`, and separate groups for the strokes of a sequence. With `drawn`, the caps are left out of the
 * accessible name of the element around them.
 */
import { keyLabels, strokesOf } from './key-strokes.ts';

export function Keys({ keys, drawn = false }: { keys: string; drawn?: boolean }) {
  const caps = strokesOf(keys).flatMap((stroke, at) =>
    keyLabels(stroke).map((label, index) => ({ label, id: `${at} ${label}`, next: at > 0 && index === 0 })),
  );
  return (
    <span className="keys">
      {caps.map(({ label, id, next }) =>
        drawn ? (
          <kbd key={id} data-text={label} data-next={next || undefined} />
        ) : (
          <kbd key={id} data-next={next || undefined}>
            {label}
          </kbd>
        ),
      )}
    </span>
  );
}
