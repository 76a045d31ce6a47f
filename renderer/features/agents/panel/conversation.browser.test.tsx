/** Conversations with agents, drawn from their items: tables, links, and conversations that are too long to be drawn at once. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { AgentItem, HostedAgent } from '#contract/clients/hosted-agent.ts';
import { shownText } from '../../../text.fixture.ts';
import { type FakeCore, faults, openWholeWindow, press, snapshotWith, type } from '../../../window.fixture.tsx';

const panel = page.getByRole('region', { name: 'Agent', exact: true });
const log = panel.getByRole('log');
const field = panel.getByRole('textbox', { name: /^Prompt to/ });

let agents = 0;

/** Returns an agent that is ready. Each test gets a new id, because the page remembers conversations by id. */
function readyAgent(): HostedAgent {
  agents += 1;
  const id = `agent-${agents}`;
  return {
    id,
    program: 'claude-code',
    title: 'Claude Code',
    actor: { id: `client-${agents}`, kind: 'client', name: 'Claude Code here' },
    state: 'idle',
    standing: 'unconfined',
    asks: false,
    problem: null,
    startedAt: 1_000,
    turnStartedAt: null,
    plan: [],
    usage: null,
    pickers: [],
    looser: null,
    takesImages: true,
    commands: [],
    logins: [],
    page: null,
    queued: null,
    process: { pid: 4712, memory: null },
    resumable: false,
  };
}

/** Opens the window with the conversation of an agent. Older items are loaded page by page. */
async function openConversation(items: readonly AgentItem[]): Promise<FakeCore & { agent: HostedAgent }> {
  const agent = readyAgent();
  const core = await openWholeWindow(snapshotWith({ hostedAgents: [agent] }), {
    'hosted.look': () => ({ programs: [], list: { at: null, problem: null, leftOut: 0 } }),
    'hosted.conversations': () => ({ conversations: [] }),
    'hosted.place': () => ({ context: [] }),
    'hosted.log': () => ({ text: '' }),
    'hosted.items': ({ before, most }) => ({
      items: items.filter(({ seq }) => before === null || seq < before).slice(-most),
    }),
    'app.lookAtAddress': ({ text }) => ({
      opened: text.startsWith('https:') ? { address: ADDRESS, destination: 'xn--exmple-4nf.org' } : null,
    }),
    'app.openAddress': () => ({}),
  });
  await press('Control+Shift+X');
  await expect.element(log).toBeVisible();
  return { ...core, agent };
}

/** The address of a link. It contains a letter that looks like an `a` but is a different character. */
const ADDRESS = 'https://xn--exmple-4nf.org/notes';

function said(seq: number, text: string): AgentItem {
  return { kind: 'said', seq, at: seq, text, cut: 0, open: false };
}

const TABLE = [
  '| Function | Calls | What it does, in so many words that the panel has not the room for all of them in one line |',
  '|:--|--:|:-:|',
  '| `area` | 12 | **Multiplies** its sides \\| both, see [the notes](https://example.org/notes) |',
  '| `perimeter` | 3 | &lt;b&gt;not bold&lt;/b&gt; <b>nor this</b> &#x202E; |',
  '| `short` |',
].join('\n');

function texts(elements: readonly Element[]): string[] {
  return elements.map(({ textContent }) => textContent);
}

it('A table of an agent is one, scrolls within the panel, and has links that ask and nothing hidden [issue 14.3, issue 36.4]', async () => {
  const wide = `| ${Array.from({ length: 14 }, (_each, index) => `column-${index}`).join(' | ')} |\n|${'--|'.repeat(14)}\n| ${Array.from({ length: 14 }, (_each, index) => `value-${index}`).join(' | ')} |`;
  await openConversation([said(1, `Here it is:\n${TABLE}\n\n${wide}\n\nA &amp; B &copy; &#39;c&#39;, \`&amp;\``)]);
  const words = log.getByRole('article', { name: /said$/ });
  await expect.element(words).toMatchTextContent(/A & B © 'c', &amp;/);

  const frame = words.getByRole('group', { name: 'Table, 3 columns, 3 rows' });
  expect(texts(frame.getByRole('columnheader').elements())).toEqual([
    'Function',
    'Calls',
    expect.stringMatching(/^What it does/),
  ]);
  const rows = frame.getByRole('row');
  expect(texts(rows.nth(1).getByRole('cell').elements())).toEqual([
    'area',
    '12',
    'Multiplies its sides | both, see the notes',
  ]);
  expect(rows.nth(1).element().querySelector('code')).toHaveTextContent('area');
  // HTML from an agent is shown as text. Characters that change the direction of a line are shown as code points.
  expect(texts(rows.nth(2).getByRole('cell').elements()).at(-1)).toBe('<b>not bold</b> <b>nor this</b> ⟨U+202E⟩');
  expect(texts(rows.nth(3).getByRole('cell').elements())).toEqual(['short', '', '']);

  // A wide table can be scrolled with the keyboard, and does not make the panel wider.
  const second = words.getByRole('group', { name: 'Table, 14 columns, 1 row' }).element() as HTMLElement;
  second.focus();
  await press('ArrowRight');
  await expect.poll(() => second.scrollLeft).toBeGreaterThan(0);
  const scroller = log.element();
  expect(scroller.scrollWidth - scroller.clientWidth).toBe(0);
  expect(await faults()).toEqual([]);

  (frame.getByRole('button', { name: 'the notes' }).element() as HTMLElement).focus();
  await press('Enter');
  await expect.element(page.getByRole('alertdialog', { name: 'Open this address?' })).toBeVisible();
  await press('Escape');
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
});

