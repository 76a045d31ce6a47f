/** The row at the REPL's foot: forms for the image, or a line for a program that reads one. */
import { CircleStop } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { call } from '../../bridge.ts';
import { evaluate } from '../../evaluations.ts';
import { orNotice } from '../../layout/notices.tsx';
import { forgetInputRequest, useMirror } from '../../mirror.ts';
import { commandKeys, runCommand } from '../../commands/registry.ts';
import { indentAfter } from '../../sexp/indent.ts';
import { shownPackage } from '../../sexp/packages.ts';
import { isComplete } from '#contract/sexp/reader.ts';
import { CodeArea } from '../../ui/code-area.tsx';
import { Ring } from '../../ui/mark.tsx';
import { Button } from '../../ui/button.tsx';
import { Hint } from '../../ui/tooltip.tsx';
import { recallHistory, setDraft, takeDraft, useReplInput } from './input-store.ts';

export function InputRow() {
  const request = useMirror((state) => state.inputRequests[0]);
  return request === undefined ? <FormRow /> : <AnswerRow key={request} evaluation={request} />;
}

function FormRow() {
  const draft = useReplInput((state) => state.draft);
  const name = useMirror((state) => state.session.package);
  const area = useRef<HTMLTextAreaElement>(null);
  /** Where the caret goes once the text that we changed is drawn. */
  const caret = useRef<number | null>(null);
  useInheritedFocus(area);
  useLayoutEffect(() => {
    if (caret.current === null || !area.current) return;
    const at = Math.min(caret.current, area.current.value.length);
    caret.current = null;
    area.current.setSelectionRange(at, at);
  }, [draft]);

  const submit = (): void => {
    const code = takeDraft();
    if (code.trim() !== '') void evaluate({ code, origin: 'repl', package: null, source: null });
  };
  const insertLine = (): void => {
    const element = area.current;
    if (!element) return;
    const before = draft.slice(0, element.selectionStart);
    const after = draft.slice(element.selectionEnd);
    const inserted = `\n${' '.repeat(indentAfter(before))}`;
    setDraft(before + inserted + after);
    caret.current = before.length + inserted.length;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (event.key === 'Enter') {
      event.preventDefault();
      const ready = isComplete(draft) && draft.slice(selectionEnd).trim() === '';
      if (!event.shiftKey && (event.ctrlKey || event.metaKey || ready)) submit();
      else if (draft.trim() !== '' || event.shiftKey) insertLine();
    } else if (
      event.key === 'ArrowUp' &&
      !draft.slice(0, selectionStart).includes('\n') &&
      selectionStart === selectionEnd
    ) {
      if (recallHistory(-1)) toEnd(event);
    } else if (
      event.key === 'ArrowDown' &&
      !draft.slice(selectionEnd).includes('\n') &&
      selectionStart === selectionEnd
    ) {
      if (recallHistory(1)) toEnd(event);
    }
  };
  const toEnd = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    event.preventDefault();
    caret.current = Number.POSITIVE_INFINITY;
  };

  return (
    <div className="input-row" data-region-focus>
      <span className="code prompt">{shownPackage(name)}&gt;</span>
      <CodeArea area={area} label="REPL input" value={draft} onChange={setDraft} onKeyDown={onKeyDown} />
      <Side draft={draft} />
    </div>
  );
}

/** What Enter does, or what runs meanwhile. */
function Side({ draft }: { draft: string }) {
  const running = useMirror((state) => state.session.running);
  if (running) {
    const who = running.actor.kind === 'person' ? 'You are' : `${running.actor.name} is`;
    return (
      <span className="input-side">
        <Ring />
        <span className="input-running">
          {who} evaluating <span className="code">{running.summary}</span>. Your form runs next.
        </span>
        <Hint text="Interrupt evaluation" keys={commandKeys('evaluate.interrupt')} placement="top">
          <Button
            size="small"
            icon={<CircleStop className="icon-small" aria-hidden />}
            aria-label="Interrupt evaluation"
            onPress={() => runCommand('evaluate.interrupt')}
          >
            Interrupt
          </Button>
        </Hint>
      </span>
    );
  }
  if (draft.trim() === '') return null;
  return (
    <span className="input-side">
      {isComplete(draft) ? 'Enter evaluates' : 'Enter continues, Ctrl+Enter evaluates'}
    </span>
  );
}

function AnswerRow({ evaluation }: { evaluation: string }) {
  const [text, setText] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  useInheritedFocus(area);
  const send = (answer: string | null): void => {
    forgetInputRequest(evaluation);
    void orNotice(call('repl.input', { evaluation, text: answer }));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send(`${text}\n`);
    } else if (event.key.toLowerCase() === 'd' && event.ctrlKey && text === '') {
      event.preventDefault();
      send(null);
    }
  };
  return (
    <div className="input-row input-row-answer" data-region-focus>
      <span className="input-prompt">The program reads a line</span>
      <CodeArea plain area={area} label="REPL input" value={text} onChange={setText} onKeyDown={onKeyDown} />
      <span className="input-side">Enter sends, Ctrl+D ends the input</span>
      <Button
        size="small"
        aria-label="Interrupt evaluation"
        onPress={() => void orNotice(call('session.interrupt', { evaluation }))}
      >
        Interrupt
      </Button>
    </div>
  );
}

/** A row that takes the place of the one being typed in takes its focus too; it takes it from nowhere else. */
function useInheritedFocus(area: RefObject<HTMLTextAreaElement | null>): void {
  const [inherits] = useState(() => document.activeElement?.getAttribute('aria-label') === 'REPL input');
  useEffect(() => {
    if (inherits) area.current?.focus();
  }, [inherits, area]);
}
