/**
 * Draws an agent's Markdown as elements. The result contains no HTML and no running code, and loads nothing. A link asks the person before
 * it opens its address.
 */
import { memo, useDeferredValue, useMemo } from 'react';
import { LongText } from '../../../editor/groups/long-text.tsx';
import { openText } from '../../../editor/text/whole-text.ts';
import { type Block, blocksOf } from './blocks.ts';
import { Button } from '../../../ui/button.tsx';
import { Stack, Text } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import { textHead } from '../../../ui/text-head.ts';
import { CopyBlock } from '../panel/copy-block.tsx';
import { inlines } from './markdown-inlines.tsx';
import { Table } from './markdown-table.tsx';
import styles from './markdown-view.module.css';

/** The maximum number of characters drawn as Markdown; the editor shows the rest. */
const MOST = 60_000;

export const Markdown = memo(function Markdown({ text, title }: { text: string; title: string }) {
  // While the text is arriving, typing has priority over drawing it.
  const drawn = useDeferredValue(text);
  const head = textHead(drawn, MOST);
  const blocks = useMemo(() => blocksOf(head), [head]);
  return (
    <Stack gap={2} breaks className={styles.markdown}>
      <Blocks blocks={blocks} title={title} />
      {drawn.length > MOST ? (
        <Button size="small" kind="link" onPress={() => openText(title, drawn)}>
          {`Open full text, ${drawn.length.toLocaleString('en')} characters`}
        </Button>
      ) : null}
    </Stack>
  );
});

function Blocks({ blocks, title }: { blocks: readonly Block[]; title: string }) {
  // A block can only be identified by its position, so the index is its key.
  // oxlint-disable-next-line react/no-array-index-key
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} title={title} />
      ))}
    </>
  );
}

function BlockView({ block, title }: { block: Block; title: string }) {
  switch (block.kind) {
    case 'paragraph':
      return <p>{inlines(block.parts)}</p>;
    case 'heading':
      // Headings rank below those of the panel, whatever levels the agent uses.
      return (
        <Text
          as="p"
          role="heading"
          aria-level={Math.min(6, block.level + 2)}
          font={block.level < 3 ? 'base-strong' : 'small-strong'}
        >
          {inlines(block.parts)}
        </Text>
      );
    case 'code':
      return <Preformatted text={block.text} language={block.language} title={title} />;
    case 'table':
      return <Table table={block} title={title} />;
    case 'rule':
      return <hr className={styles.rule} />;
    case 'quote':
      return (
        <Stack as="blockquote" gap={2} tone={2} className={styles.quote}>
          <Blocks blocks={block.blocks} title={title} />
        </Stack>
      );
    case 'list':
      return <List list={block} title={title} />;
  }
}

function List({ list: { first, items }, title }: { list: Extract<Block, { kind: 'list' }>; title: string }) {
  const entries = items.map((blocks, index) => (
    // An item can only be identified by its position, so the index is its key.
    // oxlint-disable-next-line react/no-array-index-key
    <li key={index}>
      <Stack gap={1}>
        <Blocks blocks={blocks} title={title} />
      </Stack>
    </li>
  ));
  if (first === null) return <ul className={styles.list}>{entries}</ul>;
  return (
    <ol className={styles.list} start={first}>
      {entries}
    </ol>
  );
}

const LISP = new Set([
  'lisp',
  'common-lisp',
  'commonlisp',
  'common_lisp',
  'cl',
  'el',
  'elisp',
  'emacs-lisp',
  'scheme',
  'racket',
  'clojure',
]);
/** The number of characters of a code block that are drawn initially. */
const SHOWN = 6000;

function Preformatted({ text, language, title }: { text: string; language: string; title: string }) {
  const isLisp = LISP.has(language) || (language === '' && /^\s*[(;'`#]/.test(text));
  return (
    <CopyBlock text={text} what="the code">
      <Text
        as="pre"
        padY={1}
        padX={2}
        surface={2}
        round="control"
        scroll
        lines="kept"
        className={classes('code', styles.code)}
        tabIndex={0}
        role="group"
        aria-label={
          isLisp ? 'Lisp code' : language === '' || language === 'text' ? 'Preformatted text' : `Code, ${language}`
        }
      >
        <LongText text={text} title={`Code of: ${title}`} code={isLisp} shown={SHOWN} />
      </Text>
    </CopyBlock>
  );
}