it('A table of many rows shows the first 200, and the others on demand [issue 14.3, issue 36.4]', async () => {
  await openConversation([
    said(1, `| row |\n|--|\n${Array.from({ length: 230 }, (_each, index) => `| r${index} |`).join('\n')}`),
  ]);
  const words = log.getByRole('article', { name: /said$/ });
  await expect.element(words.getByRole('group', { name: 'Table, 1 column, 230 rows' })).toBeVisible();
  expect(words.getByRole('row').elements()).toHaveLength(201);
  await words.getByRole('button', { name: 'Open full table, 30 more rows' }).click();
  await expect.poll(shownText).toMatch(/\| r229 \|/);
});

it('A link of an agent asks with its whole address and opens that, and no other scheme ever [issue 14.3, issue 36.4]', async () => {
  const { calls } = await openConversation([
    said(
      1,
      'See [the notes](https://ex\u0430mple.org/notes), [this file](file:///etc/passwd) and [the bank](https://bank.example@evil.example/).',
    ),
  ]);
  const words = log.getByRole('article', { name: /said$/ });
  const question = page.getByRole('alertdialog', { name: 'Open this address?' });
  const opened = (): unknown[] => calls.filter(({ name }) => name === 'app.openAddress').map(({ input }) => input);

  await expect.element(words).toBeVisible();
  (words.getByRole('button', { name: 'the notes' }).element() as HTMLElement).focus();
  await press('Enter');
  await expect.element(question).toMatchTextContent(/It opens xn--exmple-4nf.org in your browser/);
  await expect.element(question.getByText(ADDRESS, { exact: true })).toBeVisible();
  expect(await faults()).toEqual([]);
  // Pressing Enter again cancels instead of opening the link.
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await press('Enter');
  await expect.element(question).not.toBeInTheDocument();
  expect(opened()).toEqual([]);
  await words.getByRole('button', { name: 'the notes' }).click();
  await question.getByRole('button', { name: 'Open', exact: true }).click();
  await expect.poll(opened).toEqual([{ address: ADDRESS }]);

  const told = page.getByRole('alertdialog', { name: 'Target of the link' });
  await words.getByRole('button', { name: 'this file' }).click();
  await expect.element(told).toMatchTextContent(/file:\/\/\/etc\/passwd/);
  expect(told.getByRole('button', { name: 'Open' }).elements()).toEqual([]);
  await told.getByRole('button', { name: 'Close' }).click();
  expect(opened()).toHaveLength(1);
});

/** The number of rounds in the conversation. Each round consists of a thought, a message and a call. */
const ROUNDS = 350;
/** The maximum number of drawn items: the visible items, and some above and below them. */
const MOST_DRAWN = 120;

function rounds(): AgentItem[] {
  return Array.from({ length: ROUNDS }, (_, index): AgentItem[] => {
    const seq = index * 3 + 2;
    const words = `Round ${index + 1}: **bold**, \`code\` and\n\n- one\n- two\n\n\`\`\`lisp\n(defun f (x) x)\n\`\`\``;
    const nothing = { text: '', cut: 0 };
    return [
      { kind: 'thought', seq, at: seq, text: 'Hm.', cut: 0, open: false },
      { kind: 'said', seq: seq + 1, at: seq, text: words, cut: 0, open: false },
      {
        kind: 'call',
        seq: seq + 2,
        at: seq,
        id: `c${index}`,
        title: 'ls',
        status: 'done',
        tool: null,
        call: null,
        input: nothing,
        output: nothing,
        files: [],
      },
    ];
  }).flat();
}

it('Of more than a thousand items few are drawn, typing goes on while they come, and each of them is there to be read [issue 14.3, issue 36.4]', async () => {
  const asked: AgentItem = { kind: 'asked', seq: 1, at: 1, text: 'go', cut: 0, context: [], images: [] };
  const all = [asked, ...rounds()];
  const half = all.length / 2;
  const { agent, tell } = await openConversation(all.slice(0, half));
  let drawn = 0;
  const observer = new MutationObserver(() => {
    drawn = Math.max(drawn, document.querySelectorAll('[role="log"] article').length);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await field.click();
  const words = 'What I write while it works stands there as I wrote it.';
  const typed = type(words);
  for (const item of all.slice(half)) tell('hosted-item', { agent: agent.id, item });
  tell('hosted-item', { agent: agent.id, item: said(all.length + 1, 'All said.') });
  await typed;
  await expect.element(log).toMatchTextContent(/All said\./);
  await expect.element(field).toHaveValue(words);

  // Scrolls back to the first item, one page of older items at a time.
  const scroller = log.element() as HTMLElement;
  scroller.focus();
  const first = log.getByRole('article', { name: 'You asked' });
  await expect
    .poll(async () => {
      await press('Home');
      const top = first.query()?.getBoundingClientRect().bottom;
      return top !== undefined && top > scroller.getBoundingClientRect().top;
    })
    .toBe(true);
  await expect.element(log).toMatchTextContent(/Round 1:/);
  // Scrolling from the first item to the end shows every round.
  const read = new Set<number>();
  const frame = (): Promise<void> => new Promise((resolve) => void requestAnimationFrame(() => setTimeout(resolve)));
  for (let still = 0; still < 5;) {
    await frame();
    for (const [, round] of scroller.textContent.matchAll(/Round (\d+):/g)) read.add(Number(round));
    const before = scroller.scrollTop;
    scroller.scrollTop += scroller.clientHeight / 2;
    still = scroller.scrollTop === before ? still + 1 : 0;
  }
  expect([...read].toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: ROUNDS }, (_, index) => index + 1),
  );
  await expect.element(log).toMatchTextContent(/All said\./);
  observer.disconnect();
  expect(drawn).toBeGreaterThan(0);
  expect(drawn).toBeLessThan(MOST_DRAWN);
});
