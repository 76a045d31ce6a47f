import { describe, expect, it } from 'vitest';
import { AskedPages } from './asked-pages.ts';

const page = (id: string, address = 'https://example.org/') => ({ id, address, message: `Open ${id}.` });
const never = new AbortController().signal;

describe('Pages that an agent asks to open', () => {
  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://example.org/',
    'not an address',
    `https://example.org/${'x'.repeat(9_000)}`,
  ])('The address %s is nothing to open [issue 33.2]', async (address) => {
    const pages = new AskedPages(() => {});
    expect(await pages.ask(page('odd', address), never)).toBe('cancel');
    expect(pages.view).toBe(null);
  });

  it('Pages are shown one after the other, and more than five are not [issue 33.2]', async () => {
    const pages = new AskedPages(() => {});
    const asked = ['a', 'b', 'c', 'd', 'e'].map((id) => pages.ask(page(id), never));
    expect(await pages.ask(page('f'), never)).toBe('cancel');
    expect(await pages.ask(page('a', 'https://other.example/'), never)).toBe('cancel');
    pages.answer('a', false);
    expect(await asked[0]).toBe('decline');
    expect(pages.view?.id).toBe('b');
    pages.clear();
    expect(await Promise.all(asked)).toEqual(['decline', 'cancel', 'cancel', 'cancel', 'cancel']);
  });

  it('A request that its agent takes back is shown no more [issue 33.2]', async () => {
    const pages = new AskedPages(() => {});
    const control = new AbortController();
    const asked = pages.ask(page('a'), control.signal);
    control.abort();
    expect(await asked).toBe('cancel');
    expect(pages.view).toBe(null);
    expect(await pages.ask(page('b'), control.signal)).toBe('cancel');
  });
});
