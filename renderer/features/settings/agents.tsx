/** The settings for agents' permissions. */
import { changeSettings } from '../../base/change-settings.ts';
import { Text } from '../../ui/layout.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { OnOff } from '../../ui/fields/on-off.tsx';
import type { SettingEntry } from './entry.ts';
import { WritableFolders } from './writable-folders.tsx';
import { closeOverlay, openOverlay } from '../../base/layout/overlays.ts';
import { Button } from '../../ui/button.tsx';
import { runCommand } from '../../base/keys/command-registry.ts';
import { useMirror } from '../../base/mirror.ts';

const group = 'Agents and safety';

export const AGENTS: readonly SettingEntry[] = [
  {
    id: 'approvals',
    group,
    title: 'Deny requests after',
    words: 'minutes approval timeout clients review',
    names: ['approvalMinutes'],
    draw: ({ approvalMinutes }) => (
      <>
        <NumberField
          label="Deny requests after"
          unit="minutes"
          value={approvalMinutes}
          min={0.5}
          max={120}
          step={0.5}
          onChange={(minutes) => changeSettings({ approvalMinutes: minutes })}
        />
        <Text as="p" tone={2}>
          After this time, a request without your decision is denied, and the client is informed.
        </Text>
      </>
    ),
  },
  {
    id: 'https',
    group,
    title: 'Start HTTPS with the program',
    words: 'tls certificate fingerprint server lisply mcp encrypted port',
    names: ['https'],
    draw: ({ https }) => <HttpsChoice wanted={https} />,
  },
  {
    id: 'own-code',
    group,
    title: 'Ask about my own code while an agent’s change is unreviewed',
    words: 'strict guard protection unreviewed accept person evaluations trusted',
    names: ['asksPerson'],
    draw: ({ asksPerson }) => (
      <>
        <OnOff
          label="Ask about my own code while an agent’s change is unreviewed"
          value={asksPerson}
          onChange={(asks) => changeSettings({ asksPerson: asks })}
        />
        <Text as="p" tone={2}>
          On: effects of your own code also wait for your approval while there is an agent’s evaluation that you have
          not accepted. Off: your own evaluations are trusted.
        </Text>
      </>
    ),
  },
  {
    id: 'turns',
    group,
    title: 'Wait for an agent’s evaluation before my own',
    words: 'strict turns queue beside parallel threads interleave repl',
    names: ['waitsForAgents'],
    draw: ({ waitsForAgents }) => (
      <>
        <OnOff
          label="Wait for an agent’s evaluation before my own"
          value={waitsForAgents}
          onChange={(waits) => changeSettings({ waitsForAgents: waits })}
        />
        <Text as="p" tone={2}>
          Off: your evaluations run immediately, in their own thread beside the agent’s. Loads of systems always wait.
        </Text>
      </>
    ),
  },
  {
    id: 'sandbox',
    group,
    title: 'Run images in a sandbox',
    words: 'bubblewrap network files isolation',
    names: ['sandbox'],
    draw: ({ sandbox }) => <SandboxChoice wanted={sandbox} />,
  },
  {
    id: 'folders',
    group,
    title: 'Folders that agents’ code may write in',
    words: 'writable beside the project paths',
    names: ['writableFolders'],
    draw: ({ writableFolders }) => <WritableFolders folders={writableFolders} />,
  },
];

function HttpsChoice({ wanted }: { wanted: boolean }) {
  return (
    <>
      <OnOff label="Start HTTPS with the program" value={wanted} onChange={(https) => changeSettings({ https })} />
      <Text as="p" tone={2}>
        Also serves MCP and Lisply over HTTPS, on loopback, with the same tokens. The address and the fingerprint of the
        certificate are under <Button onPress={() => openOverlay({ kind: 'servers' })}>Servers…</Button>
      </Text>
    </>
  );
}

function SandboxChoice({ wanted }: { wanted: boolean }) {
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
        Code has no network and can write only to the project folder; this includes your own code. Files elsewhere can
        still be read, and files that code writes into the project may be run later. Requires Linux with bubblewrap.
      </Text>
      {living && wanted !== sandboxed ? (
        <Text as="p" tone={2}>
          The running image is {sandboxed ? 'still in the sandbox' : 'not in the sandbox yet'}. The change takes effect
          when the image starts next. <Button onPress={restart}>Restart Image…</Button>
        </Text>
      ) : null}
    </>
  );
}
