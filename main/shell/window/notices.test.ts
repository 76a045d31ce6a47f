import { expect, it } from 'vitest';
import { type Notices, noticesAfter } from './notices.ts';

const card = (id: string, client = 'codex', headline = `Write ${id}`, configures: string | null = null) => ({
  id,
  actor: { id: `client:${client}`, kind: 'client', name: client } as const,
  headline,
  configures,
});
const none: Notices = new Map();
const bodies = (notices: Notices) => Object.fromEntries([...notices].map(([client, { body }]) => [client, body]));

it('Requests of one client share a notice, and each client has its own [D13]', () => {
  const first = noticesAfter(none, [card('a'), card('b', 'claude')], new Set(['a', 'b']));
  const second = noticesAfter(first, [card('a'), card('b', 'claude'), card('c')], new Set(['c']));
  expect([bodies(first), bodies(second)]).toEqual([
    { 'client:codex': 'Write a', 'client:claude': 'Write b' },
    { 'client:codex': '2 requests are waiting for you.', 'client:claude': 'Write b' },
  ]);
});

it('A notice goes when its last request is settled, and is not shown anew before [D13]', () => {
  const both = noticesAfter(none, [card('a'), card('b')], new Set(['a', 'b']));
  const one = noticesAfter(both, [card('b')], new Set());
  expect([bodies(one), one.get('client:codex')!.ids]).toEqual([
    { 'client:codex': '2 requests are waiting for you.' },
    ['b'],
  ]);
  const next = noticesAfter(one, [card('b'), card('c')], new Set(['c']));
  expect([next.get('client:codex')!.newest, one.get('client:codex')!.newest]).toEqual(['c', 'b']);
  expect(noticesAfter(one, [], new Set())).toEqual(none);
});

it('Requests that came while the person looked have no notice [D13]', () => {
  expect(noticesAfter(none, [card('a')], new Set())).toEqual(none);
});

it('A notice says that a file configures other programs', () => {
  const asked = card('a', 'codex', 'Write 2 bytes to .envrc', 'A shell runs it.');
  expect(bodies(noticesAfter(none, [asked], new Set(['a'])))).toEqual({
    'client:codex': 'Write 2 bytes to .envrc. Careful: this configures other programs.',
  });
});

it('The words of a notice are one plain line [K2]', () => {
  const { body } = noticesAfter(none, [card('a', 'codex', 'Run <b>\u202Ex</b>\n&')], new Set(['a'])).get(
    'client:codex',
  )!;
  expect(body).toBe('Run ‹b›⟨U+202E⟩x‹/b› ＆');
});
