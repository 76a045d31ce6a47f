/**
 * A question from code in the debugger that reads a line or a form, such as a restart's interactive function: its text, and a field for the
 * answer.
 */
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DebuggerHead, DebuggerQuestion } from '#contract/image/debugger.ts';
import { isComplete } from '#contract/sexp/reader.ts';
import { nameOf } from '../../../base/actors.ts';
import { useMirror } from '../../../base/mirror.ts';
import { answerQuestion } from '../frame-actions.ts';
import { changeView, isOpen } from '../store.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { recall, remember, type Recall } from '../../repl/input/history.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeArea } from '../../../ui/fields/code-area.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import { Hint } from '../../../ui/menus/tooltip.tsx';
import { backToFrames, focusField } from './focus.ts';
import styles from './debugger.module.css';

/** The typed answers, oldest first; lost when the page is reloaded. An answer is stored even if the image has since ended. */
let answers: string[] = [];

export function Question({ head, question }: { head: DebuggerHead; question: DebuggerQuestion }) {
  const [text, setText] = useState('');
  const [recalled, setRecalled] = useState<Recall | null>(null);
  const [sent, setSent] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const form = question.reads === 'form';
  const { words, label } = wordsOf(question);
  const output = useRef<HTMLPreElement>(null);
  const asker = useAsker(head, question);
  useLayoutEffect(() => {
    // Scroll to the end, because the question is the text that was written last.
    if (output.current) output.current.scrollTop = output.current.scrollHeight;
  }, []);
  useKept(text);
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
    } else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && !text.includes('\n') && !sent) {
      const from = recalled ?? { typed: text, index: answers.length };
      const next = recall(answers, from, event.key === 'ArrowUp' ? -1 : 1);
      if (!next) return;
      event.preventDefault();
      setText(next.text);
      setRecalled(next.recall);
    }
  };
  return (
    <Stack grow gap={2} role="group" aria-label="Question">
      <Text font="small" tone={3}>
        {asker}
      </Text>
      {question.leftOut > 0 ? (
        <Text font="small" tone={3}>
          {question.leftOut.toLocaleString('en')} earlier characters are shown only in the output.
        </Text>
      ) : null}
      {words === '' ? null : (
        <Text
          as="pre"
          lines="wrap"
          breaks
          selectable
          className={classes('code', styles.asked)}
          tabIndex={0}
          ref={output}
          aria-label="Output"
          role="group"
        >
          {words}
        </Text>
      )}
      <Row align="start" gap={2} padX={2} padY={1} surface={3} round="control">
        <CodeArea
          framed
          plain={!form}
          area={area}
          label={label}
          placeholder={form ? 'A form' : 'A line'}
          value={text}
          onChange={(typed) => {
            if (sent) return;
            setText(typed);
            setRecalled(null);
          }}
          onKeyDown={onKeyDown}
        />
      </Row>
      <Row gap={2}>
        <Hint text="Sends the typed answer" keys="Enter" placement="top">
          <Button size="small" isDisabled={sent} onPress={submit}>
            Answer
          </Button>
        </Hint>
        <Hint text="Returns to the debugger without taking a restart" keys="Escape" placement="top">
          <Button size="small" kind="quiet" isDisabled={sent} onPress={() => send({ cancel: true })}>
            Cancel
          </Button>
        </Hint>
      </Row>
    </Stack>
  );
}

/** Returns text that names the code that asks. It is needed because the code's output below it could imitate the program's own messages. */
function useAsker({ actor }: DebuggerHead, { author, restart, text }: DebuggerQuestion): string {
  const clients = useMirror((state) => state.clients);
  const asks = text.trim() === '' ? 'asks.' : 'asks. Its output:';
  if (actor.kind === 'client') return `${actor.name}’s code ${asks}`;
  if (author !== null) return `Code that ${nameOf(author, clients)} defined ${asks}`;
  return restart === null ? `The code ${asks}` : `The restart ${asks}`;
}

/** Adds `text` to the answers once the question disappears, whether it was answered or not. */
function useKept(text: string): void {
  const typed = useRef(text);
  useEffect(() => {
    typed.current = text;
  }, [text]);
  useEffect(
    () => () => {
      answers = remember(answers, typed.current);
    },
    [],
  );
}

/** Returns the code's output. Its last line doubles as the field's label. */
function wordsOf({ text, reads }: DebuggerQuestion): { words: string; label: string } {
  const words = text.trim();
  const last = words.slice(words.lastIndexOf('\n') + 1).trim();
  return {
    words,
    label: last === '' ? (reads === 'form' ? 'The code is reading a form' : 'The code is reading a line') : last,
  };
}

/**
 * Focuses the field unless the person works elsewhere. Afterwards returns the focus to the frames or, if the question came from a form
 * typed in the debugger `typedIn`, to that debugger's form row.
 */
function useAskedFocus(area: RefObject<HTMLTextAreaElement | null>, typedIn: string | null): void {
  useEffect(() => {
    const at = document.activeElement;
    const elsewhere = at !== null && at !== document.body && !at.closest('[data-region="Debugger"]');
    return elsewhere ? undefined : focusField(area.current);
  }, [area]);
  // Run this before the field, which may have the focus, is removed.
  useLayoutEffect(() => {
    const field = area.current;
    return () => {
      if (!field?.closest('[role="group"]')?.contains(document.activeElement)) return;
      if (typedIn !== null && isOpen(typedIn)) changeView(typedIn, () => ({ field: { kind: 'evaluate' } }));
      else backToFrames();
    };
  }, [area, typedIn]);
}
