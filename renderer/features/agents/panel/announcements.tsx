/** News of an agent, in words for a screen reader: politely, and once it is whole. */
import { useEffect, useRef, useState } from 'react';
import type { HostedAgent } from '#contract/clients/hosted-agent.ts';
import { useAgents } from '../agents-store.ts';
import { NO_ITEMS } from '../item-log.ts';
import { newsOf } from '../news.ts';

export function Announcements({ agent: { id, actor, state, problem } }: { agent: HostedAgent }) {
  const { items } = useAgents((store) => store.logs.get(id) ?? NO_ITEMS);
  const [news, setNews] = useState('');
  // What was there when the conversation was shown is no news.
  const known = useRef<{ items: typeof items; state: typeof state } | null>(null);
  useEffect(() => {
    const before = known.current;
    known.current = { items, state };
    if (before === null) return;
    const words = before.items.length === 0 ? [] : newsOf(before.items, items, actor.name);
    // Why it ended is an item of the conversation, too.
    const isTold = problem !== null && words.some((each) => problem.startsWith(each.replace(/…$/, '')));
    if (state !== before.state && state === 'ended')
      words.push(`${actor.name} has ended.${problem === null || isTold ? '' : ` ${problem}`}`);
    else if (state === 'idle' && before.state === 'working') words.push(`${actor.name} is ready.`);
    if (words.length > 0) setNews(words.join(' '));
  }, [items, state, actor.name, problem]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {news}
    </div>
  );
}
