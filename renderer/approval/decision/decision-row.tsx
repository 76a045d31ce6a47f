/** The decision row: the reason why no decision is possible at the moment, and the three buttons. */
import { type Ref, type RefObject, useId } from 'react';
import { CARD_KEYS } from '#contract/decisions/card-keys.ts';
import { Approve, Deny, Push } from '../button.tsx';
import { whyNot } from './click-guard.ts';
import type { Shown } from './use-click-guard.ts';
import { Row, Text } from '../../ui/layout.tsx';
import styles from './decision.module.css';

interface Common {
  gate: Shown;
  sending: boolean;
  /** The number of folded parts that are still closed. */
  folded: number;
  message: string | null;
}

export interface DecisionRowProps extends Common {
  editable: boolean;
  /** The reason why the card cannot be approved yet; null if it can be approved. */
  missing: string | null;
  /** The consequence of approving, shown if nothing blocks the approval. */
  hint: string | null;
  /** The label of the approve button. */
  label: string;
  onDeny: () => void;
  onEdit: () => void;
  onApprove: () => void;
  /** The Deny button. When the person leaves the mode that the Deny or Edit button started, that button gets the focus back. */
  denyRef: RefObject<HTMLButtonElement | null>;
  editRef: Ref<HTMLButtonElement>;
}

export function DecisionRow({
  gate,
  sending,
  folded,
  message,
  editable,
  missing,
  hint,
  label,
  onDeny,
  onEdit,
  onApprove,
  denyRef,
  editRef,
}: DecisionRowProps) {
  const why = useId();
  const obstacle = whyNot({ inert: gate.inert, sending, folded, missing });
  return (
    <Row wrap gap={2} padY={3} padX={4} surface={2} edge="top" className={styles.foot}>
      <Why id={why} obstacle={obstacle ?? hint} message={message} />
      <Deny ref={denyRef} keys={CARD_KEYS.deny.keys} disabled={sending} onDeny={onDeny}>
        Deny…
      </Deny>
      {editable ? (
        <Push ref={editRef} disabled={sending} onClick={onEdit}>
          Edit and approve
        </Push>
      ) : null}
      <Approve
        label={label}
        shownAt={gate.shownAt}
        blocked={obstacle !== null}
        describedBy={why}
        onApprove={onApprove}
      />
    </Row>
  );
}

export interface EditedRowProps extends Common {
  changed: boolean;
  onCancel: () => void;
  onApprove: () => void;
  cancelRef: Ref<HTMLButtonElement>;
}

export function EditedRow({ gate, sending, folded, message, changed, onCancel, onApprove, cancelRef }: EditedRowProps) {
  const why = useId();
  const obstacle = whyNot({ inert: gate.inert, sending, folded }) ?? (changed ? null : 'Nothing is changed yet.');
  return (
    <Row wrap gap={2} padY={3} padX={4} surface={2} edge="top" className={styles.foot}>
      <Why id={why} obstacle={obstacle} message={message} />
      <Push ref={cancelRef} kind="quiet" onClick={onCancel}>
        Cancel
      </Push>
      <Approve
        label="Approve with edits"
        shownAt={gate.shownAt}
        blocked={obstacle !== null}
        describedBy={why}
        onApprove={onApprove}
      />
    </Row>
  );
}

/** Shows the reason why a decision is blocked, or the main process's reply to a decision. */
export function Why({ id, obstacle, message }: { id: string; obstacle: string | null; message: string | null }) {
  return (
    <Text id={id} grow font="small" tone={2} className={styles.why} role="status">
      {message ? <Text tone={1}>{message}</Text> : obstacle}
    </Text>
  );
}
