/** The choice whether HTTPS starts with the program, and the way to its address and certificate. */
import { openOverlay } from '../../base/layout/overlays.ts';
import { changeSettings } from '../../base/change-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Text } from '../../ui/layout.tsx';
import { OnOff } from '../../ui/fields/on-off.tsx';

export function HttpsChoice({ wanted }: { wanted: boolean }) {
  return (
    <>
      <OnOff label="Start HTTPS with the program" value={wanted} onChange={(https) => changeSettings({ https })} />
      <Text as="p" tone={2}>
        MCP and Lisply over HTTPS as well, on loopback, with the same tokens. The address and the fingerprint of the
        certificate are under <Button onPress={() => openOverlay({ kind: 'servers' })}>Servers…</Button>
      </Text>
    </>
  );
}
