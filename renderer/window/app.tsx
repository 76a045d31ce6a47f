/** The whole window: the frame, and the dialogs over it. */
import type { ComponentType } from 'react';
import { features } from '../features/all.ts';
import type { Dialogs } from '../features/define-feature.ts';
import { Help } from './help/help.tsx';
import { Palette } from './palette/palette.tsx';
import { AskDialog } from '../base/notices/ask.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { InTwoSteps } from './two-steps.tsx';
import { useMirror } from '../base/mirror.ts';
import { useOverlay } from '../base/layout/overlays.ts';

export function App() {
  // Keys are shown everywhere, so the whole page is rendered again when the keymap changes.
  useMirror((state) => state.settings.keymap);
  return (
    <ErrorBoundary>
      <InTwoSteps>
        <Frame />
      </InTwoSteps>
      <Overlays />
      <AskDialog />
    </ErrorBoundary>
  );
}

/** The dialogs of the features, and those of the window itself. */
const DIALOGS: Dialogs = Object.assign({ palette: Palette, help: Help }, ...features.map(({ dialogs }) => dialogs));

function Overlays() {
  const overlay = useOverlay();
  if (!overlay) return null;
  const { kind, ...rest } = overlay;
  // The dialog of a kind accepts the properties of overlays of that kind.
  const Dialog = DIALOGS[kind] as ComponentType<typeof rest> | undefined;
  return Dialog ? <Dialog {...rest} /> : null;
}
