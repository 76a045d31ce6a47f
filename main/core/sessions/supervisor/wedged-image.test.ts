import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';
import { MORE_WEDGES, tried, WEDGES, type Wedge } from './wedged-image.fixture.ts';

let test: TestSession;

/** Options for an image with a small heap, which is filled quickly. */
const SMALL = { memory: () => ({ heapMegabytes: 512, controlStackMegabytes: 16 }) };

/** Checks that the code got the expected answer, and that the next evaluation works in another REPL too. */
async function survived(wedge: Wedge): Promise<void> {
  expect(await tried(test, wedge)).toMatch(wedge.answer);
  expect(await test.say('(cl:+ 40 2)', { context: 'another' })).toBe('42');
}

describe('evaluated code that wedges an image', () => {
  beforeEach(async () => {
    test = await openTestSession(SMALL);
  });
  afterEach(() => test.close());

  it.each([...WEDGES, ...MORE_WEDGES])('The next evaluation works after $what [K6, E39, cases 34 and 35]', survived);
});

describe('wedged image while another evaluation waits for input', () => {
  beforeEach(async () => {
    test = await openTestSession(SMALL);
    const asked = new Promise<void>((resolve) => {
      test.session.events.on('input-requested', () => resolve());
    });
    test.evaluate('(read-line)', { interactive: true, context: 'waiting' }).catch(() => {});
    await asked;
  });
  afterEach(() => test.close());

  it.each(WEDGES)('While another evaluation waits for input, the next one works after $what [K6]', survived);
});

describe('wedged image while a debugger is open', () => {
  beforeEach(async () => {
    test = await openTestSession(SMALL);
    const entered = new Promise<void>((resolve) => {
      test.session.events.on('debugger-entered', () => resolve());
    });
    test.evaluate('(error "debugged")', { onError: 'debug', context: 'debugged' }).catch(() => {});
    await entered;
  });
  afterEach(() => test.close());

  it.each(WEDGES)('While a debugger is open, the next evaluation works after $what [K6]', survived);
});

describe('wedged image right after going back to a checkpoint', () => {
  beforeEach(async () => {
    test = await openTestSession({ ...SMALL, checkpoints: true });
    await test.say('(defvar *kept* :kept)');
    await test.say('(identity 1)', { actor: AGENT });
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
  });
  afterEach(() => test.close());

  it.each(WEDGES)('Right after going back, the next evaluation works after $what [K6]', async (wedge) => {
    await survived(wedge);
    expect(await test.say('*kept*')).toBe(':KEPT');
  });
});
