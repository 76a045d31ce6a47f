/**
 * Key caps: `Ctrl+Shift+P` is three; the strokes of a sequence are separate. `drawn` leaves them out of the accessible name of the element
 * around them.
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
