/** The position of the handle in a long reply. Each client truncates a reply differently before its model sees it. */
import { describe, expect, it } from 'vitest';
import type { Actor } from '#contract/image/session.ts';
import { LongReplies } from './long-replies.ts';
import { replySizeOf } from './reply-sizes.ts';

const actor: Actor = { id: 'client:tester', kind: 'client', name: 'tester' };
const HANDLE = /lisp-workbench:\/\/replies\/[0-9a-f-]{36}\/1/g;

const numbers = Array.from({ length: 40_000 }, (_, index) => `line ${index}`).join('\n');
const texts = {
  'an evaluation that printed much': `=> 42\n\n[stdout]\n${numbers}`,
  'an error with a long backtrace': `[ERROR] SIMPLE-ERROR\nno such account\n\n[Backtrace]\n${numbers}`,
  'lines without a paragraph': numbers,
  'one long line': `=> "${'abcdefghij'.repeat(5_000)}"`,
};

/** The ways in which clients truncate a reply: they cut out the middle, or cut off the end. */
const cuts = {
  'the middle beyond 10,000 bytes': (text: string) =>
    text.length <= 10_000 ? text : `${text.slice(0, 5_000)}…${text.slice(-5_000)}`,
  'the end beyond 2,000 characters': (text: string) => text.slice(0, 2_000),
  'the middle beyond 256 lines': (text: string) => {
    const lines = text.split('\n');
    return lines.length <= 256 ? text : [...lines.slice(0, 128), '…', ...lines.slice(-128)].join('\n');
  },
  'the beginning': (text: string) => text.slice(-2_000),
};

describe.each(Object.entries(texts))('%s', (_title, text) => {
  it.each(Object.entries(cuts))('A reply still has its handle when the client cuts %s', (_cut, cut) => {
    expect(cut(new LongReplies().reply(text, actor))).toMatch(HANDLE);
  });

  it('A cut reply says in its place what is left out, how much, and names one handle', () => {
    const shown = new LongReplies().reply(text, actor);
    const [, hidden] = /\n… (\d+) characters are not shown here …\n/.exec(shown)!;
    expect(shown).toContain(
      `[${hidden} of ${text.length} characters are not shown. The whole text is stored for an hour, in pages: read `,
    );
    expect(new Set(shown.match(HANDLE)).size).toBe(1);
  });

  it.each(['codex-mcp-client', 'github-copilot-developer', 'opencode', 'claude-code', 'someone'])(
    'A cut reply and its pages are cut by nobody else on their way to the model of %s',
    (client) => {
      const size = replySizeOf(client);
      const replies = new LongReplies();
      const shown = replies.reply(text, actor, size);
      expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(size * 1.2);
      let [next] = shown.match(HANDLE)!;
      let all = '';
      for (let more: string | undefined = next; more !== undefined;) {
        next = more;
        const page = replies.page(next, actor)!;
        expect(replies.reply(page, actor, size)).toBe(page);
        const [, part, after] =
          /^([^]*?)(?:\n… \d+ more characters are not shown\. They are stored for an hour: read (\S+) as .*)?$/.exec(
            page,
          )!;
        all += part;
        more = after;
      }
      expect(all === text).toBe(true);
    },
  );
});

it('The value or the error of a cut reply comes first, then the handle', () => {
  const shown = (text: string) => new LongReplies().reply(text, actor).split('\n').slice(0, 4);
  expect(shown(texts['an evaluation that printed much'])).toEqual(['=> 42', '', expect.stringMatching(HANDLE), '']);
  expect(shown(texts['an error with a long backtrace'])).toEqual([
    '[ERROR] SIMPLE-ERROR',
    'no such account',
    '',
    expect.stringMatching(HANDLE),
  ]);
});

it('Codex and Copilot get less than the 10,000 bytes that they show, and others what they take', () => {
  const bytes = ['codex-mcp-client', 'GitHub Copilot CLI', 'copilot', 'claude-code', undefined].map((name) =>
    replySizeOf(name),
  );
  expect(bytes).toEqual([9216, 9216, 9216, 24_576, 24_576]);
});
