/**
 * Each operator that reaches outside the image, in a real image: the request appears, a denial prevents the effect, and an approval
 * executes it.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, decide, decideAll } from '../effects.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;
/** The image's directory, with links resolved as they are in records. It contains `file` with the text "old", and the folder `sub`. */
let folder: string;

beforeEach(async () => {
  image = await openTestImage();
  folder = await realpath(image.directory);
  await writeFile(at('file'), 'old');
  await mkdir(at('sub'));
});

afterEach(() => image.close());

const at = (name: string): string => path.join(folder, name);
const exists = (name: string) => (): boolean => existsSync(at(name));
const gone = (name: string) => (): boolean => !existsSync(at(name));
const holds = (name: string, text: string) => async (): Promise<boolean> =>
  (await readFile(at(name), 'utf8').catch(() => '')) === text;

interface Row {
  readonly operator: string;
  readonly kind: string;
  /** The code to evaluate. `@` stands for the image's directory. */
  readonly code: string;
  readonly target: string;
  /** Returns true if the effect happened; needed if neither a value nor the file shows this. */
  readonly done?: () => boolean | Promise<boolean>;
  /** A form that is true if the effect happened. */
  readonly value?: string;
}

const ROWS: Row[] = [
  {
    operator: 'OPEN',
    kind: 'write',
    code: '(with-open-file (s "@/new" :direction :output) (write-string "x" s))',
    target: '@/new',
    done: holds('new', 'x'),
  },
  {
    operator: 'OPEN',
    kind: 'write',
    code: '(with-open-file (s "@/file" :direction :io :if-exists :append) (write-string "x" s))',
    target: '@/file',
    done: holds('file', 'oldx'),
  },
  {
    operator: 'OPEN',
    kind: 'write',
    code: '(close (open "@/new" :direction :input :if-does-not-exist :create))',
    target: '@/new',
    done: exists('new'),
  },
  { operator: 'DELETE-FILE', kind: 'delete', code: '(delete-file "@/file")', target: '@/file', done: gone('file') },
  {
    operator: 'RENAME-FILE',
    kind: 'rename',
    code: '(rename-file "@/file" "other")',
    target: '@/file -> @/other',
    done: exists('other'),
  },
  {
    operator: 'ENSURE-DIRECTORIES-EXIST',
    kind: 'create-folder',
    code: '(ensure-directories-exist "@/a/b/file")',
    target: '@/a/b',
    done: exists('a/b'),
  },
  {
    operator: 'DELETE-DIRECTORY',
    kind: 'delete',
    code: '(sb-ext:delete-directory "@/sub/")',
    target: '@/sub',
    done: gone('sub'),
  },
  {
    operator: 'RUN-PROGRAM',
    kind: 'run-program',
    code: `(sb-ext:run-program "/bin/sh" '("-c" "echo it > 'by sh'") :directory "@/")`,
    target: `/bin/sh -c 'echo it > '\\''by sh'\\'''`,
    done: exists('by sh'),
  },
  {
    operator: 'RUN-PROGRAM',
    kind: 'run-program',
    code: '(uiop:run-program "echo it > @/by-uiop" :output :string)',
    target: "/bin/sh -c 'echo it > @/by-uiop'",
    done: exists('by-uiop'),
  },
  { operator: 'KILL', kind: 'signal', code: '(sb-posix:kill 999999 0)', target: 'signal 0 to process 999999' },
  {
    operator: 'KILLPG',
    kind: 'signal',
    code: '(sb-posix:killpg 999999 0)',
    target: 'signal 0 to process group 999999',
  },
  {
    operator: 'LOAD-SHARED-OBJECT',
    kind: 'foreign',
    code: '(load-shared-object "@/none.so")',
    target: '@/none.so',
  },
  {
    operator: 'SAVE-LISP-AND-DIE',
    kind: 'save-image',
    code: '(sb-ext:save-lisp-and-die "@/core")',
    target: '@/core',
  },
  {
    operator: 'OPEN',
    kind: 'write',
    code: '(sb-posix:close (sb-posix:open "@/new" (logior sb-posix:o-creat sb-posix:o-wronly) #o600))',
    target: '@/new',
    done: exists('new'),
  },
  {
    operator: 'CREAT',
    kind: 'write',
    code: '(sb-posix:close (sb-posix:creat "@/new" #o600))',
    target: '@/new',
    done: exists('new'),
  },
  {
    operator: 'MKFIFO',
    kind: 'write',
    code: '(sb-posix:mkfifo "@/new" #o600)',
    target: '@/new',
    done: exists('new'),
  },
  {
    operator: 'MKSTEMP',
    kind: 'write',
    code: '(sb-posix:close (sb-posix:mkstemp "@/new-XXXXXX"))',
    target: '@/new-XXXXXX',
  },
  {
    operator: 'TRUNCATE',
    kind: 'write',
    code: '(sb-posix:truncate "@/file" 1)',
    target: '@/file',
    done: holds('file', 'o'),
  },
  {
    operator: 'UNLINK',
    kind: 'delete',
    code: '(sb-posix:unlink "@/file")',
    target: '@/file',
    done: gone('file'),
  },
  { operator: 'RMDIR', kind: 'delete', code: '(sb-posix:rmdir "@/sub")', target: '@/sub', done: gone('sub') },
  {
    operator: 'RENAME',
    kind: 'rename',
    code: '(sb-posix:rename "@/file" "@/other")',
    target: '@/file -> @/other',
    done: exists('other'),
  },
  {
    operator: 'LINK',
    kind: 'link',
    code: '(sb-posix:link "@/file" "@/other")',
    target: '@/file -> @/other',
    done: exists('other'),
  },
  {
    operator: 'SYMLINK',
    kind: 'link',
    code: '(sb-posix:symlink "file" "@/other")',
    target: '@/other',
    done: exists('other'),
  },
  {
    operator: 'MKDIR',
    kind: 'create-folder',
    code: '(sb-posix:mkdir "@/new" #o700)',
    target: '@/new',
    done: exists('new'),
  },
  {
    operator: 'MKDTEMP',
    kind: 'create-folder',
    code: '(sb-posix:mkdtemp "@/new-XXXXXX")',
    target: '@/new-XXXXXX',
  },
  {
    operator: 'CHMOD',
    kind: 'attributes',
    code: '(sb-posix:chmod "@/file" #o751)',
    target: '@/file',
    done: async () => ((await stat(at('file'))).mode & 0o777) === 0o751,
  },
  {
    operator: 'FCHMOD',
    kind: 'attributes',
    code: '(with-open-file (s "@/file") (sb-posix:fchmod s #o751))',
    target: '@/file',
    done: async () => ((await stat(at('file'))).mode & 0o777) === 0o751,
  },
  {
    operator: 'CHOWN',
    kind: 'attributes',
    code: '(sb-posix:chown "@/file" (sb-posix:getuid) (sb-posix:getgid))',
    target: '@/file',
  },
  {
    operator: 'LCHOWN',
    kind: 'attributes',
    code: '(sb-posix:lchown "@/file" (sb-posix:getuid) (sb-posix:getgid))',
    target: '@/file',
  },
  {
    operator: 'FCHOWN',
    kind: 'attributes',
    code: '(with-open-file (s "@/file") (sb-posix:fchown s (sb-posix:getuid) (sb-posix:getgid)))',
    target: '@/file',
  },
  {
    operator: 'UTIME',
    kind: 'attributes',
    code: '(sb-posix:utime "@/file" 0 0)',
    target: '@/file',
    done: async () => (await stat(at('file'))).mtimeMs === 0,
  },
  {
    operator: 'UTIMES',
    kind: 'attributes',
    code: '(sb-posix:utimes "@/file" 0 0)',
    target: '@/file',
    done: async () => (await stat(at('file'))).mtimeMs === 0,
  },
  {
    operator: 'CHDIR',
    kind: 'folder',
    code: '(sb-posix:chdir "@/sub")',
    target: '@/sub',
    value: '(string= (sb-posix:getcwd) "@/sub")',
  },
  {
    operator: 'CHDIR',
    kind: 'folder',
    code: '(uiop:chdir "@/sub/")',
    target: '@/sub',
    value: '(string= (sb-posix:getcwd) "@/sub")',
  },
  {
    operator: 'SETENV',
    kind: 'environment',
    code: '(sb-posix:setenv "NEW_NAME" "a b" 1)',
    target: 'NEW_NAME=a b',
    value: '(equal (sb-posix:getenv "NEW_NAME") "a b")',
  },
  {
    operator: 'SETENV',
    kind: 'environment',
    code: '(setf (uiop:getenv "NEW_NAME") "b")',
    target: 'NEW_NAME=b',
    value: '(equal (sb-posix:getenv "NEW_NAME") "b")',
  },
  {
    operator: 'PUTENV',
    kind: 'environment',
    code: '(sb-posix:putenv "NEW_NAME=c")',
    target: 'NEW_NAME=c',
    value: '(equal (sb-posix:getenv "NEW_NAME") "c")',
  },
  {
    operator: 'UNSETENV',
    kind: 'environment',
    code: '(sb-posix:unsetenv "HOME")',
    target: 'HOME',
    value: '(null (sb-posix:getenv "HOME"))',
  },
  { operator: 'FORK', kind: 'run-program', code: '(sb-posix:fork)', target: 'a copy of this image' },
];

