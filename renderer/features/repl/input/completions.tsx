/**
 * Completion in the REPL's input. Tab lists the completions, Tab or Enter accepts one, the arrow keys choose, Escape closes the list. After
 * a comma the list of commands opens automatically.
 */
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { type CommaCompletion, completeCommaLine } from './comma-completions.ts';
import { isClearCommand } from './comma-commands.ts';
import { isRecalled } from './input-store.ts';
import { packagesLike, systemsLike } from '../../../base/image/designated-names.ts';
import { askImage } from '../../../base/image/names.ts';
import { designatorBefore, downcased } from '../../../sexp/designators.ts';
import { shownPackage } from '../../../sexp/packages.ts';
import { typedBefore, type WrittenSymbol } from '../../../sexp/symbols.ts';
import { Box, Row, Text, Truncate } from '../../../ui/layout.tsx';
import styles from './completions.module.css';

const LIMIT = 50;

interface Listed {
  readonly completions: readonly CommaCompletion[];
  readonly typed: WrittenSymbol;
  readonly index: number;
  /** True once the user has moved to a row. */
  readonly isChosen: boolean;
}

export interface Completing {
  readonly listed: Listed | null;
  /** Handles a key; returns true if the list used it. */
  onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): boolean;
}

/** Returns the completions of the draft. `insert` replaces the characters between two offsets of the draft with a text. */
export function useCompletions(
  area: RefObject<HTMLTextAreaElement | null>,
  repl: string,
  draft: string,
  insert: (start: number, end: number, text: string) => void,
): Completing {
  const [listed, setListed] = useState<Listed | null>(null);
  const asked = useRef(0);
  const isOpen = listed !== null;

  const ask = async (takeOnly: boolean): Promise<void> => {
    const caret = area.current?.selectionStart ?? draft.length;
    asked.current += 1;
    const mine = asked.current;
    const found = (await completeCommaLine(draft.slice(0, caret), repl)) ?? (await completeForm(draft, caret, repl));
    if (asked.current !== mine) return;
    const { typed, completions } = found;
    const [only] = completions;
    if (takeOnly && only && completions.length === 1) {
      insert(typed.start, typed.end, only.text);
      return setListed(null);
    }
    setListed(completions.length === 0 ? null : { completions, typed, index: 0, isChosen: false });
  };
  useEffect(() => {
    // Further typing narrows the open list.
    const typing = document.activeElement === area.current && !isRecalled();
    if (isOpen || (typing && isCommand(draft))) void ask(false);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [draft]);

  const take = ({ completions, typed, index }: Listed): void => {
    asked.current += 1;
    setListed(null);
    const caret = area.current?.selectionStart ?? typed.end;
    insert(typed.start, Math.max(typed.end, caret), completions[index]!.text);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    if (listed === null) {
      if (event.key !== 'Tab' || event.shiftKey) return false;
      const { selectionStart, selectionEnd } = event.currentTarget;
      // Tab leaves the field if there is nothing to complete.
      if (selectionStart !== selectionEnd) return false;
      if (!isCommand(draft) && typedAt(draft, selectionStart).text === '') return false;
      event.preventDefault();
      void ask(true);
      return true;
    }
    const count = listed.completions.length;
    const go = (by: number): void =>
      setListed({ ...listed, index: (listed.index + by + count) % count, isChosen: true });
    const steps: Record<string, () => void> = {
      ArrowDown: () => go(1),
      ArrowUp: () => go(-1),
      Tab: () => take(listed),
      Enter: () => take(listed),
      Escape: () => setListed(null),
    };
    const step = steps[event.key];
    if (!step) return false;
    if (event.key === 'Enter' && !listed.isChosen && isClearCommand(draft)) {
      asked.current += 1;
      setListed(null);
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    step();
    return true;
  };
  return { listed, onKeyDown };
}

/** True for a text whose first line begins with a comma. */
function isCommand(draft: string): boolean {
  return draft.trimStart().startsWith(',');
}

/** Returns the completions of the symbol before the caret in a form; none if no symbol has been started there. */
async function completeForm(
  draft: string,
  caret: number,
  repl: string,
): Promise<Pick<Listed, 'typed' | 'completions'>> {
  const designator = designatorBefore(draft.slice(0, caret));
  if (designator && designator.kind !== 'string') {
    const { kind, typed: name, start, isString } = designator;
    const found = kind === 'system' ? await systemsLike(name) : await packagesLike(name, [], repl);
    return {
      typed: { text: name, start, end: caret },
      completions: found.map(({ name: text, ...words }) => ({ text: isString ? text : downcased(text), ...words })),
    };
  }
  const typed = typedAt(draft, caret);
  if (typed.text === '') return { typed, completions: [] };
  const answer = await askImage('names.complete', {
    prefix: typed.text,
    package: null,
    text: draft,
    offset: caret,
    limit: LIMIT,
    repl,
  });
  const completions = answer?.completions ?? [];
  return {
    typed,
    completions: completions.map(({ text, lambdaList, package: home }) => ({
      text,
      detail: lambdaList?.toLowerCase() ?? '',
      origin: home === null ? '' : shownPackage(home),
    })),
  };
}

/** Returns the typed part of the symbol before an offset in a text of several lines. */
function typedAt(text: string, caret: number): WrittenSymbol {
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1;
  const typed = typedBefore(text.slice(lineStart, caret), caret - lineStart);
  return { text: typed.text, start: typed.start + lineStart, end: typed.end + lineStart };
}

/** The list above the input; the field retains the focus. */
export function Completions({ listed }: { listed: Listed | null }) {
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In newer browsers `scrollIntoView` returns a promise, which an effect must not return.
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [listed?.index, listed]);
  if (listed === null) return null;
  const { completions, index } = listed;
  return (
    <>
      <Box surface={3} scroll className={styles.list} role="listbox" aria-label="Completions">
        {completions.map(({ text, detail, origin }, at) => (
          <Row
            key={text}
            ref={at === index ? chosen : null}
            gap={2}
            padX={2}
            lines="one"
            list
            className={styles.row}
            role="option"
            aria-selected={at === index}
          >
            <Text fixed tone={1} className="code">
              {text}
            </Text>
            <Truncate grow tone={3} className="code">
              {detail}
            </Truncate>
            <Text fixed font="small" tone={3}>
              {origin}
            </Text>
          </Row>
        ))}
      </Box>
      <div role="status" className="visually-hidden">
        {completions[index]!.text}, {index + 1} of {completions.length}
      </div>
    </>
  );
}
