import { describe, expect, it } from 'vitest';
import { here, onTarget, PathTranslation, there, type Roots } from './paths.ts';

const roots: Roots = { target: 'devbox', here: '/home/me/shop', there: '/srv/shop' };

describe('Names of files on both sides', () => {
  it.each([
    ['/home/me/shop', '/srv/shop'],
    ['/home/me/shop/src/a.lisp', '/srv/shop/src/a.lisp'],
    ['/home/me/shopping/a.lisp', 'here:/home/me/shopping/a.lisp'],
    ['/home/me/other.lisp', 'here:/home/me/other.lisp'],
    ['devbox:/usr/share/x.lisp', '/usr/share/x.lisp'],
    ['untitled 1', 'untitled 1'],
  ])('The name %s is %s there, and comes back as it was', (name, away) => {
    expect(there(name, roots)).toBe(away);
    expect(here(away, roots)).toBe(name);
  });

  it('A project with the same path there has the same names', () => {
    const same = { ...roots, there: roots.here };
    expect(there('/home/me/shop/a.lisp', same)).toBe('/home/me/shop/a.lisp');
    expect(here('/home/me/shop/a.lisp', same)).toBe('/home/me/shop/a.lisp');
    expect(here('/etc/passwd', same)).toBe('devbox:/etc/passwd');
  });

  it('Without a project every name is of its own side', () => {
    const none = { target: 'devbox', here: null, there: null };
    expect(here('/srv/a', none)).toBe('devbox:/srv/a');
    expect(there('/a', none)).toBe('here:/a');
  });

  it('Names on a target are known by the targets that there are', () => {
    expect(onTarget('devbox:/usr/x', ['other', 'devbox'])).toEqual({ target: 'devbox', file: '/usr/x' });
    expect(onTarget('/usr/x', ['devbox'])).toBeNull();
  });
});

describe('Frames of the wire', () => {
  const paths = new PathTranslation(() => roots);

  it('A request names files as they are there, and keeps the person’s text', () => {
    const source = { file: '/home/me/shop/a.lisp', offset: 0, line: 1 };
    const text = '(load "/home/me/shop/a.lisp")';
    expect(paths.outgoing('compile-text', { text, source })).toEqual({
      text,
      source: { ...source, file: '/srv/shop/a.lisp' },
    });
    expect(paths.outgoing('trust-project', { trusted: true, directory: '/home/me/shop' })).toEqual({
      trusted: true,
      directory: '/srv/shop',
    });
  });

  it('A reply names files as they are here, wherever they stand, and keeps values and messages', () => {
    expect(
      paths.incoming({
        id: 1,
        ok: {
          result: { sound: ['/srv/shop/a.lisp'], loadedFiles: ['/opt/x.lisp'], files: [{ file: '/srv/shop/b.lisp' }] },
          values: [{ text: '"/srv/shop/a.lisp"' }],
          condition: { message: 'no file /srv/shop/a.lisp' },
          frames: [{ source: { file: '/srv/shop/a.lisp', path: [1, 2] } }],
          effects: [{ kind: 'write', operator: 'OPEN', target: '/srv/shop/out', outcome: 'proceeded' }],
        },
      }),
    ).toEqual({
      id: 1,
      ok: {
        result: {
          sound: ['/home/me/shop/a.lisp'],
          loadedFiles: ['devbox:/opt/x.lisp'],
          files: [{ file: '/home/me/shop/b.lisp' }],
        },
        values: [{ text: '"/srv/shop/a.lisp"' }],
        condition: { message: 'no file /srv/shop/a.lisp' },
        frames: [{ source: { file: '/home/me/shop/a.lisp', path: [1, 2] } }],
        effects: [{ kind: 'write', operator: 'OPEN', target: 'devbox:/srv/shop/out', outcome: 'proceeded' }],
      },
    });
  });

  it('An effect tells the target’s name, and its path is never one of this machine outside the project', () => {
    expect(
      paths.incoming({
        event: 'effect-requested',
        effect: { kind: 'run-program', operator: 'RUN-PROGRAM', target: 'ls -l', path: '/tmp/x', otherPath: null },
      }),
    ).toMatchObject({ effect: { target: 'devbox: ls -l', path: 'devbox:/tmp/x', otherPath: null } });
  });

  it('A name that the image makes up leads to no file of this machine outside the project', () => {
    const told = (file: string) => (paths.incoming({ file }) as { file: string }).file;
    expect(told('here:/home/me/.ssh/id_rsa')).toBe('here:/home/me/.ssh/id_rsa');
    expect(told('/srv/shop/../../etc/passwd')).toBe('devbox:/srv/shop/../../etc/passwd');
    paths.outgoing('compile-text', { source: { file: '/home/me/other.lisp' } });
    expect(told('here:/home/me/other.lisp')).toBe('/home/me/other.lisp');
  });

  it('What cannot be served there is refused in words', () => {
    expect(() => paths.outgoing('compile-file', { file: '/home/me/other.lisp' })).toThrow(
      /other\.lisp is on this machine, outside the project, so the image on the target devbox cannot read it/,
    );
    expect(() => paths.outgoing('serve-swank', {})).toThrow(/Emacs cannot join an image on the target devbox/);
  });
});