const within = (text: string): string => text.replaceAll('@', folder);

async function wasDone(row: Row): Promise<boolean | undefined> {
  if (row.value) return (await image.value(within(row.value))) === 'T';
  return row.done?.();
}

describe('operators that reach outside', () => {
  for (const row of ROWS) {
    it(`An agent's ${row.operator} is asked for and denied: ${row.code} [G1]`, async () => {
      const asked = decideAll(image, 'deny', { reason: 'Not now' });
      const { condition } = await image.evaluate(within(row.code), AGENT);
      expect(asked.map(({ operator, kind, target }) => ({ operator, kind, target }))).toEqual([
        { operator: row.operator, kind: row.kind, target: within(row.target) },
      ]);
      expect(condition).toMatchObject({
        type: 'LISP-WORKBENCH:EFFECT-DENIED',
        message: `Denied: ${row.operator} ${within(row.target)}. Not now. Do not try another way.`,
      });
      expect((await wasDone(row)) ?? false).toBe(false);
    });

    it(`An agent's ${row.operator} is done when it may proceed: ${row.code} [G3]`, async () => {
      const asked = decideAll(image, 'proceed');
      const { condition, effects } = await image.evaluate(within(row.code), AGENT);
      expect(condition?.type).not.toBe('LISP-WORKBENCH:EFFECT-DENIED');
      expect(asked.length).toBe(1);
      expect(effects.filter(({ outcome }) => outcome !== 'recorded')).toEqual([
        { kind: row.kind, operator: row.operator, target: within(row.target), outcome: 'proceeded' },
      ]);
      expect((await wasDone(row)) ?? true).toBe(true);
    });

    it(`The person's ${row.operator} is not asked for: ${row.code} [decision 20]`, async () => {
      const asked = decideAll(image, 'deny');
      const { condition, effects } = await image.evaluate(within(row.code));
      expect(condition?.type).not.toBe('LISP-WORKBENCH:EFFECT-DENIED');
      expect([asked, effects]).toEqual([[], []]);
      expect((await wasDone(row)) ?? true).toBe(true);
    });
  }

  it('An exit is asked for, with and without unwinding, by every name [G1]', async () => {
    const asked = decideAll(image, 'deny');
    const forms = ['(exit :code 7)', '(exit :code 7 :abort t)', '(sb-ext:quit :unix-status 7)', '(uiop:quit 7)'];
    for (const code of [...forms, '(sb-sys:os-exit 7 :abort t)', '(sb-posix:exit 7)', '(sb-posix:_exit 7)']) {
      expect((await image.evaluate(code, AGENT)).condition?.type).toBe('LISP-WORKBENCH:EFFECT-DENIED');
    }
    expect(asked.map(({ kind, target }) => `${kind} ${target}`)).toEqual(Array(7).fill('exit with code 7'));
    expect(await image.value('(+ 1 1)')).toBe('2');
  });

  it('A process is sent a signal only when it may be [G1]', async () => {
    await image.value(`(defvar *sleeper* (sb-ext:run-program "/bin/sleep" '("1000") :wait nil))`);
    const pid = await image.value('(sb-ext:process-pid *sleeper*)');
    const reply = image.evaluate('(sb-ext:process-kill *sleeper* 9)', AGENT);
    const { effect } = await image.next('effect-requested');
    expect(effect).toMatchObject({
      kind: 'signal',
      operator: 'PROCESS-KILL',
      target: `signal 9 to process ${pid}`,
    });
    expect(await image.value('(sb-ext:process-status *sleeper*)')).toBe(':RUNNING');
    await decide(image, effect, 'proceed');
    expect((await reply).status).toBe('ok');
    expect(await image.value('(sb-ext:process-status (sb-ext:process-wait *sleeper*))')).toBe(':SIGNALED');
  });

  it('An exit ends the image when it may proceed, asked for once [G3]', async () => {
    const asked = decideAll(image, 'proceed');
    await image.evaluate('(exit :code 7)', AGENT).catch(() => {});
    expect((await image.image.ended).code).toBe(7);
    expect(asked.length).toBe(1);
  });

  it('A folder that may be deleted is deleted with what is in it, asked for once [G3]', async () => {
    const asked = decideAll(image, 'proceed');
    await mkdir(at('sub/deep'));
    await writeFile(at('sub/deep/file'), '');
    await symlink(at('file'), at('sub/link'));
    await image.value(`(sb-ext:delete-directory "${at('sub')}/" :recursive t)`, AGENT);
    expect([asked.length, existsSync(at('sub')), existsSync(at('file'))]).toEqual([1, false, true]);
  });
});
