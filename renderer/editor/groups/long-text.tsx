/**
 * A text of any length from the image, a file or an agent: drawn whole where it is short, else its beginning, with the ways to the rest.
 * It is drawn into the element that its panel gives it.
 */
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Row } from '../../ui/layout.tsx';
import { textHead } from '../../ui/text-head.ts';
import { openText } from '../text/whole-text.ts';

/** Characters that are drawn before more is asked for. */
const SHOWN = 2_000;
/** Characters that a panel draws at all; the editor draws a text of any length. */
const MOST = 100_000;

export interface LongTextProps {
  text: string;
  /** The title of the text in the editor. */
  title: string;
  /** True for Lisp, which has colours. */
  code?: boolean;
  /** Characters that are drawn before more is asked for, where there is little room. */
  shown?: number;
}

export function LongText({ text, title, code = false, shown = SHOWN }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  const head = whole ? text : textHead(text, shown);
  // An element also where it is a text alone: what a component gives back without one is not made drawable.
  const drawn = code ? <CodeText text={head} /> : <>{head}</>;
  if (text.length <= shown) return drawn;
  return (
    <>
      {drawn}
      {whole ? null : '…'}{' '}
      <Row as="span" inline gap={2} font="small">
        {text.length > MOST ? null : (
          <Button size="small" kind="link" onPress={() => setWhole(!whole)}>
            {whole ? 'Fold' : `Show all ${text.length.toLocaleString('en')} characters`}
          </Button>
        )}
        <Button size="small" kind="link" onPress={() => openText(title, text)}>
          {text.length > MOST ? `Open whole, ${text.length.toLocaleString('en')} characters` : 'Open whole'}
        </Button>
      </Row>
    </>
  );
}
