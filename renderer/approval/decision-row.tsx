/** The decision: what keeps it from being made now, and the three ways to make it. */
import { type Ref, useId } from 'react';
import { Approve, Push } from './button.tsx';
import { whyNot } from './gate.ts';
import type { Shown } from './use-gate.ts';

interface Common {
  gate: Shown;
  sending: boolean;
  /** Folded parts that are still closed. */
  folded: number;
  message: string | null;
}

export interface DecisionRowProps extends Common {
  editable: boolean;
  /** What is missing before it can be approved; null when nothing is. */
  missing: string | null;
  /** What approving would do, said while nothing is in its way. */
  hint: string | null;
  /** What the button that approves says. */
  label: string;
  onDeny: () => void;
  onEdit: () => void;
  onApprove: () => void;
  /** They take the focus when what they began is given up. */
  denyRef: Ref<HTMLButtonElement>;
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
    <div className="decision">
      <Why id={why} obstacle={obstacle ?? hint} message={message} />
      <Push ref={denyRef} aria-label="Deny" disabled={sending} onClick={onDeny}>
        Deny…
      </Push>
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
    </div>
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
    <div className="decision">
      <Why id={why} obstacle={obstacle} message={message} />
      <Push ref={cancelRef} kind="quiet" onClick={onCancel}>
        Cancel
      </Push>
      <Approve
        label="Approve edited"
        shownAt={gate.shownAt}
        blocked={obstacle !== null}
        describedBy={why}
        onApprove={onApprove}
      />
    </div>
  );
}

/** What keeps a decision from being made, or what main answered to it. */
export function Why({ id, obstacle, message }: { id: string; obstacle: string | null; message: string | null }) {
  return (
    <span id={id} className="decision-why" role="status">
      {message ? <span className="decision-message">{message}</span> : obstacle}
    </span>
  );
}
