/** An item of a conversation: a prompt, an agent's message, thought or call, or a notice from the workbench. */
import { CircleX, Info, Paperclip, TriangleAlert } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { AgentItem, HostedAgent } from '#contract/clients/hosted-agent.ts';
import { LongText } from '../../../editor/groups/long-text.tsx';
import { Box, Row, Text, Truncate } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import { ActorMark, Ring } from '../../../ui/mark.tsx';
import { clockTime } from '../../../ui/time.ts';
import { CallItem } from './call-item.tsx';
import { Cut, Folded, type Unfolding } from './folded.tsx';
import { ImageMark } from './image-mark.tsx';
import { Markdown } from '../markdown/markdown-view.tsx';
import styles from './agent.module.css';

interface ItemProps extends Unfolding {
  readonly item: AgentItem;
  readonly agent: HostedAgent | null;
}

export const Item = memo(
  function Item({ item, agent, opened, onToggle }: ItemProps) {
    const who = agent?.actor.name ?? 'The agent';
    switch (item.kind) {
      case 'asked':
        return <Asked item={item} />;
      case 'said':
        return (
          <Article label={`${who} said`}>
            <Markdown text={item.text} title={`Message of ${who}`} />
            <Cut count={item.cut} />
            {item.open ? <Ring /> : null}
          </Article>
        );
      case 'thought':
        return (
          <Article label={`${who} thought`}>
            <Folded
              title={item.open ? 'Thinking…' : 'Thought'}
              isOpen={opened.has(String(item.seq))}
              onToggle={() => onToggle(String(item.seq))}
              beside={item.open ? <Ring /> : null}
            >
              <Box className={styles.thought}>
                <Markdown text={item.text} title={`A thought of ${who}`} />
                <Cut count={item.cut} />
              </Box>
            </Folded>
          </Article>
        );
      case 'call':
        return (
          <Article label={`${who} called ${item.tool ?? item.title}`}>
            <CallItem item={item} opened={opened} onToggle={onToggle} />
          </Article>
        );
      case 'notice':
        return <Notice item={item} />;
    }
  },
  // Do not compare click handlers or the fold states of other items, because they do not change how this item is drawn.
  (before, after) =>
    before.item === after.item &&
    before.agent?.actor.name === after.agent?.actor.name &&
    (before.opened === after.opened || keyed(before) === keyed(after)),
);

/** Returns the keys of all unfolded content in an item: the item's own key, or the keys of its rows. */
function keyed({ item: { seq }, opened }: ItemProps): string {
  return [...opened].filter((key) => key === String(seq) || key.startsWith(`${seq} `)).join(',');
}

function Article({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <Box as="article" padX={4} padY={1} className={classes(styles.item, className)} aria-label={label}>
      {children}
    </Box>
  );
}

function Asked({ item: { text, cut, context, images, at } }: { item: Extract<AgentItem, { kind: 'asked' }> }) {
  return (
    <Article label="You asked" className={styles.asked ?? ''}>
      <Row gap="mark" font="small" tone={3}>
        <ActorMark hue={null} />
        <Text font="small-strong" tone={1}>
          You
        </Text>
        {clockTime(at, 'minutes')}
      </Row>
      <Text as="p" lines="wrap" breaks>
        <LongText text={text} title="The question" />
      </Text>
      <Cut count={cut} />
      {context.length + images.length === 0 ? null : (
        <Row as="ul" wrap gap={1} aria-label="Attachments" className={styles.went}>
          {context.map((title, index) => (
            // A chip can only be identified by its position, because the same title may occur twice, so the index is its key.
            // oxlint-disable-next-line react/no-array-index-key
            <Row as="li" key={index} gap={1} padX={1} font="small" tone={2} className={styles.chip} title={title}>
              <Paperclip className="icon-tiny" aria-hidden />
              <Truncate>{title}</Truncate>
            </Row>
          ))}
          {images.map(({ name, thumbnail }) => (
            <Row
              as="li"
              key={`image ${name}`}
              gap={1}
              padX={1}
              font="small"
              tone={2}
              className={styles.chip}
              title={name}
            >
              <ImageMark name={name} thumbnail={thumbnail} />
              <Truncate>{name}</Truncate>
            </Row>
          ))}
        </Row>
      )}
    </Article>
  );
}

function Notice({ item: { text, cut, tone } }: { item: Extract<AgentItem, { kind: 'notice' }> }) {
  const Icon = { plain: Info, warning: TriangleAlert, error: CircleX }[tone];
  const colour = tone === 'plain' ? 3 : tone;
  return (
    <Article label="From the workbench">
      <Row align="start" gap="mark" font="small" tone={2}>
        <Text fixed tone={colour} className={styles.noticeMark}>
          <Icon className="icon-small" aria-hidden />
        </Text>
        <Text breaks lines="wrap" shrink>
          <LongText text={text} title="Message of the workbench" />
          <Cut count={cut} />
        </Text>
      </Row>
    </Article>
  );
}
