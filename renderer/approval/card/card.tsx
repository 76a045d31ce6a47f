/** The open card: one request to read, deny or edit. */
import { TriangleAlert } from 'lucide-react';
import { type Ref, useId, useMemo, useRef, useState } from 'react';
import type { ApprovalCard, ApprovalDecision } from '#contract/decisions/approval.ts';
import { NOTHING_CHOSEN } from '#contract/decisions/decision.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { visible } from '#contract/text/visible.ts';
import { Push } from '../button.tsx';
import { ClientMark } from './client-mark.tsx';
import { clockTime } from '../../ui/time.ts';
import { AgentText } from './agent-text.tsx';
import { CardFacts } from './card-facts.tsx';
import { EffectDecision } from '../decision/effect-decision.tsx';
import { EffectFactList, Frames } from './effect-facts.tsx';
import { Further } from '../decision/more-choices.tsx';
import {
  ChosenHunks,
  chosenPart,
  type HunkChoice,
  hunkKeys,
  takenHunks,
  takenWords,
  takeNameIn,
} from '../decision/choosing.ts';
import { Countdown } from '../decision/countdown.tsx';
import { DecisionRow, EditedRow } from '../decision/decision-row.tsx';
import { Denying } from '../decision/denial.tsx';
import { closedFolds, type Draft, foldKey } from '../edit/draft.ts';
import { editedArguments, fromArea, toArea } from '../edit/edited.ts';
import { Editing } from '../edit/editing.tsx';
import { Sections } from './section-list.tsx';
import { Rule } from '../decision/rule.tsx';
import { showChanges, showClients, showDebugger, showSource } from '../service.ts';
import { drawnSections, foldedKeys } from './sections.ts';
import { useDecision } from '../decision/use-decision.ts';
import { useGate } from '../decision/use-click-guard.ts';
import { Box, Row, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './card.module.css';

export interface CardProps {
  service: ApprovalBridge;
  card: ApprovalCard;
  draft: Draft;
  onDraft: (change: Partial<Draft>) => void;
  element: Ref<HTMLElement>;
}

export function Card({ service, card, draft, onDraft, element }: CardProps) {
  const headline = useId();
  const warning = useId();
  const gate = useGate(service, card.fingerprint);
  const decision = useDecision(service, card);
  const deny = useRef<HTMLButtonElement>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  // The fingerprint changes with the contents of the sections, but not if only the clock or the notice changes.
  // oxlint-disable-next-line react/exhaustive-deps
  const sections = useMemo(() => drawnSections(card), [card.id, card.fingerprint]);
  const closed = closedFolds(
    draft,
    card.fingerprint,
    useMemo(() => foldedKeys(sections), [sections]),
  );
  const editable = card.arguments.find(({ name }) => name === card.editable) ?? null;
  const editing = draft.mode === 'editing' && editable !== null;
  const [wholeShown, setWholeShown] = useState<readonly string[]>([]);
  const taken = takenHunks(card, draft.left);
  // oxlint-disable-next-line react/exhaustive-deps
  const keys = useMemo(() => (card.change ? hunkKeys(card.change) : []), [card.id, card.fingerprint]);
  const choice = hunkChoice(card, keys, draft, onDraft);
  const remembered = card.scopes.find(({ id }) => foldKey(card.fingerprint, id) === draft.remember)?.id ?? null;
  const text = draft.text ?? toArea(editable?.value ?? '');

  const send = async (made: ApprovalDecision): Promise<void> => {
    const answer = await decision.send(made);
    if (answer === 'stale') onDraft({ mode: 'reading' });
    if (answer === 'too-soon') gate.again();
  };
  const startDenial = (): void => {
    decision.forget();
    onDraft({ mode: 'denying' });
  };
  const goBack = (button: typeof deny): void => {
    decision.forget();
    onDraft({ mode: 'reading' });
    // The button is only drawn in the next frame.
    requestAnimationFrame(() => button.current?.focus());
  };
  // The notice of a redrawn stale card already contains the message.
  const message = card.state === 'stale' && !editing ? null : decision.message;
  const row = { gate, sending: decision.sending, message };

  return (
    <Box
      ref={element}
      as="article"
      surface={2}
      className={styles.card}
      aria-labelledby={headline}
      aria-describedby={card.configures === null ? undefined : warning}
      tabIndex={-1}
    >
      <Row as="header" gap="mark" font="small" className={styles.head}>
        <ClientMark id={card.actor.id} />
        <AgentText className={look({ truncate: true, font: 'base-strong' })} text={card.actor.name} />
        <Truncate tone={3} className={styles.meta}>
          {card.effect ? 'running code, paused ' : `${visible(card.tool)} · `}
          {clockTime(card.requestedAt)}
        </Truncate>
        <Countdown requestedAt={card.requestedAt} deadline={card.deadline} />
      </Row>
      <Text id={headline} as="h2" font="head" breaks selectable className={styles.headline}>
        <AgentText text={card.headline} />
      </Text>
      {card.configures === null ? null : (
        <Row
          id={warning}
          as="p"
          align="start"
          gap={2}
          padY={2}
          padX={4}
          font="base"
          surface="parked"
          className={styles.notice}
        >
          <TriangleAlert className={look({ tone: 'cautious', fixed: true }, 'icon')} aria-hidden />
          <span>
            <strong>Configures other programs.</strong> <AgentText text={card.configures} />
          </span>
        </Row>
      )}
      {card.notice ? (
        <Row as="p" gap={2} padY={2} padX={4} font="base" surface="parked" className={styles.notice} role="status">
          <TriangleAlert className={look({ tone: 'cautious' }, 'icon')} aria-hidden />
          {visible(card.notice)}
          {draft.text !== null && !editing && card.state === 'stale' ? ' Your edited text is saved.' : ''}
        </Row>
      ) : null}
      {draft.mode === 'denying' ? (
        <Denying
          client={card.actor.kind === 'person' ? 'Your code' : visible(card.actor.name)}
          reason={draft.reason}
          sending={decision.sending}
          onChange={(reason) => onDraft({ reason })}
          onDeny={() => void send({ decision: 'denied', reason: draft.reason })}
          onBack={() => goBack(deny)}
        />
      ) : card.effect ? (
        <EffectFactList card={card} effect={card.effect} />
      ) : (
        <CardFacts
          card={card}
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
          card={card}
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
            sections={sections}
            wholeShown={wholeShown}
            closed={closed}
            onOpen={(section) => onDraft({ opened: [...draft.opened, foldKey(card.fingerprint, section)] })}
          />
        </ChosenHunks>
      )}
      {card.effect ? (
        <Frames effect={card.effect} onSource={(frame) => void showSource(service, card.id, frame)} />
      ) : null}
      <Box padY={3} padX={4} edge="top">
        {card.claim === null ? null : (
          <blockquote className={styles.claim}>
            <Text as="p" font="small" tone={3}>
              {visible(card.actor.name)} claims (unverified)
            </Text>
            <Text as="p" tone={2} breaks selectable className={styles.claimText}>
              “<AgentText text={card.claim} />”
            </Text>
          </blockquote>
        )}
        {card.proposal === null ? null : (
          <Row padY={1} font="small">
            <Push kind="link" size="small" onClick={() => void showDebugger(service, card.id)}>
              Show in the debugger
            </Push>
          </Row>
        )}
        {card.reason?.rule === 'unreviewed' ? (
          <Row padY={1} font="small">
            <Push kind="link" size="small" onClick={() => void showChanges(service, card.id)}>
              Review…
            </Push>
          </Row>
        ) : null}
        <Rule card={card} onClients={() => void showClients(service)} />
        {card.effect || editing || draft.mode === 'denying' || card.scopes.length === 0 ? null : (
          <Further
            scopes={card.scopes}
            remembered={remembered}
            onRemember={(scope) => onDraft({ remember: scope === null ? null : foldKey(card.fingerprint, scope) })}
          />
        )}
      </Box>
      {draft.mode === 'denying' ? null : card.effect ? (
        <EffectDecision
          {...row}
          card={card}
          draft={draft}
          onDraft={onDraft}
          folded={closed.length}
          denyRef={deny}
          onDeny={startDenial}
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
      ) : (
        <DecisionRow
          {...row}
          folded={closed.length}
          editable={editable !== null}
          missing={taken?.length === 0 ? NOTHING_CHOSEN : null}
          hint={taken === null ? null : takenWords(card, taken)}
          label={card.abandoned ? 'Run anyway' : 'Approve'}
          denyRef={deny}
          editRef={edit}
          onDeny={startDenial}
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
    </Box>
  );
}

function hunkChoice(
  card: ApprovalCard,
  keys: readonly string[],
  draft: Draft,
  onDraft: CardProps['onDraft'],
): HunkChoice | null {
  if (!card.choosable || !card.change) return null;
  const { change } = card;
  return {
    takes: (hunk) => !draft.left.includes(keys[hunk]!),
    toggle: (hunk) => {
      const key = keys[hunk]!;
      onDraft({
        left: draft.left.includes(key) ? draft.left.filter((each) => each !== key) : [...draft.left, key],
      });
    },
    nameOf: (hunk) => takeNameIn(change, hunk),
  };
}
