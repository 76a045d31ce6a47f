/** Asking the person something before going on: a dialog with a few answers, from anywhere in the page. */
import type { ReactNode } from 'react';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Text } from '../../ui/layout.tsx';
import { makeStore } from '../store.ts';

export interface Question<Answer extends string> {
  title: string;
  text: string;
  /** The part of the question that is more than a sentence. */
  more?: ReactNode;
  /** The buttons; the last is the main one. Escape and a click outside answer null. */
  answers: readonly { id: Answer; title: string; kind?: ButtonProps['kind'] }[];
}

interface Asked {
  question: Question<string>;
  answer: (id: string | null) => void;
}

const [store, useStored] = makeStore<{ queue: Asked[] }>({ queue: [] });

/** Resolves with the answer, or null when the person closed the dialog. */
export function ask<Answer extends string>(question: Question<Answer>): Promise<Answer | null> {
  return new Promise((resolve) => {
    store.setState(({ queue }) => ({ queue: [...queue, { question, answer: (id) => resolve(id as Answer | null) }] }));
  });
}

/** True while a question waits for its answer: commands would act behind it, on what it is about. */
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
