/**
 * Review with cards like those that the core sends: their display, decisions made with the keyboard, and a check with axe in both themes.
 */
import './page.css';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import type { ApprovalCard, ShownQueue } from '#contract/decisions/approval.ts';
import type { ApprovalBridge } from '#contract/rpc.ts';
import { settings } from '#contract/settings.ts';
import { faults, insert, press } from '../window.fixture.tsx';
import drawn from './cards.fixture.json';
import { Review } from './review.tsx';

const CARDS = drawn as unknown as Record<keyof typeof drawn, ApprovalCard>;
const KINDS = Object.keys(CARDS) as (keyof typeof drawn)[];

/** Access to the fake core for a test: the page's calls, and the events sent to the page. */
interface FakeReview {
  readonly calls: { name: string; input: unknown }[];
  tell(event: 'queue-changed' | 'next-wanted' | 'view-shown', payload: unknown): void;
}

function queueOf(waiting: readonly ApprovalCard[], parts: Partial<ShownQueue> = {}): ShownQueue {
  const hues = Object.fromEntries(waiting.map(({ actor }, index) => [actor.id, (index % 4) + 1]));
  return { waiting: [...waiting], inLine: 0, decided: [], hues, unsaved: {}, ...parts };
}

/** Opens Review with a queue. A decision is accepted, and removes its card. */
async function openReview(
  waiting: readonly ApprovalCard[],
  parts: Partial<ShownQueue> = {},
  { width, height } = { width: 720, height: 760 },
): Promise<FakeReview> {
  const listeners = new Map<string, Set<(payload: never) => void>>();
  const calls: FakeReview['calls'] = [];
  let queue = queueOf(waiting, parts);
  const tell: FakeReview['tell'] = (event, payload) => {
    for (const listener of listeners.get(event) ?? []) listener(payload as never);
  };
  const service = {
    call: async (name: string, input: { id: string }) => {
      calls.push({ name, input });
      if (name === 'approval.queue') {
        const { theme, contrast, codeFont } = settings.parse({ version: 1 });
        return { ...queue, appearance: { theme, contrast, codeFont } };
      }
      if (name !== 'approval.decide') return {};
      queue = { ...queue, waiting: queue.waiting.filter(({ id }) => id !== input.id) };
      tell('queue-changed', queue);
      return { accepted: true, reason: 'accepted', message: null };
    },
    on: (event: string, listener: (payload: never) => void) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
      return () => listeners.get(event)!.delete(listener);
    },
  } as unknown as ApprovalBridge;
  await render(
    <div style={{ width, height }}>
      <Review service={service} />
    </div>,
  );
  return { calls, tell };
}

const card = page.getByRole('article');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const decisions = ({ calls }: FakeReview): unknown[] =>
  calls.filter(({ name }) => name === 'approval.decide').map(({ input }) => input);

/** Presses Tab until an element has the focus. */
async function tabTo(target: ReturnType<typeof button>): Promise<void> {
  await expect.element(target).toBeVisible();
  for (let steps = 0; steps < 40 && document.activeElement !== target.element(); steps += 1) await press('Tab');
  await expect.element(target).toHaveFocus();
}

beforeEach(() => {
  (document.activeElement as HTMLElement | null)?.blur();
});

