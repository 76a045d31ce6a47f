/** The page that is shown if rendering fails. The typed text is stored in the workspace, and a reload restores it. */
import { Component, type ReactNode } from 'react';
import { messageOf } from '../base/bridge.ts';
import { Button } from '../ui/button.tsx';
import { keepNow } from '../base/layout/workspace.ts';
import { Stack, Text } from '../ui/layout.tsx';
import { classes } from '../ui/look.ts';
import styles from './error-boundary.module.css';

export class ErrorBoundary extends Component<{ children: ReactNode }, { problem: string | null }> {
  override state = { problem: null };

  static getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: messageOf(error) };
  }

  override componentDidCatch(error: unknown): void {
    console.error('The window could not be displayed.', error);
    keepNow();
  }

  override render(): ReactNode {
    if (this.state.problem === null) return this.props.children;
    return <Broken problem={this.state.problem} />;
  }
}

/** The page that replaces a broken one, or a window that cannot start. */
export function Broken({ problem }: { problem: string }) {
  return (
    <Stack align="start" gap={3} padY={6} padX={6} className={styles.broken} role="alert">
      <Text as="h1" font="head">
        This window could not be displayed
      </Text>
      <p>Your text is saved, and the image is still running. Reload the window to continue.</p>
      <Text
        as="pre"
        padY={3}
        padX={3}
        surface={1}
        round="control"
        selectable
        lines="wrap"
        className={classes('code', styles.brokenProblem)}
      >
        {problem}
      </Text>
      <Button kind="primary" size="large" onPress={() => window.location.reload()}>
        Reload
      </Button>
    </Stack>
  );
}
