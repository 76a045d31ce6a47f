/** The button that pins the documented name, so that the name stays when the caret moves. */
import { Pin } from 'lucide-react';
import { togglePinned, useDocumented } from '../../base/image/documented.ts';
import { IconButton } from '../../ui/icon-button.tsx';

export function PinName() {
  const pinned = useDocumented((state) => state.pinned);
  return (
    <IconButton label={pinned ? 'Follow the caret' : 'Keep this name'} aria-pressed={pinned} onPress={togglePinned}>
      <Pin className="icon" aria-hidden />
    </IconButton>
  );
}
