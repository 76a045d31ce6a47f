/** The state of the filter below the list: the progress of the search, and buttons to continue or stop it. */
import { useEffect, useState } from 'react';
import type { Finding, Step } from '../viewer-state.ts';
import type { Viewer } from '../viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { Row, Text } from '../../../ui/layout.tsx';
import { Ring } from '../../../ui/mark.tsx';

/** Milliseconds before a search shows its progress. */
const MOMENT_MS = 300;

export function FoundState({ viewer, step, finding }: { viewer: Viewer; step: Step; finding: Finding }) {
  const { state, indexes, problem, text, total } = finding;
  if (problem !== null)
    return (
      <Row padX={4} padY={1} fixed font="small" tone="error" role="status">
        {problem}
      </Row>
    );
  if (state === 'looking') return <Looking key={text} viewer={viewer} finding={finding} />;
  if (state === 'stopped')
    return (
      <Row gap={2} wrap padX={4} padY={1} fixed font="small" tone={3} edge="top" role="status">
        <span>{lookedWords(finding)}</span>
        <Button kind="link" size="small" onPress={() => viewer.finder.goOn(step)}>
          Continue searching
        </Button>
      </Row>
    );
  return indexes.length > 0 ? null : (
    <Row padX={4} padY={1} fixed font="small" tone={3} role="status">
      None of the {total.toLocaleString('en')} parts matches.
    </Row>
  );
}

function Looking({ viewer, finding }: { viewer: Viewer; finding: Finding }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), MOMENT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <Row gap={2} wrap padX={4} padY={1} fixed font="small" tone={3} edge="top">
      <Ring />
      <Text role="status">
        {finding.looked === 0 ? 'Waiting for the image to search the parts' : lookedWords(finding)}
      </Text>
      <Button kind="link" size="small" onPress={() => viewer.finder.pause()}>
        Stop
      </Button>
    </Row>
  );
}

function lookedWords({ looked, total }: Finding): string {
  return `${looked.toLocaleString('en')} of ${total.toLocaleString('en')} parts searched.`;
}
