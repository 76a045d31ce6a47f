/** The Agent panel: conversations with hosted agents, in one tab each if there are several, and the start page. */
import { Plus } from 'lucide-react';
import type { HostedAgent } from '#contract/clients/hosted-agent.ts';
import { useHue } from '../../../base/actors.ts';
import { useMirror } from '../../../base/mirror.ts';
import { closeAgent } from '../agent-actions.ts';
import { leaveStartPage, showAgent, showStartPage, useAgents, useShownAgent } from '../agents-store.ts';
import { STATES } from '../descriptions.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { Row, Truncate } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';
import { ActorMark, Ring } from '../../../ui/mark.tsx';
import { Region } from '../../../ui/panels/panel.tsx';
import { TabStrip } from '../../../ui/panels/tab-strip.tsx';
import { Conversation } from './conversation.tsx';
import { Foot } from './foot.tsx';
import { Head } from './head.tsx';
import { KeptHead } from './kept.tsx';
import { StartPage } from './start-page.tsx';
import { useEffect, useRef, useState } from 'react';
import { NO_ITEMS } from '../item-log.ts';
import { newsOf } from '../news.ts';
import styles from './agent.module.css';

export function Agent() {
  const agent = useShownAgent();
  const read = useAgents((state) => state.read);
  return (
    <Region name="Agent" surface={1} className={styles.panel}>
      <Tabs shown={agent} />
      {agent ? (
        <>
          <Head agent={agent} />
          <Conversation key={agent.id} id={agent.id} agent={agent} />
          <Foot key={`foot ${agent.id}`} agent={agent} />
          <Announcements key={`news ${agent.id}`} agent={agent} />
        </>
      ) : read ? (
        <>
          <KeptHead conversation={read} />
          <Conversation key={read.id} id={read.id} agent={null} />
        </>
      ) : (
        <StartPage />
      )}
    </Region>
  );
}

const START = 'start page';

/** Shows tabs if there is a choice: several agents, or an agent and the start page. */
function Tabs({ shown }: { shown: HostedAgent | null }) {
  const hosted = useMirror((state) => state.hostedAgents);
  if (hosted.length === 0 || (hosted.length === 1 && shown !== null)) return null;
  const items = [...hosted.map((agent) => ({ id: agent.id, agent })), ...(shown ? [] : [{ id: START, agent: null }])];
  return (
    <Row align="stretch" fixed edge="bottom" className={styles.tabs}>
      <TabStrip
        label="Agents"
        items={items}
        selected={shown?.id ?? START}
        panel="agent-conversation"
        onSelect={(id) => (id === START ? showStartPage() : showAgent(id))}
        onClose={(id) => {
          const agent = hosted.find((each) => each.id === id);
          if (agent) void orNotice(closeAgent(agent));
          else leaveStartPage();
        }}
        className={look({ flow: 'row', align: 'stretch', grow: true }, styles.tabRow)}
        tabClass={look({ flow: 'row', gap: 'mark', fixed: true, font: 'small-medium', tone: 2 }, styles.tab)}
        render={({ agent }) =>
          agent ? (
            <AgentTab agent={agent} />
          ) : (
            <>
              <Plus className="icon-small" aria-hidden />
              Start
            </>
          )
        }
      />
    </Row>
  );
}

function AgentTab({ agent: { actor, state } }: { agent: HostedAgent }) {
  const hue = useHue(actor);
  const works = state === 'working' || state === 'stopping' || state === 'starting';
  return (
    <>
      {works ? <Ring /> : <ActorMark hue={hue} hollow={state === 'ended'} />}
      <Truncate>{actor.name}</Truncate>
      <span className="visually-hidden"> {STATES[state]}</span>
    </>
  );
}

/** Announces an agent's news to a screen reader. It waits until the screen reader is idle, and announces only complete news. */
function Announcements({ agent: { id, actor, state, problem } }: { agent: HostedAgent }) {
  const { items } = useAgents((store) => store.logs.get(id) ?? NO_ITEMS);
  const [news, setNews] = useState('');
  // Items that existed when announcing started are not announced.
  const known = useRef<{ items: typeof items; state: typeof state } | null>(null);
  useEffect(() => {
    const before = known.current;
    known.current = { items, state };
    if (before === null) return;
    const words = before.items.length === 0 ? [] : newsOf(before.items, items, actor.name);
    // The reason why the agent ended is also an item of the conversation, so it may already have been announced.
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
