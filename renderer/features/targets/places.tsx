/** The places where the shared image and clients' own images run: on this machine or at a target. */
import { ChevronDown } from 'lucide-react';
import { useMirror } from '../../base/mirror.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { changeSettings } from '../../base/change-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { MenuButton } from '../../ui/menus/menu.tsx';

const HERE = 'This machine';

export function Places() {
  const { sharedTarget, clientsTarget } = useMirror(({ settings }) => settings);
  const runs = useMirror(({ session }) => session.pid !== null);
  const at = useMirror(({ session }) => session.target);
  const restart = (): void => {
    closeOverlay();
    runCommand('image.restart');
  };
  return (
    <Stack gap={2}>
      <Place
        title="The shared image runs on"
        chosen={sharedTarget}
        onChange={(name) => changeSettings({ sharedTarget: name })}
      />
      {runs && (at ?? '') !== sharedTarget ? (
        <Text as="p" tone={2} role="status">
          The running image is on {at ?? 'this machine'}. The change takes effect when the image starts next.{' '}
          <Button kind="link" size="small" onPress={restart}>
            Restart Image…
          </Button>
        </Text>
      ) : null}
      <Place
        title="Clients’ separate images run on"
        chosen={clientsTarget}
        onChange={(name) => changeSettings({ clientsTarget: name })}
      />
    </Stack>
  );
}

interface PlaceProps {
  readonly title: string;
  /** The name of a target; empty for this machine. */
  readonly chosen: string;
  readonly onChange: (name: string) => void;
}

function Place({ title, chosen, onChange }: PlaceProps) {
  const targets = useMirror(({ settings }) => settings.targets);
  const shown = chosen === '' ? HERE : chosen;
  const entries = ['', ...targets.map(({ name }) => name)].map((name) => ({
    id: name === '' ? 'here' : `target ${name}`,
    title: name === '' ? HERE : name,
    run: () => onChange(name),
  }));
  return (
    <Row gap={3} justify="between">
      <Text tone={1}>{title}</Text>
      <MenuButton label={title} placement="bottom end" groups={[{ id: 'places', entries }]}>
        <Button aria-label={`${title}: ${shown}`}>
          <Row as="span" inline gap="mark">
            {shown}
            <ChevronDown className="icon-small" aria-hidden />
          </Row>
        </Button>
      </MenuButton>
    </Row>
  );
}
