/** The open card: one request, read, denied, or edited. */
import { TriangleAlert } from 'lucide-react';
import { type Ref, useId, useMemo, useRef, useState } from 'react';
import type { ApprovalCard, ApprovalDecision } from '#contract/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { visible } from '#contract/visible.ts';
import { ClientMark } from './client-mark.tsx';
import { clockTime } from '../ui/time.ts';
import { AgentText } from './agent-text.tsx';
import { CardFacts } from './card-facts.tsx';
import { effectFactsOf } from './effect.ts';
import { EffectDecision } from './effect-decision.tsx';
import { EffectFactList, Frames } from './effect-facts.tsx';
import { Further } from './further.tsx';
import { ChosenHunks, chosenPart, type HunkChoice, hunkKey, takenHunks, takenWords, takeName } from './choosing.ts';
import { Countdown } from './countdown.tsx';
import { DecisionRow, EditedRow } from './decision-row.tsx';
import { Denying } from './denying.tsx';
import { closedFolds, type Draft, foldKey } from './draft.ts';
import { editedArguments, fromArea, toArea } from './edited.ts';
import { Editing } from './editing.tsx';
import { Sections } from './section-list.tsx';
import { Rule } from './rule.tsx';
import { showClients, showSource } from './service.ts';
import { foldedKeys, shownArguments } from './sections.ts';
import { useDecision } from './use-decision.ts';
import { useGate } from './use-gate.ts';

export interface CardProps {
  service: ApprovalBridge;
  card: ApprovalCard;
  draft: Draft;
  onDraft: (change: Partial<Draft>) => void;
  element: Ref<HTMLElement>;
}

const NOTHING_CHOSEN = 'Nothing is chosen. Deny it instead.';

