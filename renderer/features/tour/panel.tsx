/** The tour, above the text: the current step with instructions and keys, and the list of all steps with marks at the completed ones. */
import { Check, X } from 'lucide-react';
import { Button as PlainButton } from 'react-aria-components';
import { useMirror } from '../../base/mirror.ts';
import { fileName } from '../../base/text/paths.ts';
import { commandKeys, menuEntry } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { indexOf, stepOf, STEPS, type Words } from './steps.ts';
import { closeTour, goToStep, moveStep, useTour } from './tour-store.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Keys } from '../../ui/menus/keys.tsx';
import { Row, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Region } from '../../ui/panels/panel.tsx';
import { Hint } from '../../ui/menus/tooltip.tsx';
import { reopenTour } from './begin.ts';
import { doStep } from './do-it.ts';
import styles from './panel.module.css';

export function Tour() {
  const { open, folder, place } = useTour((state) => state);
  const project = useMirror((state) => state.project);
  if (!open || folder === null) return null;
  const step = stepOf(place.step);
  const at = indexOf(place.step);
  const isDone = place.done.includes(place.step);
  const isLast = at === STEPS.length - 1;
  const isElsewhere = project?.path !== folder;
  return (
    <Region name="Tour" grow={false} fixed surface={1} edge="bottom" padX={4} padY={2} gap={1}>
      <Row gap={2} wrap>
        <Text as="h2" font="base-strong" tone={1}>
          {step.title}
        </Text>
        {isDone ? (
          <Row inline gap={1} font="small-medium" tone="success">
            <Check className="icon-small" aria-hidden /> Done
          </Row>
        ) : null}
        <Steps />
        <IconButton label="Close the tour" keys={commandKeys('tour.close')} onPress={closeTour}>
          <X className="icon" aria-hidden />
        </IconButton>
      </Row>
      <Text as="p" tone={2} className={styles.words}>
        {step.words.map(piece)}
      </Text>
      <Row gap={2} wrap>
        {isElsewhere ? (
          <Button size="small" onPress={() => void orNotice(reopenTour(folder))}>
            Open {fileName(folder)} again
          </Button>
        ) : null}
        <Text data-region-focus>
          <Button size="small" kind={isDone ? 'primary' : 'plain'} onPress={() => moveStep(1)}>
            {isLast ? 'End the tour' : isDone ? 'Next step' : 'Skip'}
          </Button>
        </Text>
        {isDone ? null : (
          <Button size="small" onPress={() => void orNotice(doStep(place.step))}>
            {place.part > 0 ? 'Do the rest for me' : 'Do it for me'}
          </Button>
        )}
        {at > 0 ? (
          <Button size="small" kind="quiet" onPress={() => moveStep(-1)}>
            Back
          </Button>
        ) : null}
      </Row>
      <div role="status" className="visually-hidden">
        {isDone ? `${step.title}: done.` : ''}
      </div>
    </Region>
  );
}

function Steps() {
  const { step: shown, done } = useTour((state) => state.place);
  return (
    <Row as="ol" gap="half" end aria-label="Steps">
      {STEPS.map(({ id, title }, index) => (
        <li key={id}>
          <Hint text={title} placement="bottom">
            <PlainButton
              className={look(
                { flow: 'row', justify: 'center', font: 'small-medium', tone: 2, round: 'control' },
                styles.step,
                id === shown && styles.shown,
              )}
              aria-label={`${index + 1}: ${title}${done.includes(id) ? ', done' : ''}`}
              {...(id === shown ? { 'aria-current': 'step' } : {})}
              onPress={() => goToStep(id)}
            >
              {done.includes(id) ? <Check className="icon-small" aria-hidden /> : index + 1}
            </PlainButton>
          </Hint>
        </li>
      ))}
    </Row>
  );
}

function piece(words: Words) {
  if (typeof words === 'string') return words;
  if ('code' in words)
    return (
      <Text key={words.code} font="code" tone={1}>
        {words.code}
      </Text>
    );
  const keys = commandKeys(words.keys);
  return keys === undefined ? menuEntry(words.keys).title : <Keys key={words.keys} keys={keys} />;
}
