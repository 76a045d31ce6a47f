/** A small field for Lisp: a plain text area over its text in colour, which gives the height. It grows with its lines, up to eight. */
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { CodeText } from './code-text.tsx';
import { Box, Text } from './layout.tsx';
import { classes, look } from './look.ts';
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
}

export function CodeArea({ label, value, onChange, onKeyDown, area, placeholder, plain }: CodeAreaProps) {
  const behind = useRef<HTMLPreElement>(null);
  return (
    <Box grow className={styles.codeArea}>
      <Text as="pre" breaks lines="wrap" className={classes('code', styles.behind)} aria-hidden ref={behind}>
        {plain ? value : <CodeText text={value} />}
        {'\n'}
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
        onScroll={(event) => {
          if (behind.current) behind.current.style.transform = `translateY(${-event.currentTarget.scrollTop}px)`;
        }}
      />
    </Box>
  );
}
