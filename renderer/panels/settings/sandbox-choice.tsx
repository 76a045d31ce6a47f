/** The choice whether images run in the system's sandbox, and the way to have it so at once. */
import { call } from '../../base/bridge.ts';
import { runCommand } from '../../features/command-registry.ts';
import { orNotice } from '../../features/notices.tsx';
import { closeOverlay } from '../../base/overlays.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Text } from '../../ui/layout.tsx';

export function SandboxChoice({ wanted }: { wanted: boolean }) {
  const living = useMirror(({ session }) => session.pid !== null);
  const sandboxed = useMirror(({ session }) => session.sandbox !== null);
  const restart = (): void => {
    closeOverlay();
    runCommand('image.restart');
  };
  return (
    <>
      <Choice
        label="Run images in a sandbox"
        value={wanted ? 'on' : 'off'}
        options={[
          { value: 'off', title: 'Off' },
          { value: 'on', title: 'On' },
        ]}
        onChange={(value) => void orNotice(call('settings.change', { sandbox: value === 'on' }))}
      />
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
