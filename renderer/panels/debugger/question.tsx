/** A line that code which runs in the debugger reads from the person, such as the interactive function of a restart: its words, and a field. */
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DebuggerHead } from '#contract/debugger-calls.ts';
import type { DebuggerQuestion } from '#contract/debugger.ts';
import { isComplete } from '#contract/sexp/reader.ts';
import { LongText } from '../../editor/long-text.tsx';
import { answerQuestion } from '../../features/debugger/actions.ts';
import { changeView, isOpen } from '../../features/debugger/store.ts';
import { orNotice } from '../../features/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeArea } from '../../ui/code-area.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { Hint } from '../../ui/tooltip.tsx';
import { backToFrames, focusField } from './focus.ts';
import styles from './debugger.module.css';

export function Question({ head, question }: { head: DebuggerHead; question: DebuggerQuestion }) {
  const [text, setText] = useState('');
  const [sent, setSent] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const form = question.reads === 'form';
  const { words, label } = wordsOf(question);
  useAskedFocus(area, question.restart === null ? head.id : null);
  const send = (answer: { text?: string | null; cancel?: boolean }): void => {
    if (sent) return;
    setSent(true);
    void orNotice(answerQuestion(head.id, question.id, answer));
  };
  const submit = (): void => {
    if (!form) send({ text });
    else if (text.trim() !== '') send({ text: text.trim() });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey && (!form || event.ctrlKey || event.metaKey || isComplete(text))) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      send({ cancel: true });
    } else if (event.key.toLowerCase() === 'd' && event.ctrlKey && text === '') {
      event.preventDefault();
      send({ text: null });
    }
  };
  return (
    <Stack grow gap={2} role="group" aria-label="Question">
      {head.actor.kind === 'client' ? (
        <Text font="small" tone={3}>
          {head.actor.name}’s code asks
        </Text>
      ) : null}
      {words === '' ? null : (
        <Text as="pre" lines="wrap" breaks selectable className={styles.asked} tabIndex={0}>
          <LongText text={words} title="Question of the code" />
        </Text>
      )}
      <Row align="start" gap={2} padX={2} padY={1} surface={3} round="control">
        <CodeArea
          plain={!form}
          area={area}
          label={label}
          placeholder={form ? 'A form' : 'A line'}
          value={text}
          onChange={(typed) => {
            if (!sent) setText(typed);
          }}
          onKeyDown={onKeyDown}
        />
      </Row>
      <Row gap={2}>
        <Hint text="Answers with what is typed" keys="Enter" placement="top">
          <Button size="small" isDisabled={sent} onPress={submit}>
            Answer
          </Button>
        </Hint>
        <Hint text="Goes back to the debugger; nothing is invoked" keys="Escape" placement="top">
          <Button size="small" kind="quiet" isDisabled={sent} onPress={() => send({ cancel: true })}>
            Cancel
          </Button>
        </Hint>
      </Row>
    </Stack>
  );
}

/** The text that the code has written, and the name of the field: the last line of it. */
function wordsOf({ text, reads }: DebuggerQuestion): { words: string; label: string } {
  const words = text.trim();
  const last = words.slice(words.lastIndexOf('\n') + 1).trim();
  return { words, label: last === '' ? (reads === 'form' ? 'The code reads a form' : 'The code reads a line') : last };
}

/**
 * Focuses the field unless the person works elsewhere. Afterwards the frames have the focus again, or the row for forms of the debugger
 * `typedIn`, whose form asked.
 */
function useAskedFocus(area: RefObject<HTMLTextAreaElement | null>, typedIn: string | null): void {
  useEffect(() => {
    const at = document.activeElement;
    const elsewhere = at !== null && at !== document.body && !at.closest('[data-region="Debugger"]');
    return elsewhere ? undefined : focusField(area.current);
  }, [area]);
  // Before the field is taken away, and the focus with it.
  useLayoutEffect(() => {
    const field = area.current;
    return () => {
      if (!field?.closest('[role="group"]')?.contains(document.activeElement)) return;
      if (typedIn !== null && isOpen(typedIn)) changeView(typedIn, () => ({ field: { kind: 'evaluate' } }));
      else backToFrames();
    };
  }, [area, typedIn]);
}
