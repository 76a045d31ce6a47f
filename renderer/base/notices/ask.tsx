/** Dialogs with a question and a few answers. They can be opened from anywhere in the page. */
import type { ReactNode } from 'react';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Text } from '../../ui/layout.tsx';
import { makeStore } from '../store.ts';

export interface Question<Answer extends string> {
  title: string;
  text: string;
  /** Additional content, if the question needs more than a sentence. */
  more?: ReactNode;
  /** The buttons; the last one is the main button. Escape or a click outside the dialog answers null. */
  answers: readonly { id: Answer; title: string; kind?: ButtonProps['kind'] }[];
}

interface Asked {
  question: Question<string>;
  answer: (id: string | null) => void;
}

const [store, useStored] = makeStore<{ queue: Asked[] }>({ queue: [] });

/** Shows a question. Resolves with the answer, or null if the person closed the dialog. */
export function ask<Answer extends string>(question: Question<Answer>): Promise<Answer | null> {
  return new Promise((resolve) => {
    store.setState(({ queue }) => ({ queue: [...queue, { question, answer: (id) => resolve(id as Answer | null) }] }));
  });
}

/** True while a question is open. Commands must not run in the meantime, because they could change the subject of the question. */
export function isAsking(): boolean {
  return store.getState().queue.length > 0;
}

export function AskDialog() {
  const asked = useStored(({ queue }) => queue[0]);
  if (!asked) return null;
  const answer = (id: string | null): void => {
    store.setState(({ queue }) => ({ queue: queue.slice(1) }));
    asked.answer(id);
  };
  const { title, text, more, answers } = asked.question;
  return (
    <Dialog
      key={title}
      title={title}
      role="alertdialog"
      onClose={() => answer(null)}
      actions={answers.map(({ id, title: word, kind }, index) => (
        <Button key={id} size="large" kind={kind ?? 'plain'} autoFocus={index === 0} onPress={() => answer(id)}>
          {word}
        </Button>
      ))}
    >
      <Text as="p" tone={2}>
        {text}
      </Text>
      {more}
    </Dialog>
  );
}
