/** The mark in the panel's tab while all threads are being sampled. */
import { Text } from '../../ui/layout.tsx';
import { useProfile } from './store.ts';

export function SamplingMark() {
  const { sampling } = useProfile();
  return sampling === null ? null : (
    <Text padX="mark" font="small-strong" round="inline" surface={4} tone={1}>
      on
    </Text>
  );
}
