/** The choice whether images run in the system's sandbox, and the way to have it so at once. */
import { runCommand } from '../../base/keys/command-registry.ts';
import { changeSettings } from '../../base/change-settings.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Text } from '../../ui/layout.tsx';
import { OnOff } from '../../ui/fields/on-off.tsx';

export function SandboxChoice({ wanted }: { wanted: boolean }) {
  const living = useMirror(({ session }) => session.pid !== null);
  const sandboxed = useMirror(({ session }) => session.sandbox !== null);
  const restart = (): void => {
    closeOverlay();
    runCommand('image.restart');
  };
  return (
    <>
      <OnOff label="Run images in a sandbox" value={wanted} onChange={(sandbox) => changeSettings({ sandbox })} />
      <Text as="p" tone={2}>
        No network, and only the project folder can be written, whatever code does, yours too. Files elsewhere can still
        be read, and what is written into the project can be run by you later. Needs Linux with bubblewrap.
      </Text>
      {living && wanted !== sandboxed ? (
        <Text as="p" tone={2}>
          The image that runs is {sandboxed ? 'still in the sandbox' : 'not in the sandbox yet'}: this takes effect with
          its next start. <Button onPress={restart}>Restart Image…</Button>
        </Text>
      ) : null}
    </>
  );
}
