/** The restarts of suspended code, as choices. The button at the bottom is labelled with the chosen restart and invokes it. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { ApprovalCard, ApprovalDecision, CardChoice } from '#contract/decisions/approval.ts';
import { visible } from '#contract/text/visible.ts';
import { Approve, Push } from '../button.tsx';
import { Why } from './decision-row.tsx';
import type { Draft } from '../edit/draft.ts';
import { chosenOf, decisionOf } from './choice.ts';
import { ShownText } from '../card/agent-text.tsx';
import { whyNot } from './click-guard.ts';
import type { Shown } from './use-click-guard.ts';
import { Row, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './decision.module.css';
import controlsStyles from './controls.module.css';

export interface EffectDecisionProps {
  card: ApprovalCard;
  draft: Draft;
  onDraft: (change: Partial<Draft>) => void;
  gate: Shown;
  sending: boolean;
  message: string | null;
  /** The number of folded parts that are still closed. */
  folded: number;
  onForget: () => void;
  onSend: (decision: ApprovalDecision) => void;
}

export function EffectDecision(props: EffectDecisionProps) {
  const { card, draft, onDraft, gate, sending, message, folded, onForget, onSend } = props;
  const { choices } = card;
  const chosen = chosenOf(choices, draft.choice);
  const why = useId();
  const group = useId();
  /** True if the chosen restart's field should take the focus: after a button selected the restart, but not after an arrow key. */
  const [toReason, setToReason] = useState(false);
  const choose = (choice: CardChoice): void => {
    onForget();
    onDraft({ choice: choice.key });
  };
  const approves = chosen.kind !== 'deny' && chosen.kind !== 'abort';
  const missing = chosen.kind === 'use-path' && draft.path.trim() === '' ? 'Enter the other path first.' : null;
  const obstacle = approves
    ? whyNot({ inert: gate.inert, sending, folded, missing })
    : sending
      ? 'Sending your decision…'
      : null;
  const send = (): void => onSend(decisionOf(chosen, draft));
  const label = chosen.kind === 'abort' ? 'Abort' : approves ? 'Approve' : 'Deny';
  return (
    <>
      <div className={styles.choices} role="radiogroup" aria-label="Decision">
        {choices.map((choice) => (
          <ChoiceRow
            key={choice.key}
            group={group}
            choice={choice}
            rule={card.scopes.find(({ id }) => id === choice.scope)?.words ?? null}
            checked={choice.key === chosen.key}
            onChoose={() => choose(choice)}
          >
            {choice.key === chosen.key && choice.kind === 'use-path' ? (
              <PathField
                path={draft.path}
                describedBy={why}
                wrong={message !== null}
                onChange={(path) => {
                  onForget();
                  onDraft({ path });
                }}
              />
            ) : null}
            {choice.key === chosen.key && choice.kind === 'deny' ? (
              <ReasonField
                reader={card.actor.kind === 'person' ? 'Your code' : visible(card.actor.name)}
                reason={draft.reason}
                focused={toReason}
                onFocused={() => setToReason(false)}
                onChange={(reason) => onDraft({ reason })}
              />
            ) : null}
          </ChoiceRow>
        ))}
      </div>
      <Row wrap gap={2} className={styles.decision}>
        <Why id={why} obstacle={obstacle ?? `${label} takes restart ${chosen.restart.slice(0, 1)}`} message={message} />
        {chosen.kind === 'deny' ? null : (
          <Push
            aria-label="Deny"
            disabled={sending}
            onClick={() => {
              choose(choices.find(({ kind }) => kind === 'deny')!);
              setToReason(true);
            }}
          >
            Deny…
          </Push>
        )}
        {approves ? (
          <Approve
            label={label}
            shownAt={gate.shownAt}
            blocked={obstacle !== null}
            describedBy={why}
            onApprove={send}
          />
        ) : (
          <Push aria-describedby={why} disabled={sending} onClick={(event) => event.nativeEvent.isTrusted && send()}>
            {label}
          </Push>
        )}
      </Row>
    </>
  );
}

interface ChoiceRowProps {
  group: string;
  choice: CardChoice;
  /** The rule that the choice creates, as text; null if it creates none. */
  rule: string | null;
  checked: boolean;
  onChoose: () => void;
  children?: ReactNode;
}

function ChoiceRow({ group, choice, rule, checked, onChoose, children }: ChoiceRowProps) {
  const id = useId();
  const radio = useRef<HTMLInputElement>(null);
  const { title, restart, detail } = choice;
  /** Escape moves the focus from a field back to its choice. */
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || event.target === radio.current) return;
    event.preventDefault();
    radio.current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={look({ padY: 'mark', padX: 2, round: 'control' }, checked ? styles.choiceChosen : undefined)}
      onKeyDown={key}
    >
      <label className={styles.choiceLabel}>
        <input
          ref={radio}
          type="radio"
          className={look({ fixed: true }, controlsStyles.dot)}
          name={group}
          checked={checked}
          aria-labelledby={`${id}title ${id}restart`}
          aria-describedby={`${id}detail`}
          onChange={onChoose}
        />
        <Text id={`${id}title`} font="base" tone={1}>
          {title}
        </Text>
        <Text id={`${id}restart`} tone={2} className="code">
          {restart}
        </Text>
        <Text id={`${id}detail`} font="small" tone={2} breaks className={styles.choiceDetail}>
          {rule === null ? null : (
            <>
              <ShownText className={look({ tone: 1 })} text={rule} />
              <br />
            </>
          )}
          {detail}
        </Text>
      </label>
      {children}
    </div>
  );
}

const LONGEST_PATH = 4096;

interface PathFieldProps {
  path: string;
  describedBy: string;
  wrong: boolean;
  onChange: (path: string) => void;
}

/** The field for another path. Enter does nothing here, because the main process checks the path when the person approves. */
function PathField({ path, describedBy, wrong, onChange }: PathFieldProps) {
  return (
    <input
      type="text"
      className={look(
        { padY: 2, padX: 3, font: 'base', tone: 1, surface: 3, selectable: true },
        controlsStyles.area,
        controlsStyles.field,
        'code',
      )}
      aria-label="Other path"
      aria-describedby={describedBy}
      aria-invalid={wrong}
      placeholder="A path inside the project"
      value={path}
      maxLength={LONGEST_PATH}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      dir="ltr"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

const LONGEST_REASON = 4000;

interface ReasonFieldProps {
  reader: string;
  reason: string;
  focused: boolean;
  onFocused: () => void;
  onChange: (reason: string) => void;
}

function ReasonField({ reader, reason, focused, onFocused, onChange }: ReasonFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!focused) return;
    area.current!.focus();
    onFocused();
  }, [focused, onFocused]);
  return (
    <textarea
      ref={area}
      className={look(
        { padY: 2, padX: 3, font: 'base', tone: 1, surface: 3, selectable: true },
        controlsStyles.area,
        controlsStyles.field,
      )}
      aria-label={`Why? ${reader} reads this.`}
      placeholder={`Why? ${reader} reads this.`}
      value={reason}
      maxLength={LONGEST_REASON}
      rows={2}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
