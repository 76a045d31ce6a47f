/** The whole window: the frame, and the dialogs over it. */
import { Help } from './commands/help.tsx';
import { Palette } from './commands/palette.tsx';
import { AskDialog } from './features/ask.tsx';
import { ErrorBoundary } from './layout/error-boundary.tsx';
import { Frame } from './layout/frame.tsx';
import { InTwoSteps } from './layout/two-steps.tsx';
import { useMirror } from './base/mirror.ts';
import { useOverlay } from './base/overlays.ts';
import { ChooseCheckpoint } from './panels/checkpoints/choose.tsx';
import { MakeCheckpoint } from './panels/checkpoints/make.tsx';
import { ConnectClient } from './panels/clients/connect.tsx';
import { Protection } from './panels/protection/protection.tsx';
import { SaveExecutable } from './panels/saved-images/save-executable.tsx';
import { SaveImage } from './panels/saved-images/save-image.tsx';
import { SavedImages } from './panels/saved-images/saved-images.tsx';
import { NewProject } from './panels/new-project/new-project.tsx';
import { Rename } from './panels/repl/rename.tsx';
import { Servers } from './panels/servers/servers.tsx';
import { Targets } from './panels/targets/targets.tsx';
import { StartTour } from './panels/tour/start-tour.tsx';
import { Settings } from './panels/settings/settings.tsx';

export function App() {
  // Keys stand everywhere: the whole page is drawn again when others are chosen.
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

function Overlays() {
  const overlay = useOverlay();
  if (!overlay) return null;
  switch (overlay.kind) {
    case 'palette':
      return <Palette text={overlay.text} typedOver={overlay.typedOver} />;
    case 'connect':
      return <ConnectClient />;
    case 'servers':
      return <Servers />;
    case 'targets':
      return <Targets />;
    case 'settings':
      return <Settings />;
    case 'rename':
      return <Rename {...overlay} />;
    case 'protection':
      return <Protection image={overlay.image} />;
    case 'make-checkpoint':
      return <MakeCheckpoint />;
    case 'choose-checkpoint':
      return <ChooseCheckpoint />;
    case 'save-image':
      return <SaveImage />;
    case 'saved-images':
      return <SavedImages />;
    case 'save-executable':
      return <SaveExecutable />;
    case 'new-project':
      return <NewProject />;
    case 'tour':
      return <StartTour />;
    case 'help':
      return <Help />;
  }
}
