/** The number of open debuggers, shown in the panel's tab. */
import { useMirror } from '../../base/mirror.ts';
import { Text } from '../../ui/layout.tsx';

export function DebuggerCount() {
  const count = useMirror((state) => state.debuggers.debuggers.length);
  if (count === 0) return null;
  return (
    <Text padX="mark" font="small-strong" round="inline" surface={4} tone={1}>
      {count} <span className="visually-hidden">open</span>
    </Text>
  );
}
