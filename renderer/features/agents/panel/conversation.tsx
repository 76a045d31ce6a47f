/**
 * The items of a conversation, of which only the visible ones are drawn. The end stays visible while items arrive, unless the person has
 * scrolled up.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { HostedAgent } from '#contract/clients/hosted-agent.ts';
import { loadItems, loadOlderItems, useAgents } from '../agents-store.ts';
import { NO_ITEMS } from '../item-log.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { Box, Row, Text } from '../../../ui/layout.tsx';
import { Item } from './item.tsx';
import styles from './agent.module.css';

/** The distance from the end, in pixels, within which the list follows new items. */
const NEAR_END = 40;

export function Conversation({ id, agent }: { id: string; agent: HostedAgent | null }) {
  const { items, hasOlder } = useAgents((state) => state.logs.get(id) ?? NO_ITEMS);
  const asked = useAgents((state) => state.asked.has(id));
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const following = useRef(true);
  /** The list's last measured height in pixels. The next value is its last scroll offset. */
  const height = useRef(0);
  const top = useRef(0);
  const [older, setOlder] = useState(false);
  const [unseen, setUnseen] = useState(false);
  /** The keys of all unfolded content, made of item numbers and row ids. An item stays unfolded while it is out of sight. */
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const empty = items.length === 0;

  useEffect(() => void orNotice(loadItems(id)), [id]);
  const own = items.findLast(({ kind }) => kind === 'asked')?.seq;
  // After sending a prompt, scroll to the end so that the person sees the answer.
  useLayoutEffect(() => {
    following.current = true;
  }, [own]);
  useLayoutEffect(() => {
    if (following.current && items.length > 0) list.current?.scrollToIndex(items.length - 1, { align: 'end' });
    else if (items.length > 0) setUnseen(true);
  }, [items]);
  // Items are measured after they are drawn, so scroll to the end again.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      height.current = element.clientHeight;
      if (following.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
    // The dependency is needed because the scroller's first child changes once there are items.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [empty]);

  const loadOlder = (): void => {
    if (!hasOlder || older) return;
    setOlder(true);
    void orNotice(loadOlderItems(id)).finally(() => setOlder(false));
  };
  const toggle = (key: string): void => setOpened((before) => before.symmetricDifference(new Set([key])));
  const toEnd = (): void => {
    following.current = true;
    setUnseen(false);
    list.current?.scrollToIndex(items.length - 1, { align: 'end' });
  };

  return (
    <Box grow className={styles.middle}>
      <Box
        ref={scroller}
        tall="full"
        selectable
        className={styles.conversation}
        role="log"
        // New items are announced in complete sentences elsewhere, not token by token.
        aria-live="off"
        aria-label={agent ? `Conversation with ${agent.actor.name}` : 'Conversation'}
        id="agent-conversation"
        tabIndex={0}
        onScroll={({ currentTarget: element }) => {
          if (element.scrollTop < NEAR_END) loadOlder();
          // A changed height means that the panel was shown again, so the person did not scroll.
          if (element.clientHeight !== height.current) return;
          const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
          if (atEnd || element.scrollTop < top.current) following.current = atEnd;
          if (atEnd) setUnseen(false);
          top.current = element.scrollTop;
        }}
      >
        {empty ? (
          <Text as="p" padX={4} padY={3} font="small" tone={3}>
            {asked ? emptyWords(agent) : 'Reading the conversation…'}
          </Text>
        ) : null}
        <Virtualizer ref={list} data={items} shift={older}>
          {(item) => <Item key={item.seq} item={item} agent={agent} opened={opened} onToggle={toggle} />}
        </Virtualizer>
      </Box>
      {unseen ? (
        <Row justify="center" className={styles.toEnd}>
          <Button size="small" onPress={toEnd}>
            Scroll to end
          </Button>
        </Row>
      ) : null}
    </Box>
  );
}

function emptyWords(agent: HostedAgent | null): string {
  if (agent === null) return 'No messages of this conversation were saved.';
  if (agent.state === 'ended') return 'There are no messages.';
  return 'Write a prompt below. The agent’s calls in the image appear here, with their results.';
}
