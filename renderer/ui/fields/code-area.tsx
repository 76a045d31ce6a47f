/**
 * A small field for Lisp: a transparent text area over its coloured text, which determines the height. The field grows with the number of
 * lines, up to eight.
 */
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { CodeText } from '../code-text.tsx';
import { Box, Text } from '../layout.tsx';
import { classes, look } from '../look.ts';
import styles from './code-area.module.css';

export interface CodeAreaProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  area: RefObject<HTMLTextAreaElement | null>;
  placeholder?: string;
  /** True for plain text instead of Lisp, such as an answer to a program. */
  plain?: boolean;
  /** True for a standalone field, which has a border and, while it has the focus, a ring. */
  framed?: boolean;
  /** Called with the offset of the caret. */
  onCaret?: (offset: number) => void;
  /** The offsets of characters to mark, such as the two brackets of a list. */
  marks?: readonly number[];
}

export function CodeArea({
  label,
  value,
  onChange,
  onKeyDown,
  area,
  placeholder,
  plain,
  framed,
  onCaret,
  marks = [],
}: CodeAreaProps) {
  const behind = useRef<HTMLPreElement>(null);
  return (
    <Box grow className={classes(styles.codeArea, framed ? styles.framed : undefined)}>
      <Text as="pre" breaks lines="wrap" className={classes('code', styles.behind)} aria-hidden ref={behind}>
        {plain ? value : <CodeText text={value} />}
        {'\n'}
        {marks.length > 0 ? <Marked text={value} marks={marks} /> : null}
      </Text>
      <textarea
        ref={area}
        className={look({ tall: 'full', breaks: true, selectable: true, lines: 'wrap' }, 'code', styles.text)}
        aria-label={label}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        rows={1}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
          onCaret?.(selectionStart === selectionEnd ? selectionStart : -1)
        }
        onScroll={(event) => {
          if (behind.current) behind.current.style.transform = `translateY(${-event.currentTarget.scrollTop}px)`;
        }}
      />
    </Box>
  );
}

/** An invisible copy of the text with boxes around the marked characters. */
function Marked({ text, marks }: { text: string; marks: readonly number[] }) {
  const places = marks.toSorted((one, other) => one - other).filter((mark) => mark < text.length);
  return (
    <span className={styles.marked}>
      {places.map((mark, index) => (
        <span key={mark}>
          {text.slice(index === 0 ? 0 : places[index - 1]! + 1, mark)}
          <mark>{text[mark]}</mark>
        </span>
      ))}
    </span>
  );
}
