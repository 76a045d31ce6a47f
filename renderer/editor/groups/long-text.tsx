/**
 * A text of any length from the image, a file or an agent. A short text is drawn completely. Of a long text, only the start is drawn, with
 * links to the rest. The panel provides the element around the text.
 */
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Row } from '../../ui/layout.tsx';
import { textHead } from '../../ui/text-head.ts';
import { openText } from '../text/whole-text.ts';

/** The number of characters that are drawn initially; the rest is drawn on request. */
const SHOWN = 2_000;
/** The maximum number of characters that a panel draws; the editor draws a text of any length. */
const MOST = 100_000;

export interface LongTextProps {
  text: string;
  /** The title of the text in the editor. */
  title: string;
  /** True for Lisp code, which is drawn in colours. */
  code?: boolean;
  /** The number of characters that are drawn initially, if there is less room than usual. */
  shown?: number;
}

export function LongText({ text, title, code = false, shown = SHOWN }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  const head = whole ? text : textHead(text, shown);
  // Wrap plain text in a fragment, because hidden characters in a bare string that a component returns are not made visible.
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
          {text.length > MOST ? `Open full text, ${text.length.toLocaleString('en')} characters` : 'Open full text'}
        </Button>
      </Row>
    </>
  );
}
