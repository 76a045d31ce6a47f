/** A small field for Lisp: a plain text area over its text in colour, which gives the height. It grows with its lines, up to eight. */
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { CodeText } from './code-text.tsx';

export interface CodeAreaProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  area: RefObject<HTMLTextAreaElement | null>;
  placeholder?: string;
  /** Plain text instead of Lisp: an answer to a program, say. */
  plain?: boolean;
}

export function CodeArea({ label, value, onChange, onKeyDown, area, placeholder, plain }: CodeAreaProps) {
  const behind = useRef<HTMLPreElement>(null);
  return (
    <div className="code-area">
      <pre className="code code-area-behind" aria-hidden ref={behind}>
        {plain ? value : <CodeText text={value} />}
        {'\n'}
      </pre>
      <textarea
        ref={area}
        className="code code-area-text"
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
    </div>
  );
}
