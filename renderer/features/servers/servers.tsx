/** The dialog of the program's servers: the state of each, and a button that starts or stops it. */
import { closeOverlay } from '../../base/layout/overlays.ts';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Stack, Text } from '../../ui/layout.tsx';
import { useNow } from '../../ui/now.ts';
import { ServerRow } from './server-row.tsx';

export function Servers() {
  const servers = useMirror((state) => state.servers);
  const now = useNow();
  return (
    <Dialog
      title="Servers"
      onClose={closeOverlay}
      actions={
        <Button size="large" onPress={closeOverlay}>
          Close
        </Button>
      }
    >
      <Text as="p" tone={2}>
        Only programs on this machine can connect: all servers listen on loopback.
      </Text>
      <Stack as="ul" gap={4} aria-label="Servers of the program">
        {servers.map((server) => (
          <ServerRow key={server.kind} server={server} now={now} />
        ))}
      </Stack>
    </Dialog>
  );
}
