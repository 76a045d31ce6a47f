/** The restarts of parked code as choices. The chosen one is what the button at the foot says and does. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { ApprovalCard, ApprovalDecision, CardEffect } from '#contract/approval.ts';
import { visible } from '#contract/visible.ts';
import { Approve, Push } from './button.tsx';
import { Why } from './decision-row.tsx';
import type { Draft } from './draft.ts';
import { type Choice, choicesOf, chosenOf, decisionOf, ruleWords } from './effect.ts';
import { ShownText } from './agent-text.tsx';
import { whyNot } from './gate.ts';
import type { Shown } from './use-gate.ts';

export interface EffectDecisionProps {
  card: ApprovalCard;
  effect: CardEffect;
  draft: Draft;
  onDraft: (change: Partial<Draft>) => void;
  gate: Shown;
  sending: boolean;
  message: string | null;
  /** Folded parts that are still closed. */
  folded: number;
  onForget: () => void;
  onSend: (decision: ApprovalDecision) => void;
}

export function EffectDecision(props: EffectDecisionProps) {
  const { card, effect, draft, onDraft, gate, sending, message, folded, onForget, onSend } = props;
  const choices = choicesOf(card, effect);
  const chosen = chosenOf(choices, draft.choice);
  const why = useId();
  const group = useId();
  /** The field of a choice takes the focus when a button led to it, not when arrows pass it. */
  const [toReason, setToReason] = useState(false);
  const choose = (choice: Choice): void => {
    onForget();
    onDraft({ choice: choice.key });
  };
  const approves = chosen.kind !== 'deny' && chosen.kind !== 'abort';
  const missing = chosen.kind === 'use-path' && draft.path.trim() === '' ? 'Name the other path first.' : null;
  const obstacle = approves
    ? whyNot({ inert: gate.inert, sending, folded, missing })
    : sending
      ? 'Sending your decision.'
      : null;
  const send = (): void => onSend(decisionOf(chosen, draft));
  const label = chosen.kind === 'abort' ? 'Abort' : approves ? 'Approve' : 'Deny';
  return (
    <>
      <div className="choices" role="radiogroup" aria-label="What happens">
        {choices.map((choice) => (
          <ChoiceRow
            key={choice.key}
            group={group}
            choice={choice}
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
                client={visible(card.actor.name)}
                reason={draft.reason}
                focused={toReason}
                onFocused={() => setToReason(false)}
                onChange={(reason) => onDraft({ reason })}
              />
            ) : null}
          </ChoiceRow>
        ))}
      </div>
      <div className="decision">
        <Why id={why} obstacle={obstacle ?? `${label} runs restart ${chosen.restart.slice(0, 1)}`} message={message} />
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
      </div>
    </>
  );
}

interface ChoiceRowProps {
  group: string;
  choice: Choice;
  checked: boolean;
  onChoose: () => void;
  children?: ReactNode;
}

function ChoiceRow({ group, choice, checked, onChoose, children }: ChoiceRowProps) {
  const id = useId();
  const radio = useRef<HTMLInputElement>(null);
  const { title, restart, detail, scope } = choice;
  /** Escape leads from a field back to its choice. */
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || event.target === radio.current) return;
    event.preventDefault();
    radio.current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={checked ? 'choice choice-chosen' : 'choice'} onKeyDown={key}>
      <label className="choice-label">
        <input
          ref={radio}
          type="radio"
          className="dot"
          name={group}
          checked={checked}
          aria-labelledby={`${id}title ${id}restart`}
          aria-describedby={`${id}detail`}
          onChange={onChoose}
        />
        <span id={`${id}title`} className="choice-title">
          {title}
        </span>
        <span id={`${id}restart`} className="choice-restart code">
          {restart}
        </span>
        <span id={`${id}detail`} className="choice-detail">
          {scope === null ? null : (
            <>
              <ShownText className="scope-words" text={ruleWords(scope.label)} />
              <br />
            </>
          )}
          {detail}
        </span>
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

/** Enter does nothing in it: main checks the path when the person approves. */
function PathField({ path, describedBy, wrong, onChange }: PathFieldProps) {
  return (
    <input
      type="text"
      className="area field code"
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
  client: string;
  reason: string;
  focused: boolean;
  onFocused: () => void;
  onChange: (reason: string) => void;
}

function ReasonField({ client, reason, focused, onFocused, onChange }: ReasonFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!focused) return;
    area.current!.focus();
    onFocused();
  }, [focused, onFocused]);
  return (
    <textarea
      ref={area}
      className="area field"
      aria-label={`Why? ${client} reads this.`}
      placeholder={`Why? ${client} reads this.`}
      value={reason}
      maxLength={LONGEST_REASON}
      rows={2}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
