import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/session.ts';
import { AGENT, openTestSession, type TestSession } from './session.fixture.ts';
import { MORE_WEDGES, tried, WEDGES, type Wedge } from './wedges.fixture.ts';

let test: TestSession;

/** It was answered, and the next evaluation works, in another REPL as well. */
async function survived(wedge: Wedge): Promise<void> {
  expect(await tried(test, wedge)).toMatch(wedge.answer);
  expect(await test.say('(cl:+ 40 2)', { context: 'another' })).toBe('42');
}

describe('K6 E39 case 34 case 35 whatever evaluated code does, it is answered and the next evaluation works', () => {
  beforeEach(async () => {
    test = await openTestSession();
  });
  afterEach(() => test.close());

  it.each([...WEDGES, ...MORE_WEDGES])('$what', survived);
});

describe('K6 the same while another evaluation waits for input', () => {
  beforeEach(async () => {
    test = await openTestSession();
    const asked = new Promise<void>((resolve) => {
      test.session.events.on('input-requested', () => resolve());
    });
    test.evaluate('(read-line)', { interactive: true, context: 'waiting' }).catch(() => {});
    await asked;
  });
  afterEach(() => test.close());

  it.each(WEDGES)('$what', survived);
});

describe('K6 the same while a debugger is open', () => {
  beforeEach(async () => {
    test = await openTestSession();
    const entered = new Promise<void>((resolve) => {
      test.session.events.on('debugger-entered', () => resolve());
    });
    test.evaluate('(error "debugged")', { onError: 'debug', context: 'debugged' }).catch(() => {});
    await entered;
  });
  afterEach(() => test.close());

  it.each(WEDGES)('$what', survived);
});

describe('K6 the same right after going back to a checkpoint', () => {
  beforeEach(async () => {
    test = await openTestSession({ checkpoints: true });
    await test.say('(defvar *kept* :kept)');
    await test.say('1', { actor: AGENT });
    await test.session.rewind(test.session.view().checkpoints[0]!.id, PERSON);
  });
  afterEach(() => test.close());

  it.each(WEDGES)('$what', async (wedge) => {
    await survived(wedge);
    expect(await test.say('*kept*')).toBe(':KEPT');
  });
});