export function Card({ service, card, draft, onDraft, element }: CardProps) {
  const headline = useId();
  const gate = useGate(service, card.fingerprint);
  const decision = useDecision(service, card);
  const deny = useRef<HTMLButtonElement>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  // The arguments and the change belong to the fingerprint: the clock and the notice change without them.
  // oxlint-disable-next-line react/exhaustive-deps
  const effectFacts = useMemo(() => card.effect && effectFactsOf(card, card.effect), [card.id, card.fingerprint]);
  const shown = useMemo(
    () => (effectFacts ? { listed: [], sections: effectFacts.sections, wholes: [] } : shownArguments(card)),
    // oxlint-disable-next-line react/exhaustive-deps
    [card.id, card.fingerprint],
  );
  const closed = closedFolds(
    draft,
    card.fingerprint,
    useMemo(() => foldedKeys(shown.sections), [shown]),
  );
  const editable = card.arguments.find(({ name }) => name === card.editable) ?? null;
  const editing = draft.mode === 'editing' && editable !== null;
  const [wholeShown, setWholeShown] = useState<readonly string[]>([]);
  const taken = takenHunks(card, draft.left);
  // oxlint-disable-next-line react/exhaustive-deps
  const keys = useMemo(() => card.change?.hunks.map(hunkKey) ?? [], [card.id, card.fingerprint]);
  const choice = hunkChoice(card, keys, draft, onDraft);
  const remembered = card.scopes.find(({ id }) => foldKey(card.fingerprint, id) === draft.remember)?.id ?? null;
  const text = draft.text ?? toArea(editable?.value ?? '');

  const send = async (made: ApprovalDecision): Promise<void> => {
    const answer = await decision.send(made);
    if (answer === 'stale') onDraft({ mode: 'reading' });
    if (answer === 'too-soon') gate.again();
  };
  const goBack = (button: typeof deny): void => {
    decision.forget();
    onDraft({ mode: 'reading' });
    // The button is drawn with the next frame.
    requestAnimationFrame(() => button.current?.focus());
  };
  // What the notice of a card that was drawn again says need not be said twice.
  const message = card.state === 'stale' && !editing ? null : decision.message;
  const row = { gate, sending: decision.sending, message };

  return (
    <article ref={element} className="card" aria-labelledby={headline} tabIndex={-1}>
      <header className="card-head">
        <ClientMark id={card.actor.id} />
        <AgentText className="card-client" text={card.actor.name} />
        <span className="card-meta">
          {card.effect ? 'running code, parked ' : `${visible(card.tool)} · `}
          {clockTime(card.requestedAt)}
        </span>
        <Countdown requestedAt={card.requestedAt} deadline={card.deadline} />
      </header>
      <h2 id={headline} className="card-headline">
        <AgentText text={card.headline} />
      </h2>
      {card.notice ? (
        <p className="notice" role="status">
          <TriangleAlert className="icon level-cautious" aria-hidden />
          {visible(card.notice)}
          {draft.text !== null && !editing && card.state === 'stale' ? ' Your edited text is kept.' : ''}
        </p>
      ) : null}
      {card.effect && effectFacts ? (
        <EffectFactList card={card} effect={card.effect} facts={effectFacts} />
      ) : draft.mode === 'denying' ? (
        <Denying
          client={visible(card.actor.name)}
          reason={draft.reason}
          sending={decision.sending}
          onChange={(reason) => onDraft({ reason })}
          onDeny={() => void send({ decision: 'denied', reason: draft.reason })}
          onBack={() => goBack(deny)}
        />
      ) : (
        <CardFacts
          card={card}
          shown={shown}
          wholeShown={wholeShown}
          onShowWhole={
            editing
              ? null
              : (name, show) =>
                  setWholeShown((names) => [...names.filter((each) => each !== name), ...(show ? [name] : [])])
          }
        />
      )}
      {editing ? (
        <Editing
          service={service}
          id={card.id}
          name={editable.name}
          original={editable.value}
          text={text}
          onChange={(changed) => onDraft({ text: changed })}
          onLeave={() => cancel.current?.focus()}
        />
      ) : (
        <ChosenHunks value={choice}>
          <Sections
            card={card}
            shown={shown}
            wholeShown={wholeShown}
            closed={closed}
            onOpen={(section) => onDraft({ opened: [...draft.opened, foldKey(card.fingerprint, section)] })}
          />
        </ChosenHunks>
      )}
      {card.effect ? (
        <Frames effect={card.effect} onSource={(frame) => void showSource(service, card.id, frame)} />
      ) : null}
      <footer className="card-foot">
        {card.claim === null ? null : (
          <blockquote className="claim">
            <p className="claim-head">{visible(card.actor.name)} says, unchecked</p>
            <p className="claim-text">
              “<AgentText text={card.claim} />”
            </p>
          </blockquote>
        )}
        <Rule card={card} onClients={() => void showClients(service)} />
        {card.effect || editing || draft.mode === 'denying' || card.scopes.length === 0 ? null : (
          <Further
            scopes={card.scopes}
            remembered={remembered}
            onRemember={(scope) => onDraft({ remember: scope === null ? null : foldKey(card.fingerprint, scope) })}
          />
        )}
        {card.effect ? (
          <EffectDecision
            {...row}
            card={card}
            effect={card.effect}
            draft={draft}
            onDraft={onDraft}
            folded={closed.length}
            onForget={decision.forget}
            onSend={(made) => void send(made)}
          />
        ) : editing ? (
          <EditedRow
            {...row}
            folded={0}
            changed={fromArea(text, editable.value) !== editable.value}
            cancelRef={cancel}
            onCancel={() => {
              onDraft({ text: null });
              goBack(edit);
            }}
            onApprove={() => void send({ decision: 'modified', arguments: editedArguments(card, text) })}
          />
        ) : draft.mode === 'denying' ? null : (
          <DecisionRow
            {...row}
            folded={closed.length}
            editable={editable !== null}
            missing={taken?.length === 0 ? NOTHING_CHOSEN : null}
            hint={taken === null ? null : takenWords(card, taken)}
            label={card.abandoned ? 'Run anyway' : 'Approve'}
            denyRef={deny}
            editRef={edit}
            onDeny={() => {
              decision.forget();
              onDraft({ mode: 'denying' });
            }}
            onEdit={() => {
              decision.forget();
              onDraft({ mode: 'editing', text });
            }}
            onApprove={() =>
              void send({
                decision: 'approved',
                ...chosenPart(card, taken),
                ...(remembered === null ? {} : { remember: remembered }),
              })
            }
          />
        )}
      </footer>
    </article>
  );
}

function hunkChoice(
  card: ApprovalCard,
  keys: readonly string[],
  draft: Draft,
  onDraft: CardProps['onDraft'],
): HunkChoice | null {
  if (!card.choosable || !card.change) return null;
  const { hunks } = card.change;
  return {
    takes: (hunk) => !draft.left.includes(keys[hunk]!),
    toggle: (hunk) => {
      const key = keys[hunk]!;
      onDraft({
        left: draft.left.includes(key) ? draft.left.filter((each) => each !== key) : [...draft.left, key],
      });
    },
    nameOf: (hunk) => takeName(hunks[hunk]!, hunk),
  };
}
