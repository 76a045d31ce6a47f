/** A conversation of thousands of items: only what is seen is drawn, typing goes on meanwhile, and nothing of it is lost. */
import { ask, field, launchWithAgent, log, panel } from './agents/agent-panel.ts';
import { expect, test } from './fixture.ts';

/** Rounds of a thought, words and a call each. */
const ROUNDS = 800;
/** Items that are drawn at most: those in sight, and some around them. */
const MOST_DRAWN = 120;

test('Thousands of items leave the page to the person, and each of them is there to be read [issue 14.3]', async ({
  launch,
}, info) => {
  const story = { turns: [{ when: 'go', steps: [{ rounds: ROUNDS }, { say: 'All said.' }] }] };
  const desktop = await launchWithAgent(launch, info, story);
  const { page } = desktop;
  // The longest time in which the page did nothing else, and the most that it has drawn: looked at, and the second one held to.
  await page.evaluate(() => {
    const seen = { longest: 0, drawn: 0, count: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        seen.count += 1;
        seen.longest = Math.max(seen.longest, duration);
      }
    }).observe({ type: 'longtask' });
    new MutationObserver(() => {
      seen.drawn = Math.max(seen.drawn, document.querySelectorAll('[role="log"] article').length);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await ask(desktop, 'go');
  const words = 'What I write while it works stands there as I wrote it.';
  await field(desktop).pressSequentially(words);
  await expect(log(desktop)).toContainText('All said.');
  await expect(field(desktop)).toHaveValue(words);
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();

  // Back to the first item, a page of older ones at a time.
  await log(desktop).focus();
  const first = log(desktop).getByRole('article', { name: 'You asked' });
  await expect(async () => {
    await page.keyboard.press('Home');
    await expect(first).toBeInViewport({ timeout: 500 });
  }).toPass();
  await expect(log(desktop)).toContainText('Round 1:');
  // Read from there to the end, no round is missing.
  const rounds = await log(desktop).evaluate(async (scroller) => {
    const read = new Set<number>();
    const drawn = (): Promise<void> => new Promise((resolve) => void requestAnimationFrame(() => setTimeout(resolve)));
    for (let still = 0; still < 5;) {
      await drawn();
      for (const [, round] of (scroller.textContent ?? '').matchAll(/Round (\d+):/g)) read.add(Number(round));
      const before = scroller.scrollTop;
      scroller.scrollTop += scroller.clientHeight / 2;
      still = scroller.scrollTop === before ? still + 1 : 0;
    }
    return [...read];
  });
  expect(rounds.toSorted((one, other) => one - other)).toEqual(Array.from({ length: ROUNDS }, (_, index) => index + 1));
  await expect(log(desktop)).toContainText('All said.');

  const seen = await page.evaluate(() => (window as unknown as { seen: Record<string, number> }).seen);
  info.annotations.push({
    type: 'longest task',
    description: `${Math.round(seen['longest']!)} ms of ${seen['count']} long ones`,
  });
  info.annotations.push({ type: 'most articles drawn', description: String(seen['drawn']) });
  expect(seen['drawn']).toBeGreaterThan(0);
  expect(seen['drawn']).toBeLessThan(MOST_DRAWN);
});
