/** Markdown of an agent as elements. Nothing of it is HTML or code that runs, nothing is loaded, and an address opens nothing by itself. */
import { memo, type ReactNode, useDeferredValue, useMemo } from 'react';
import { call } from '../../base/bridge.ts';
import { LongText } from '../../editor/long-text.tsx';
import { openText } from '../../editor/whole-text.ts';
import { type Block, blocksOf } from '../../features/markdown/blocks.ts';
import type { Inline } from '../../features/markdown/inlines.ts';
import { notify, orNotice } from '../../features/notices.tsx';
import { askToOpen } from '../../features/outside-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Box, Stack, Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { textHead } from '../../ui/text-head.ts';
import styles from './markdown.module.css';

/** Characters that are drawn as Markdown; the editor has the rest. */
const MOST = 60_000;

export const Markdown = memo(function Markdown({ text, title }: { text: string; title: string }) {
  // While words arrive, typing goes first.
  const drawn = useDeferredValue(text);
  const head = textHead(drawn, MOST);
  const blocks = useMemo(() => blocksOf(head), [head]);
  return (
    <Stack gap={2} breaks className={styles.markdown}>
      <Blocks blocks={blocks} title={title} />
      {drawn.length > MOST ? (
        <Button size="small" kind="link" onPress={() => openText(title, drawn)}>
          {`Open whole, ${drawn.length.toLocaleString('en')} characters`}
        </Button>
      ) : null}
    </Stack>
  );
});

function Blocks({ blocks, title }: { blocks: readonly Block[]; title: string }) {
  // Blocks have no identity but their place.
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
      // Below the headings of the panel, whatever level the agent takes.
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
      return <Preformatted text={block.text} language="text" title={title} />;
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
    // Items have no identity but their place.
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
/** Characters of a piece of code that are drawn at first. */
const SHOWN = 6000;

function Preformatted({ text, language, title }: { text: string; language: string; title: string }) {
  const isLisp = LISP.has(language) || (language === '' && /^\s*[(;'`#]/.test(text));
  return (
    <Box className={styles.block}>
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
      <span className={styles.copy}>
        <Button
          size="small"
          kind="quiet"
          aria-label="Copy the code"
          onPress={() =>
            void orNotice(call('app.copy', { text: text.slice(0, 1_000_000) }).then(() => notify('Copied.')))
          }
        >
          Copy
        </Button>
      </span>
    </Box>
  );
}

function inlines(parts: readonly Inline[]): ReactNode {
  // Pieces have no identity but their place.
  // oxlint-disable-next-line react/no-array-index-key
  return parts.map((part, index) => <InlineView key={index} part={part} />);
}

function InlineView({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'text':
      return <>{part.text}</>;
    case 'code':
      return <code className={classes('code', styles.inline)}>{part.text}</code>;
    case 'strong':
      return <strong className={styles.strong}>{inlines(part.parts)}</strong>;
    case 'emphasis':
      return <em>{inlines(part.parts)}</em>;
    case 'deleted':
      return <del>{inlines(part.parts)}</del>;
    case 'link':
      return (
        <button
          type="button"
          className={styles.link}
          title={part.address}
          onClick={() => void orNotice(askToOpen(part.address))}
        >
          {inlines(part.parts)}
        </button>
      );
  }
}
