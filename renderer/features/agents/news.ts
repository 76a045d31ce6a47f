/** News of a conversation for a screen reader: complete messages, calls, and the workbench's notices. Pure. */
import { oneLine } from '#contract/text/text.ts';
import type { AgentItem } from '#contract/clients/hosted-agent.ts';
import { plainText } from './markdown/plain-text.ts';

/** The maximum number of characters that are read aloud; the conversation contains the rest. */
const MOST = 400;
/** The maximum number of characters of Markdown that are parsed to get the text to read aloud. */
const MOST_READ = 4_000;

/** Returns the news in new or changed items, in order. A message becomes news when it is complete. */
export function newsOf(before: readonly AgentItem[], items: readonly AgentItem[], name: string): string[] {
  const known = new Map(before.slice(-RECENT).map((item) => [item.seq, item]));
  const first = before.at(-1)?.seq ?? 0;
  return items.slice(-RECENT).flatMap((item) => {
    const earlier = known.get(item.seq);
    if (item === earlier || (!earlier && item.seq <= first)) return [];
    return wordsOf(item, earlier, name) ?? [];
  });
}

/** The number of latest items that are compared to find news. */
const RECENT = 50;

function wordsOf(item: AgentItem, earlier: AgentItem | undefined, name: string): string | null {
  switch (item.kind) {
    case 'said':
      return item.open ? null : `${name} says: ${shortened(plainText(item.text.slice(0, MOST_READ)))}`;
    case 'call': {
      const what = item.tool ?? (item.title === '' ? 'a tool' : item.title);
      if (!earlier)
        return item.status === 'failed' ? `${name} called ${what}, which failed.` : `${name} calls ${what}.`;
      const failed = item.status === 'failed' && earlier.kind === 'call' && earlier.status !== 'failed';
      return failed ? `${what} failed.` : null;
    }
    case 'notice':
      return shortened(item.text);
    case 'asked':
    case 'thought':
      return null;
  }
}

function shortened(text: string): string {
  const line = oneLine(text.slice(0, MOST * 2));
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}
