/** The row at the bottom of the REPL: forms for the image, or a line for a program that reads one. */
import { CirclePause, CircleStop } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { call } from '../../../base/bridge.ts';
import { enter, waitFor } from '../../../base/image/entered-form.ts';
import { interrupt, stopPrinting, useIsQuieted } from '../../../base/image/evaluations.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import type { ReplRecord } from '#contract/image/repl.ts';
import { forgetInputRequest, mirror, useMirror } from '../../../base/mirror.ts';
import { useOfShownImage, useShownPackage } from '../../../base/image/active-repl.ts';
import { replAsked } from '../announce-input.ts';
import { useRunner } from '../runner.ts';
import { useTranscript } from '../../../base/image/transcript-store.ts';
import { commandKeys, runCommand } from '../../../base/keys/command-registry.ts';
import { imageMacros } from '../../../base/image/image-macros.ts';
import { newLineColumn } from '../../../sexp/indentation/reindent.ts';
import { shownPackage } from '../../../sexp/packages.ts';
import { isComplete } from '#contract/sexp/reader.ts';
import { bracketsAt } from '../../../sexp/reading/brackets.ts';
import { CodeArea } from '../../../ui/fields/code-area.tsx';
import { Ring } from '../../../ui/mark.tsx';
import { Button } from '../../../ui/button.tsx';
import { Hint } from '../../../ui/menus/tooltip.tsx';
import { matching, parseComma } from './comma-commands.ts';
import { recallHistory, setDraft, takeDraft, useReplInput } from './input-store.ts';
import { runAsComma } from './run-comma.ts';
import { Completions, useCompletions } from './completions.tsx';
import { useLambdaList } from './lambda-list.ts';
import { type OwnClosers, typePaired } from './paired-typing.ts';
import { SearchRow } from './search-row.tsx';
import { Row, Text } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import styles from './input.module.css';

interface OfRepl {
  readonly repl: ReplRecord;
}

export function InputRow({ repl }: OfRepl) {
  const requests = useMirror((state) => state.inputRequests);
  const searching = useReplInput((state) => state.search !== null);
  // Renders again when the transcript changes.
  useTranscript(repl.id);
  const request = requests.find((each) => each.image === repl.image && replAsked(each) === repl.id)?.evaluation;
  if (request !== undefined) return <AnswerRow key={request} evaluation={request} />;
  return searching ? <SearchRow /> : <FormRow repl={repl} />;
}

/** The number of output characters from which the row offers to mute the output. */
const MUCH = 20_000;

function FormRow({ repl }: OfRepl) {
  const draft = useReplInput((state) => state.draft);
  const name = useShownPackage();
  const area = useRef<HTMLTextAreaElement>(null);
  /** The offset at which to put the caret once the changed text is drawn; null to leave the caret where it is. */
  const caret = useRef<number | null>(null);
  const own = useRef<OwnClosers>({ text: '', offsets: [] });
  const [place, setPlace] = useState(0);
  useInheritedFocus(area);
  useLayoutEffect(() => {
    if (caret.current === null || !area.current) return;
    const at = Math.min(caret.current, area.current.value.length);
    caret.current = null;
    area.current.setSelectionRange(at, at);
  }, [draft]);

  const submit = (): void => {
    const code = takeDraft();
    if (code.trim() === '') return;
    if (runAsComma(code)) {
      caret.current = Number.POSITIVE_INFINITY;
      return;
    }
    void enter(code);
  };
  const insertLine = (): void => {
    const element = area.current;
    if (!element) return;
    const before = draft.slice(0, element.selectionStart);
    const after = draft.slice(element.selectionEnd);
    const above = before.split('\n');
    const indentation = mirror.getState().settings.indentOnEnter
      ? ' '.repeat(newLineColumn(above, after.split('\n', 1)[0]!, imageMacros(), name))
      : /^[ \t]*/.exec(above.at(-1)!)![0];
    const inserted = `\n${indentation}`;
    setDraft(before + inserted + after);
    caret.current = before.length + inserted.length;
  };
  const completing = useCompletions(area, repl.id, draft, (start, end, text) => {
    setDraft(draft.slice(0, start) + text + draft.slice(end));
    caret.current = start + text.length;
  });
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (completing.onKeyDown(event)) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (event.altKey && !event.ctrlKey && ['p', 'n'].includes(event.key.toLowerCase())) {
      if (recallHistory(event.key.toLowerCase() === 'p' ? -1 : 1)) toEnd(event);
      event.preventDefault();
    } else if (typePaired(event, own)) {
      event.preventDefault();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (!event.shiftKey && (event.ctrlKey || event.metaKey || evaluatesNow(draft))) submit();
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
    <Row
      align="start"
      gap={2}
      padY={2}
      padX={4}
      fixed
      edge="top"
      className={styles.row}
      data-region-focus
      data-keep-clear
    >
      <Completions listed={completing.listed} />
      <Text fixed tone={3} className="code">
        {shownPackage(name)}&gt;
      </Text>
      <CodeArea
        area={area}
        label="REPL input"
        value={draft}
        onChange={setDraft}
        onKeyDown={onKeyDown}
        onCaret={setPlace}
        marks={marksAt(draft, place)}
      />
      <Side repl={repl} draft={draft} caret={place} />
    </Row>
  );
}

