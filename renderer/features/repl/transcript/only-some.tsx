/** The line above a transcript that shows only some of the evaluations. */
import { useShowsAgents } from '../../../base/image/active-repl.ts';
import { layout, useLayout } from '../../../base/layout/layout-store.ts';
import { Button } from '../../../ui/button.tsx';
import { Row } from '../../../ui/layout.tsx';

const WORDS = { mine: 'Only your evaluations are shown.', agents: 'Only agents’ evaluations are shown.' };

export function OnlySome() {
  const whose = useLayout(({ replShows }) => replShows);
  if (!useShowsAgents() || whose === 'everyone') return null;
  return (
    <Row gap={2} padX={4} padY={1} fixed font="small" tone={3} edge="bottom" role="status" aria-label="Shown">
      {WORDS[whose]}
      <Button size="small" kind="link" onPress={() => layout.setState({ replShows: 'everyone' })}>
        Show everyone’s
      </Button>
    </Row>
  );
}
