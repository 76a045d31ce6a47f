/** The places where images run, in words, and the way to the dialog in which they are chosen. */
import type { Settings } from '#contract/settings.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Text } from '../../ui/layout.tsx';

export function TargetsChoice({ sharedTarget, clientsTarget }: Pick<Settings, 'sharedTarget' | 'clientsTarget'>) {
  const open = (): void => {
    closeOverlay();
    runCommand('image.targets');
  };
  return (
    <Row gap={3} justify="between">
      <Text tone={1}>
        The shared image runs on {placeName(sharedTarget)}, images of clients on {placeName(clientsTarget)}.
      </Text>
      <Button onPress={open}>Targets…</Button>
    </Row>
  );
}

function placeName(target: string): string {
  return target === '' ? 'this machine' : target;
}
