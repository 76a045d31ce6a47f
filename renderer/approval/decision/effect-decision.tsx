/** The restarts of suspended code, as choices, and the row of buttons below them. The last button invokes the chosen restart. */
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef } from 'react';
import type { ApprovalCard, ApprovalDecision, CardChoice } from '#contract/decisions/approval.ts';
import { CARD_KEYS } from '#contract/decisions/card-keys.ts';
import { Approve, Deny, Push } from '../button.tsx';
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
  /** The Deny button, which gets the focus back when the person leaves the form for the reason. */
  denyRef: RefObject<HTMLButtonElement | null>;
  onDeny: () => void;
  onForget: () => void;
  onSend: (decision: ApprovalDecision) => void;
}

export function EffectDecision(props: EffectDecisionProps) {
  const { card, draft, onDraft, gate, sending, message, folded, denyRef, onDeny, onForget, onSend } = props;
  // The button *Deny…* denies, for every card in the same place.
  const choices = card.choices.filter(({ kind }) => kind !== 'deny');
  const chosen = chosenOf(choices, draft.choice);
  const numbered = new Set(choices.map(({ restart }) => restart)).size === choices.length;
  const why = useId();
  const group = useId();
  const aborts = chosen?.kind === 'abort';
  const missing = chosen === null ? 'Your answer is no longer offered. Choose again.' : missingIn(chosen, draft);
  const obstacle = aborts
    ? whyNot({ inert: false, sending, folded: 0 })
    : whyNot({ inert: gate.inert, sending, folded, missing });
  const send = (): void => {
    if (chosen) onSend(decisionOf(chosen, draft));
  };
  return (
    <>
      <div className={styles.choices} role="radiogroup" aria-label="Decision">
        {choices.map((choice) => (
          <ChoiceRow
            key={choice.key}
            group={group}
            choice={choice}
            numbered={numbered}
            checked={choice.key === chosen?.key}
            onChoose={() => {
              onForget();
              onDraft({ choice: choice.key });
            }}
          >
            {choice.key === chosen?.key && choice.kind === 'use-path' ? (
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
          </ChoiceRow>
        ))}
      </div>
      <Row wrap gap={2} padY={3} padX={4} surface={2} edge="top" className={styles.foot}>
        <Why id={why} obstacle={obstacle} message={message} />
        <Deny ref={denyRef} keys={CARD_KEYS.deny.keys} disabled={sending} onDeny={onDeny}>
          Deny…
        </Deny>
        {aborts ? (
          <Push aria-describedby={why} disabled={sending} onClick={(event) => event.nativeEvent.isTrusted && send()}>
            Abort
          </Push>
        ) : (
          <Approve
            label="Approve"
            shownAt={gate.shownAt}
            blocked={obstacle !== null}
            describedBy={why}
            onApprove={send}
          />
        )}
      </Row>
    </>
  );
}

function missingIn({ kind }: CardChoice, { path }: Draft): string | null {
  return kind === 'use-path' && path.trim() === '' ? 'Enter the other path first.' : null;
}

interface ChoiceRowProps {
  group: string;
  choice: CardChoice;
  /** True if each choice has its own number in the image. Otherwise the numbers are not shown. */
  numbered: boolean;
  checked: boolean;
  onChoose: () => void;
  children?: ReactNode;
}

function ChoiceRow({ group, choice, numbered, checked, onChoose, children }: ChoiceRowProps) {
  const id = useId();
  const radio = useRef<HTMLInputElement>(null);
  const { title, restart, detail, rule } = choice;
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
          aria-labelledby={numbered ? `${id}title ${id}restart` : `${id}title`}
          aria-describedby={`${id}detail`}
          onChange={onChoose}
        />
        <Text id={`${id}title`} font="base" tone={1}>
          {title}
        </Text>
        {numbered ? (
          <Text id={`${id}restart`} tone={2} className="code">
            {restart}
          </Text>
        ) : null}
        <Text id={`${id}detail`} font="small" tone={2} breaks className={styles.choiceDetail} hidden={!checked}>
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