describe('cards', () => {
  it.each(KINDS)(
    'The card %s shows its headline, target and undo, and has no fault [D13, issue 36.4]',
    async (kind) => {
      const shown = CARDS[kind];
      await openReview([shown, { ...CARDS.newFile, id: 'another' }]);
      await expect.element(card.getByRole('heading', { name: shown.headline })).toBeVisible();
      const lines = (shown.change?.hunks ?? []).flatMap((hunk) => hunk.lines.map(({ text }) => text.trim()));
      const words = [shown.facts.undo.verdict, shown.facts.target?.text ?? '', ...lines];
      const text = card.element().textContent;
      expect(words.filter((each) => !text.includes(each))).toEqual([]);
      await expect.element(button('Approve')).toBeEnabled();
      expect(await faults()).toEqual([]);
    },
  );

  it('A card has the colour of its client, and begins with its headline wherever the one before was left [D13, issue 36.4]', async () => {
    const long = { ...CARDS.hunks.change!, hunks: Array.from({ length: 4 }, () => CARDS.hunks.change!.hunks[0]!) };
    const [first, second] = (['claude-code', 'codex'] as const).map((name) => ({
      ...CARDS.hunks,
      id: name,
      fingerprint: name,
      actor: { id: `client:${name}`, kind: 'client' as const, name },
      headline: `Change what ${name} wants`,
      change: long,
    }));
    await openReview([first!, second!], {}, { width: 720, height: 300 });
    await expect.element(page.getByText('2 waiting')).toBeVisible();
    const colours: string[] = [];
    for (const { headline } of [first!, second!]) {
      const heading = card.getByRole('heading', { name: headline });
      await expect.element(heading).toBeInViewport();
      colours.push(getComputedStyle(card.element().querySelector('.mark')!).color);
      await expect.element(button('Approve')).toBeEnabled();
      await button('Approve').click();
    }
    await expect.element(page.getByText('No requests are waiting.')).toBeVisible();
    const probe = document.body.appendChild(document.createElement('i'));
    const agentColours = [1, 2].map((hue) => {
      probe.style.color = `var(--agent-${hue})`;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    expect(colours).toEqual(agentColours);
  });

  it('A card of a file that configures other programs warns at a glance, in the list as well, and offers no rule [issue 36.4]', async () => {
    await openReview([CARDS.configuring, { ...CARDS.configuring, id: 'other', headline: 'Write 9 bytes to Makefile' }]);
    await expect
      .element(card)
      .toHaveAccessibleDescription(
        /^Configures other programs\. Claude Code reads it when it starts.* rules do not apply to such files\.$/,
      );
    await expect.element(card.getByText('Configures other programs.')).toBeInViewport();
    expect(button('Also approve similar requests').elements()).toEqual([]);
    await expect
      .element(page.getByRole('button', { name: /configures programs/ }))
      .toMatchTextContent('Write 9 bytes to Makefile');
  });

  it('What an agent wrote cannot hide in a path, a frame or a fact [K2, issue 36.4]', async () => {
    const hidden = 'a\u202Etxt.lisp';
    const { effect, facts } = CARDS.effect;
    await openReview([
      {
        ...CARDS.effect,
        headline: `Delete ${hidden}`,
        facts: {
          ...facts,
          target: { label: 'Target', text: `/home/ada/${hidden}`, measures: '1 byte' },
          known: [{ name: 'via', value: hidden, place: 'line' }],
        },
        effect: { ...effect!, frames: [{ ...effect!.frames[0]!, call: `(DELETE-FILE "${hidden}")` }] },
      },
    ]);
    await expect.element(button('Deny')).toBeVisible();
    await button('Frames').click();
    await expect.element(card.getByRole('region', { name: 'Frames' })).toMatchTextContent('a⟨U+202E⟩txt.lisp');
    const text = card.element().textContent;
    expect(text.split('a⟨U+202E⟩txt.lisp').length).toBeGreaterThanOrEqual(5);
    expect(text).not.toContain('\u202E');
  });

  it('A card whose client stopped waiting says so on its button [X9, decision 18, issue 36.4]', async () => {
    const review = await openReview([
      { ...CARDS.newFile, abandoned: true, notice: 'claude-code stopped waiting. Run anyway?' },
    ]);
    await expect.element(page.getByText(/stopped waiting\. Run anyway\?/)).toBeVisible();
    expect(button('Approve').elements()).toEqual([]);
    await expect.element(button('Run anyway')).toBeEnabled();
    await button('Run anyway').click();
    expect(decisions(review)).toMatchObject([{ id: 'newFile', decision: { decision: 'approved' } }]);
  });

  it('The requests of a client that stand in line are counted beside those that wait [K1, issue 36.4]', async () => {
    const waiting = ['one', 'two', 'three'].map((id) => ({ ...CARDS.newFile, id }));
    await openReview(waiting, { inLine: 2 });
    await expect.element(page.getByText('3 waiting, 2 queued')).toBeVisible();
  });

  it('A card says whether the editor has unsaved text of its file, and what does not read [D13, issue 36.4]', async () => {
    const path = CARDS.hunks.change!.absolutePath;
    const facts = {
      ...CARDS.hunks.facts,
      checked: { words: 'does not read: Line 1, column 1: ( is never closed', fault: true },
    };
    const review = await openReview([{ ...CARDS.hunks, facts }], { unsaved: { [path]: false } });
    await expect.element(page.getByText(/does not read: Line 1, column 1: \( is never closed/)).toBeVisible();
    await expect.element(page.getByText(/no unsaved text in the editor/)).toBeVisible();
    review.tell('queue-changed', queueOf([{ ...CARDS.hunks, facts }], { unsaved: { [path]: true } }));
    await expect.element(page.getByText('has unsaved text in the editor')).toBeVisible();
  });
});

const bottomOf = (name: string): number => button(name).element().getBoundingClientRect().bottom;
/** The size of Review in a window of 900×600. */
const SMALL = { width: 648, height: 536 };
const LONG_EDIT: ApprovalCard = {
  ...CARDS.hunks,
  id: 'long',
  change: {
    ...CARDS.hunks.change!,
    hunks: Array.from({ length: 12 }, () => CARDS.hunks.change!.hunks).flat(),
  },
};

describe('reading at a glance', () => {
  it.each([...KINDS.map((kind) => CARDS[kind]), LONG_EDIT])(
    'The buttons of the card $id are in view in a window of 900×600, wherever the card is scrolled',
    async (shown) => {
      await openReview([shown, { ...CARDS.newFile, id: 'another' }], {}, SMALL);
      const scroller = card.element().parentElement!;
      for (const top of [0, Math.floor((card.element().clientHeight - SMALL.height) / 2)]) {
        scroller.scrollTop = top;
        for (const name of ['Deny', 'Approve']) {
          const { left, right, top: above, bottom } = button(name).element().getBoundingClientRect();
          expect(bottom).toBeLessThanOrEqual(scroller.getBoundingClientRect().bottom);
          const drawn = document.elementFromPoint((left + right) / 2, (above + bottom) / 2);
          expect(button(name).element().contains(drawn)).toBe(true);
          expect(above).toBeGreaterThan(bottomOf('Approve') - 40);
        }
      }
    },
  );

  it('The card of a program has at most six lines, and its digests, sizes and days once, in the details', async () => {
    await openReview([CARDS.program], {}, SMALL);
    await expect.element(button('Approve')).toBeEnabled();
    const element = card.element() as HTMLElement;
    const lines = [...element.querySelectorAll('header, h2, dl > div')].filter((each) => each.checkVisibility());
    const height = Math.max(...lines.map((each) => each.getBoundingClientRect().height));
    expect(lines.map((each) => each.textContent)).toEqual([
      expect.stringContaining('claude-code'),
      'Run /usr/bin/rm -f /home/ada/shop/stock.dat',
      'Command/usr/bin/rm -f /home/ada/shop/stock.dat',
      'Folder/home/ada/shop',
      'UndoDangerousNot reversiblegoing back in the image does not undo it',
    ]);
    expect(height).toBeLessThan(48);
    expect(element.innerText.split('rm -f /home/ada/shop/stock.dat')).toHaveLength(3);
    expect(element.innerText).not.toMatch(/SHA-256|[0-9a-f]{64}|72,?752/);
    await button('Details').click();
    const opened = element.innerText;
    expect(opened.match(/[0-9a-f]{64}/g)).toHaveLength(2);
    expect(opened).toMatch(/73 kB[^]*20 Sept 2022[^]*13 bytes/);
    const rows = [...element.querySelectorAll('dl > div')].filter((each) => each.checkVisibility());
    const columns = rows.map(({ firstElementChild: label, lastElementChild }) => ({
      wide: label!.scrollWidth - label!.clientWidth,
      gap: lastElementChild!.getBoundingClientRect().left - label!.getBoundingClientRect().right,
    }));
    expect(columns.filter(({ wide, gap }) => wide > 0 || gap < 8)).toEqual([]);
  });

  it('Only a card whose request cannot be undone or configures other programs is called dangerous', async () => {
    const marked = async (shown: ApprovalCard): Promise<boolean> => {
      await openReview([shown]);
      await expect.element(card.getByRole('heading', { name: shown.headline })).toBeVisible();
      const words = (card.element() as HTMLElement).innerText.includes('Dangerous');
      await cleanup();
      return words;
    };
    const found: Record<string, boolean> = {};
    for (const kind of KINDS) found[kind] = await marked(CARDS[kind]);
    expect(found).toEqual({
      newFile: false,
      hunks: false,
      configuring: true,
      severalFiles: false,
      effect: true,
      program: true,
    });
  });

  it('Restarts have numbers only if each has its own, and the button denies, not a restart', async () => {
    await openReview([CARDS.effect]);
    const radios = card.getByRole('radio');
    await expect.element(radios.first()).toBeChecked();
    const names = radios.elements().map((each) => each.closest('label')!.innerText.split('\n')[0]);
    expect(names).toEqual([
      'Proceed once',
      'Always for this target',
      'Always in this evaluation',
      'Use another path…',
      'Abort the evaluation',
    ]);
  });
});

describe('keys of the open card', () => {
  it('Ctrl+Enter approves the open card, but not in its first moments, and not by holding the keys', async () => {
    const review = await openReview([CARDS.newFile, { ...CARDS.severalFiles, id: 'next' }]);
    await expect.element(card).toBeVisible();
    card.element().focus();
    await press('Control+Enter');
    expect(decisions(review)).toEqual([]);
    await expect.element(button('Approve')).toBeEnabled();
    expect(decisions(review)).toEqual([]);
    await press('Control+Enter');
    await expect.poll(() => decisions(review)).toMatchObject([{ id: 'newFile', decision: { decision: 'approved' } }]);
    await expect.element(card.getByRole('heading', { name: CARDS.severalFiles.headline })).toBeVisible();
    await press('Control+Enter');
    expect(decisions(review)).toHaveLength(1);
  });

  it('Ctrl+Enter approves nothing while the focus is outside the card, or if the keys were made by a script', async () => {
    const review = await openReview([CARDS.newFile]);
    await expect.element(button('Approve')).toBeEnabled();
    page
      .getByRole('button', { name: /^Stop all agents/ })
      .element()
      .addEventListener('click', (event) => event.stopPropagation(), true);
    (page.getByRole('button', { name: /^Stop all agents/ }).element() as HTMLElement).focus();
    await press('Control+Enter');
    card.element().focus();
    card
      .element()
      .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', ctrlKey: true, bubbles: true }));
    expect(decisions(review)).toEqual([]);
  });

  it('Ctrl+Shift+Enter opens the reason for a denial, and Ctrl+Enter sends it', async () => {
    const review = await openReview([CARDS.effect]);
    await expect.element(button('Approve')).toBeEnabled();
    card.element().focus();
    await press('Control+Shift+Enter');
    await expect.element(page.getByRole('textbox')).toHaveFocus();
    await insert('Not this file.');
    await press('Control+Enter');
    await expect
      .poll(() => decisions(review))
      .toMatchObject([{ id: 'effect', decision: { decision: 'denied', reason: 'Not this file.' } }]);
  });

  it('Ctrl+Enter in the edited text approves the edit, once something is edited', async () => {
    const review = await openReview([CARDS.newFile]);
    await expect.element(button('Approve')).toBeEnabled();
    await button('Edit and approve').click();
    await expect.element(page.getByRole('textbox')).toHaveFocus();
    await press('Control+Enter');
    expect(decisions(review)).toEqual([]);
    await insert(';; mine\n');
    await expect.element(button('Approve with edits')).toBeEnabled();
    await press('Control+Enter');
    await expect.poll(() => decisions(review)).toMatchObject([{ id: 'newFile', decision: { decision: 'modified' } }]);
  });

  it('The change that an edited text makes is shown while it is edited', async () => {
    await openReview([CARDS.hunks]);
    await expect.element(button('Approve')).toBeEnabled();
    await button('Edit and approve').click();
    const change = page.getByRole('region', { name: 'Change with your edits' });
    await expect.element(change).toMatchTextContent('(* x 2)');
    await insert(';; mine\n');
    await expect.element(change).toMatchTextContent(';; mine');
    expect(await faults()).toEqual([]);
  });

  it('The keys are drawn on the buttons, and are not part of their names', async () => {
    await openReview([CARDS.newFile]);
    const drawn = (name: string): (string | undefined)[] =>
      [...button(name).element().querySelectorAll('kbd')].map(({ dataset }) => dataset['text']);
    await expect.element(button('Approve')).toBeVisible();
    expect(drawn('Approve')).toEqual(['Ctrl', 'Enter']);
    expect(button('Deny').element().getAttribute('title')).toBe('Ctrl+Shift+Enter');
  });
});

describe('decisions', () => {
  it('Hunks are decided with the keyboard alone, and never by Enter [D13, D17, issue 36.4]', async () => {
    const review = await openReview([CARDS.hunks]);
    await tabTo(page.getByRole('checkbox', { name: 'Include defun tax' }));
    await press('Space');
    await expect.element(button('Approve')).toBeEnabled();
    await tabTo(button('Approve'));
    await press('Enter');
    expect(decisions(review)).toEqual([]);
    await press('Space');
    await expect
      .poll(() => decisions(review))
      .toMatchObject([
        { id: 'hunks', fingerprint: 'hunks as drawn', decision: { decision: 'approved', hunks: [0, 1] } },
      ]);
  });

  it('Effects are decided with the keyboard alone, and never by Enter [D13, D17, issue 36.4]', async () => {
    const review = await openReview([CARDS.effect]);
    const proceed = page.getByRole('radio', { name: /^Proceed once/ });
    await tabTo(proceed);
    await expect.element(button('Approve')).toBeEnabled();
    for (const key of ['Enter', 'y', 'a']) await press(key);
    expect(decisions(review)).toEqual([]);
    for (let steps = 0; steps < 4; steps += 1) await press('ArrowDown');
    await expect.element(page.getByRole('radio', { name: /^Abort/ })).toBeChecked();
    await tabTo(button('Deny'));
    await press('Space');
    await insert('By the keyboard.');
    await press('Escape');
    await expect.element(button('Deny')).toHaveFocus();
    await press('Space');
    await tabTo(button('Deny'));
    await press('Space');
    await expect
      .poll(() => decisions(review))
      .toMatchObject([{ id: 'effect', decision: { decision: 'denied', reason: 'By the keyboard.' } }]);
  });

  it('A card that just arrived, or is shown anew, cannot be decided at once [D13, issue 36.4]', async () => {
    const review = await openReview([CARDS.newFile]);
    await expect.element(button('Approve')).toBeDisabled();
    await expect.element(button('Approve')).toBeEnabled();
    review.tell('view-shown', {});
    await expect.element(button('Approve')).toBeDisabled();
    expect(decisions(review)).toEqual([]);
    await expect.element(button('Approve')).toBeEnabled();
  });

  it('A card that replaces the message that nothing is waiting gets the focus of the message', async () => {
    const { tell } = await openReview([]);
    tell('view-shown', {});
    await expect.element(page.getByText('No requests are waiting.')).toHaveFocus();
    tell('queue-changed', queueOf([CARDS.newFile]));
    await expect.element(card).toHaveFocus();
  });

  it('The next request is opened on demand, and the focus is on its card [D13, D17, issue 36.4]', async () => {
    const review = await openReview([CARDS.newFile, CARDS.severalFiles]);
    for (const { headline } of [CARDS.severalFiles, CARDS.newFile]) {
      review.tell('next-wanted', {});
      await expect.element(card.getByRole('heading', { level: 2 })).toMatchTextContent(headline);
      await expect.element(card).toHaveFocus();
    }
    await press('Tab');
    expect(card.element().contains(document.activeElement)).toBe(true);
  });

  it('A card can be decided however often Review is shown anew while it is drawn [D13, issue 36.4]', async () => {
    const review = await openReview([CARDS.newFile]);
    for (let n = 0; n < 60; n += 1) {
      review.tell('view-shown', {});
      await new Promise((resolve) => setTimeout(resolve, n % 20));
    }
    await expect.element(button('Approve')).toBeEnabled();
    await button('Approve').click();
    expect(decisions(review)).toMatchObject([{ id: 'newFile', decision: { decision: 'approved' } }]);
  });
});

describe('what axe finds', () => {
  it('Editing, denying and further rules have no fault, in both themes [D17, issue 36.4]', async () => {
    const review = await openReview([CARDS.newFile]);
    await expect.element(button('Approve')).toBeEnabled();
    await button('Edit and approve').click();
    await expect.element(page.getByRole('textbox').first()).toBeVisible();
    expect.soft(await faults(), 'editing').toEqual([]);
    await button('Cancel').click();
    await button('Also approve similar requests').click();
    await expect.element(page.getByRole('checkbox', { name: /write-file for/ })).not.toBeChecked();
    expect.soft(await faults(), 'rule').toEqual([]);
    await button('Deny').click();
    await expect.element(page.getByRole('textbox')).toBeVisible();
    expect.soft(await faults(), 'denying').toEqual([]);
    await button('Deny').click();
    await expect.poll(() => decisions(review)).toMatchObject([{ decision: { decision: 'denied' } }]);
  });

  it('Why an effect is asked about, its frames and each choice have no fault, in both themes [D17, issue 36.4]', async () => {
    await openReview([CARDS.effect]);
    await expect.element(button('Approve')).toBeEnabled();
    await button('Why?').click();
    await button('Frames').click();
    await button('Details').click();
    await button('Show the frames of SBCL and the workbench').click();
    expect.soft(await faults(), 'why, and all frames').toEqual([]);
    for (const choice of [/^Always for this target/, /^Use another path/, /^Abort/]) {
      await page.getByRole('radio', { name: choice }).click({ force: true });
      expect.soft(await faults(), String(choice)).toEqual([]);
    }
  });
});
