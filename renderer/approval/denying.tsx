/** The reason for a denial, in place of the facts. Enter is a line of it; only the button sends. */
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Push } from './button.tsx';

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
    // Escape goes back from wherever the focus is in here.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="denying" onKeyDown={key}>
      <label className="area-label" htmlFor="reason">
        Why? <span className="area-hint">{client} reads this.</span>
      </label>
      <textarea
        ref={area}
        id="reason"
        className="area area-reason"
        value={reason}
        maxLength={LONGEST_REASON}
        rows={3}
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="decision">
        <span className="decision-why">
          <kbd>Esc</kbd> goes back
        </span>
        <Push kind="quiet" onClick={onBack}>
          Back
        </Push>
        <Push disabled={sending} onClick={(event) => event.nativeEvent.isTrusted && onDeny()}>
          Deny
        </Push>
      </div>
    </div>
  );
}
