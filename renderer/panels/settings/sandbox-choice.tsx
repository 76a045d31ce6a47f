/** Whether images run in the system's sandbox, and the way to have it so at once. */
import { call } from '../../bridge.ts';
import { runCommand } from '../../commands/registry.ts';
import { orNotice } from '../../layout/notices.tsx';
import { closeOverlay } from '../../layout/overlays.ts';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';

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
      <p className="dialog-text">
        No network, and only the project folder can be written, whatever code does, yours too. Files elsewhere can still
        be read, and what is written into the project can be run by you later. Needs Linux with bubblewrap.
      </p>
      {living && wanted !== sandboxed ? (
        <p className="dialog-text">
          The image that runs is {sandboxed ? 'still in the sandbox' : 'not in the sandbox yet'}: this takes effect with
          its next start. <Button onPress={restart}>Restart Image…</Button>
        </p>
      ) : null}
    </>
  );
}
