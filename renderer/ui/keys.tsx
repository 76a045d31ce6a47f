/** Key caps: `Ctrl+Shift+P` as three. */
import { keyLabels } from '../commands/keymap.ts';

export function Keys({ keys }: { keys: string }) {
  return (
    <span className="keys">
      {keyLabels(keys).map((label) => (
        <kbd key={label}>{label}</kbd>
      ))}
    </span>
  );
}
