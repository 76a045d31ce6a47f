/** The editable argument in a text area, with the change that the edited text makes. The deadline's clock is stopped while the person edits. */
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { visible } from '#contract/text/visible.ts';
import { CodeBlock } from '../diff/code-block.tsx';
import { changeRows, type Row as LineRow } from '../diff/rows.ts';
import { editedChange } from './edited-change.ts';
import { changedLines, changedWords, lineEndsOf } from './edited.ts';
import { Box, Row, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from '../decision/controls.module.css';

export interface EditingProps {
  service: ApprovalBridge;
  card: ApprovalCard;
  /** The name of the edited argument. */
  name: string;
  original: string;
  text: string;
  onChange: (text: string) => void;
  /** Called when the person presses Escape to leave the text area. Tab cannot be used for this, because it inserts a tab character. */
  onLeave: () => void;
}

export function Editing({ service, card, name, original, text, onChange, onLeave }: EditingProps) {
  const { id } = card;
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
  const rows = useMemo(() => editedRows(card, settled), [card, settled]);
  const warning = useMemo(() => warningOf(original, settled), [original, settled]);

  const key = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      onLeave();
    } else if (event.key === 'Tab' && !event.shiftKey) {
      event.preventDefault();
      // Only this method of inserting text supports undo.
      document.execCommand('insertText', false, '\t');
    }
  };
  return (
    <>
      <Box padY={3} padX={4} edge="top">
        <Row as="label" align="baseline" gap={2} font="small-strong" className={styles.areaLabel} htmlFor="edited">
          <span className="code">{visible(name)}</span>
          <Text font="small" tone={3} end role="status">
            {words}
          </Text>
        </Row>
        <textarea
          ref={area}
          id="edited"
          className={look(
            { padY: 2, padX: 3, font: 'code', tone: 1, surface: 1, selectable: true },
            styles.area,
            styles.areaCode,
            'code',
          )}
          value={text}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          dir="ltr"
          wrap="soft"
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={key}
        />
        <Text as="p" font="small" tone={3} className={styles.areaFoot}>
          {warning ?? (
            <>
              <kbd>Esc</kbd> leaves the field
            </>
          )}
        </Text>
      </Box>
      {rows.length > 0 ? (
        <section aria-label="Change with your edits">
          <CodeBlock label="Change with your edits" rows={rows} numbers={2} opened onOpen={() => {}} required={false} />
        </section>
      ) : null}
    </>
  );
}

/** Returns the rows of the change that the edited text makes; none if it makes no change that can be shown. */
function editedRows(card: ApprovalCard, text: string): LineRow[] {
  const change = editedChange(card, text);
  const lisp = card.sections.some((section) => section.content.kind === 'change' && section.lisp);
  return change === null || change.hunks.length === 0 ? [] : changeRows(change, text, lisp);
}

/** Returns a warning about content that a text area cannot show or preserve: invisible characters and certain line ends. */
function warningOf(original: string, text: string): string | null {
  const hidden = [...new Set(visible(text).match(/⟨U\+[0-9A-F]+⟩/g))];
  if (hidden.length > 0) return `This text contains invisible characters: ${hidden.slice(0, 8).join(' ')}`;
  return lineEndsOf(original) === 'mixed'
    ? 'The line ends of this text are mixed; if you edit it, all become LF.'
    : null;
}
