/** The whole window: the frame, and what lies over it. */
import { Help } from './commands/help.tsx';
import { Palette } from './commands/palette.tsx';
import { AskDialog } from './layout/ask.tsx';
import { ErrorBoundary } from './layout/error-boundary.tsx';
import { Frame } from './layout/frame.tsx';
import { Notices } from './layout/notices.tsx';
import { useOverlay } from './layout/overlays.ts';
import { ChooseCheckpoint } from './panels/checkpoints/choose.tsx';
import { MakeCheckpoint } from './panels/checkpoints/make.tsx';
import { ConnectClient } from './panels/clients/connect.tsx';
import { Settings } from './panels/settings/settings.tsx';

export function App() {
  return (
    <ErrorBoundary>
      <Frame />
      <Notices />
      <Overlays />
      <AskDialog />
    </ErrorBoundary>
  );
}

function Overlays() {
  const overlay = useOverlay();
  if (!overlay) return null;
  switch (overlay.kind) {
    case 'palette':
      return <Palette text={overlay.text} />;
    case 'connect':
      return <ConnectClient />;
    case 'settings':
      return <Settings />;
    case 'make-checkpoint':
      return <MakeCheckpoint />;
    case 'choose-checkpoint':
      return <ChooseCheckpoint />;
    case 'help':
      return <Help />;
  }
}
