/** When drawing fails: what was typed is kept by the workspace, and a reload brings it back. */
import { Component, type ReactNode } from 'react';
import { messageOf } from '../bridge.ts';
import { Button } from '../ui/button.tsx';
import { keepNow } from '../workspace.ts';

export class ErrorBoundary extends Component<{ children: ReactNode }, { problem: string | null }> {
  override state = { problem: null };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: messageOf(error) };
  }

  override componentDidCatch(error: unknown): void {
    console.error('The window could not be drawn.', error);
    keepNow();
  }

  override render(): ReactNode {
    if (this.state.problem === null) return this.props.children;
    return <Broken problem={this.state.problem} />;
  }
}

/** Also what is shown when the window cannot even begin. */
export function Broken({ problem }: { problem: string }) {
  return (
    <div className="broken" role="alert">
      <h1 className="broken-title">This window could not be drawn</h1>
      <p>Your text is kept, and the image goes on. A reload brings both back.</p>
      <pre className="code broken-problem">{problem}</pre>
      <Button kind="primary" size="large" onPress={() => window.location.reload()}>
        Reload
      </Button>
    </div>
  );
}
