import { describe, expect, it } from 'vitest';
import { destinationOf, LONGEST_ADDRESS, outsideAddress } from './outside-address.ts';

describe('addresses that may be opened outside', () => {
  it.each([
    ['https://example.org/notes?a=1#b', 'https://example.org/notes?a=1#b', 'example.org'],
    ['HTTP://Example.ORG:8080', 'http://example.org:8080/', 'example.org:8080'],
    ['http://127.1/', 'http://127.0.0.1/', '127.0.0.1'],
    ['mailto:a@b.example?subject=Hello', 'mailto:a@b.example?subject=Hello', 'a@b.example'],
  ])('The address %s is opened as it is shown [issue 14.3]', (text, address, destination) => {
    expect([outsideAddress(text), destinationOf(address)]).toEqual([address, destination]);
  });

  it.each([
    ['a host that looks like another', 'https://ex\u0430mple.org/', 'https://xn--exmple-4nf.org/'],
    ['a host in a script that is written from right to left', 'https://\u05D0.example/', 'https://xn--4db.example/'],
    [
      'a path that turns the text around',
      'https://example.org/\u202Egro.knab',
      'https://example.org/%E2%80%AEgro.knab',
    ],
    ['a fragment with a zero width space', 'https://example.org/#a\u200Bb', 'https://example.org/#a%E2%80%8Bb'],
    ['line ends, which browsers drop', 'https://exam\nple.org/a\tb', 'https://example.org/ab'],
    ['strokes the other way', String.raw`https:\\example.org\@bank.example`, 'https://example.org/@bank.example'],
    ['letters in a mail', 'mailto:\u0430@b.example', 'mailto:%D0%B0@b.example'],
  ])('An address with %s is shown, and opened, in ASCII [issue 14.3]', (_what, text, address) => {
    expect(outsideAddress(text)).toBe(address);
    expect(outsideAddress(address)).toBe(address);
  });

  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,<b>x</b>',
    'file:///etc/passwd',
    'vscode://file/etc/passwd',
    'ms-msdt:/id',
    'smb://server/share',
    'blob:https://example.org/1',
    'view-source:https://example.org/',
    String.raw`\\server\share`,
    '/etc/passwd',
    'notes.md',
    '',
    'https://',
    'https://bank.example@evil.example/',
    'https://:secret@evil.example/',
    'mailto:a@b.example?attach=/etc/passwd',
    'mailto:a@b.example?subject=x&ATTACHMENT=/etc/passwd',
    `https://example.org/${'a'.repeat(LONGEST_ADDRESS)}`,
    `https://example.org/${'\u0430'.repeat(LONGEST_ADDRESS / 3)}`,
  ])('The address %j is not opened [issue 14.3]', (text) => {
    expect(outsideAddress(text)).toBeNull();
  });
});
