/** Shows that an agent is waiting for the person's decision in Review, with a link to the card. */
import { Hand } from 'lucide-react';
import { runCommand } from '../../../base/keys/command-registry.ts';
import { Button } from '../../../ui/button.tsx';
import { Row } from '../../../ui/layout.tsx';

export function WaitsForYou({ words }: { words: string }) {
  return (
    <Row gap="mark" wrap font="small" tone="cautious">
      <Hand className="icon-small waiting-mark" aria-hidden />
      {words}
      <Button size="small" kind="link" onPress={() => runCommand('review.show')}>
        Show the card
      </Button>
    </Row>
  );
}