/** True if Enter evaluates instead of inserting a line break: the text is complete, wherever the caret is. */
function evaluatesNow(draft: string): boolean {
  return isComplete(draft) || parseComma(draft) !== null;
}

/** Shows the effect of Enter, or the running evaluation. */
function Side({ repl, draft, caret }: OfRepl & { draft: string; caret: number }) {
  const lambdaList = useLambdaList(repl.id, draft, caret);
  const running = useOfShownImage((image) => image?.running ?? null);
  const who = useRunner(running, repl.id);
  const waits = useMirror((state) => state.settings.waitsForAgents) || running?.actor.kind === 'person';
  if (running) {
    return (
      <Row as="span" inline gap={2} fixed font="small" tone={3} lines="one" className={styles.side}>
        <Ring />
        <span className={styles.running}>
          {who === null ? 'You are' : `${who} is`} evaluating <span className="code">{running.summary}</span>. Your form
          runs {waits ? 'next' : 'beside it'}.
        </span>
        {running.actor.kind === 'person' ? <StopPrinting evaluation={running.evaluation} /> : null}
        <Hint text="Interrupt into the debugger" keys={commandKeys('debugger.pause')} placement="top">
          <Button
            size="small"
            icon={<CirclePause className="icon-small" aria-hidden />}
            onPress={() => runCommand('debugger.pause')}
          >
            Break
          </Button>
        </Hint>
        <Hint text="Interrupt evaluation" keys={commandKeys('evaluate.interrupt')} placement="top">
          <Button
            size="small"
            icon={<CircleStop className="icon-small" aria-hidden />}
            aria-label="Interrupt evaluation"
            onPress={() => void orNotice(interrupt(running.evaluation))}
          >
            Interrupt
          </Button>
        </Hint>
      </Row>
    );
  }
  if (draft.trim() === '') return null;
  const comma = parseComma(draft);
  if (comma) return <CommaHint {...comma} />;
  return (
    <Row as="span" inline gap={2} fixed font="small" tone={3} lines="one" className={styles.side}>
      {lambdaList === null ? null : <span className={classes('code', styles.running)}>{lambdaList}</span>}
      {evaluatesNow(draft) ? 'Enter evaluates, Shift+Enter continues' : 'Enter continues, Ctrl+Enter evaluates'}
    </Row>
  );
}

/** The commands that match the text after the comma. */
function CommaHint({ name, argument }: { name: string; argument: string }) {
  const found = matching(name);
  const one = found.find((each) => each.name === name) ?? (found.length === 1 ? found[0] : undefined);
  const words = one
    ? `${one.argument !== null && argument === '' ? `${one.argument}: ` : ''}${one.title}`
    : found.length === 0
      ? 'No such command; ,help lists them'
      : 'Tab inserts the selected command';
  return (
    <Row as="span" inline gap={2} fixed font="small" tone={3} lines="one" className={styles.side} role="status">
      <span className={styles.running}>{words}</span>
    </Row>
  );
}

/** The offer to mute the output of an evaluation that has printed much. */
function StopPrinting({ evaluation }: { evaluation: string }) {
  const much = useMirror(({ outputs }) => {
    const output = outputs.get(evaluation);
    return output !== undefined && output.length + output.dropped > MUCH;
  });
  const isQuieted = useIsQuieted(evaluation);
  if (isQuieted) return <span role="status">Output muted; still running.</span>;
  if (!much) return null;
  return (
    <Hint text="Stop printing" keys={commandKeys('evaluate.stopPrinting')} placement="top">
      <Button size="small" aria-label="Stop printing" onPress={() => void orNotice(stopPrinting(evaluation))}>
        Stop printing
      </Button>
    </Hint>
  );
}

function AnswerRow({ evaluation }: { evaluation: string }) {
  const [text, setText] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  useInheritedFocus(area);
  const send = (answer: string | null): void => {
    forgetInputRequest(evaluation);
    waitFor(evaluation);
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
    <Row
      align="start"
      gap={2}
      padY={2}
      padX={4}
      fixed
      edge="top"
      surface="parked"
      className={styles.row}
      data-region-focus
    >
      <Text fixed font="small-strong" tone="cautious">
        The program is waiting for a line
      </Text>
      <CodeArea plain area={area} label="REPL input" value={text} onChange={setText} onKeyDown={onKeyDown} />
      <Row as="span" inline gap={2} fixed font="small" tone={3} lines="one" className={styles.side}>
        Enter sends, Ctrl+D ends the input
      </Row>
      <Button
        size="small"
        aria-label="Interrupt evaluation"
        onPress={() => void orNotice(call('session.interrupt', { evaluation }))}
      >
        Interrupt
      </Button>
    </Row>
  );
}

/**
 * Returns the offsets of the brackets to mark: the brackets of the list beside the caret. In long texts none are marked, so that typing
 * stays fast.
 */
function marksAt(text: string, caret: number): readonly number[] {
  const found = text.length > 20_000 ? null : bracketsAt(text, caret);
  return found ? [found.open, found.close] : [];
}

/** Takes the focus only if the row replaces the field that has the focus. */
function useInheritedFocus(area: RefObject<HTMLTextAreaElement | null>): void {
  const [inherits] = useState(() =>
    ['REPL input', 'Search the history'].includes(document.activeElement?.getAttribute('aria-label') ?? ''),
  );
  useEffect(() => {
    if (inherits) area.current?.focus();
  }, [inherits, area]);
}
