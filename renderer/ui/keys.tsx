/** Key caps: `Ctrl+Shift+P` as three. `drawn` leaves them out of the accessible name of the element around them. */
import { keyLabels } from '../base/keymap.ts';

export function Keys({ keys, drawn = false }: { keys: string; drawn?: boolean }) {
  return (
    <span className="keys">
      {keyLabels(keys).map((label) => (drawn ? <kbd key={label} data-text={label} /> : <kbd key={label}>{label}</kbd>))}
    </span>
  );
}
