/** The field for the reason of a denial, shown in place of the facts. Enter inserts a line break; only the button and its keys send. */
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { CARD_KEYS } from '#contract/decisions/card-keys.ts';
import { Deny, Push } from '../button.tsx';
import { Row, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './decision.module.css';
import controlsStyles from './controls.module.css';

export interface DenyingProps {
  client: string;
  reason: string;
  sending: boolean;
  onChange: (reason: string) => void;
  onDeny: () => void;
  onBack: () => void;
}

const LONGEST_REASON = 4000;

export function Denying({ client, reason, sending, onChange, onDeny, onBack }: DenyingProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = area.current!;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, []);
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onBack();
  };
  return (
    // Escape leaves this mode, whichever element inside has the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={styles.denying} onKeyDown={key}>
      <Row
        as="label"
        align="baseline"
        gap={2}
        font="small-strong"
        className={controlsStyles.areaLabel}
        htmlFor="reason"
      >
        Why?{' '}
        <Text font="small" tone={3}>
          {client} reads this.
        </Text>
      </Row>
      <textarea
        ref={area}
        id="reason"
        className={look(
          { padY: 2, padX: 3, font: 'base', tone: 1, surface: 3, selectable: true },
          controlsStyles.area,
          controlsStyles.areaReason,
        )}
        value={reason}
        maxLength={LONGEST_REASON}
        rows={3}
        onChange={(event) => onChange(event.target.value)}
      />
      <Row wrap gap={2} className={styles.decision}>
        <Text grow font="small" tone={2} className={styles.why}>
          <kbd>Esc</kbd> goes back
        </Text>
        <Push kind="quiet" onClick={onBack}>
          Back
        </Push>
        <Deny keys={CARD_KEYS.approve.keys} drawn disabled={sending} onDeny={onDeny}>
          Deny
        </Deny>
      </Row>
    </div>
  );
}
