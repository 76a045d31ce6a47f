/** Key caps: `Ctrl+Shift+P` as three. `drawn` leaves them out of the name of what they stand in. */
import { keyLabels } from '../commands/keymap.ts';

export function Keys({ keys, drawn = false }: { keys: string; drawn?: boolean }) {
  return (
    <span className="keys">
      {keyLabels(keys).map((label) => (drawn ? <kbd key={label} data-text={label} /> : <kbd key={label}>{label}</kbd>))}
    </span>
  );
}
