/** The editable argument in a text area, in place of the change. The deadline stands still meanwhile. */
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { visible } from '#contract/visible.ts';
import { changedLines, changedWords, lineEndsOf } from './edited.ts';

export interface EditingProps {
  service: ApprovalBridge;
  id: string;
  name: string;
  original: string;
  text: string;
  onChange: (text: string) => void;
  /** Where Escape leads, since Tab belongs to the text. */
  onLeave: () => void;
}

export function Editing({ service, id, name, original, text, onChange, onLeave }: EditingProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const tell = (editing: boolean): void => {
      service.call('approval.editing', { id, editing }).catch(() => {});
    };
    tell(true);
    const stop = service.on('view-shown', () => tell(true));
    area.current!.focus();
    area.current!.setSelectionRange(0, 0);
    return () => {
      stop();
      tell(false);
    };
  }, [service, id]);

  const settled = useDeferredValue(text);
  const words = useMemo(() => changedWords(changedLines(original, settled)), [original, settled]);
  const warning = useMemo(() => warningOf(original, settled), [original, settled]);

  const key = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      onLeave();
    } else if (event.key === 'Tab' && !event.shiftKey) {
      event.preventDefault();
      // The only way to insert that the person can undo.
      document.execCommand('insertText', false, '\t');
    }
  };
  return (
    <div className="editing">
      <label className="area-label" htmlFor="edited">
        <span className="code">{visible(name)}</span>
        <span className="area-hint" role="status">
          {words}
        </span>
      </label>
      <textarea
        ref={area}
        id="edited"
        className="area area-code code"
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        dir="ltr"
        wrap="soft"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={key}
      />
      <p className="area-hint area-foot">
        {warning ?? (
          <>
            <kbd>Esc</kbd> leaves the text
          </>
        )}
      </p>
    </div>
  );
}

/** What a text area cannot show: characters that draw nothing, and line ends that it does not keep. */
function warningOf(original: string, text: string): string | null {
  const hidden = [...new Set(visible(text).match(/⟨U\+[0-9A-F]+⟩/g))];
  if (hidden.length > 0) return `Characters in this text that cannot be seen: ${hidden.slice(0, 8).join(' ')}`;
  return lineEndsOf(original) === 'mixed'
    ? 'The line ends of this text differ; once edited, all are line feeds.'
    : null;
}
