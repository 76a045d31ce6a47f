import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { canBeTyped } from '../terminal/terminal-word.ts';
import { arrangeServe, CLI, folder, run, type Run } from './serve.fixture.ts';

arrangeServe();

/** The program `script` gives a command its own terminal. */
describe.skipIf(process.platform !== 'linux')('serve --approve terminal', () => {
  /** True if a yes must include a word from the prompt. This is the case where code could type at the terminal because it runs as root. */
  const BY_WORD = canBeTyped();
  const PROMPT = /Approve( the edited text)?\? .*: $/;

  interface AtTerminal extends Run {
    readonly call: (name: string, args: Record<string, unknown>) => Promise<string>;
    readonly write: (name: string) => Promise<string>;
  }

  async function atTerminal(editor = 'false'): Promise<AtTerminal> {
    const command = `"${process.execPath}" "${CLI}" serve --port 0 --approve terminal --project "${folder}"`;
    const terminal = run('script', ['-qefc', command, '/dev/null'], { EDITOR: editor, VISUAL: '', SHELL: '/bin/sh' });
    const { lisply, token } = await terminal.ready();
    const call = async (tool: string, args: Record<string, unknown>): Promise<string> => {
      const response = await fetch(new URL('/mcp', lisply), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': tool,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: tool,
            arguments: args,
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
      const message = /^data: (\{.*)$/m.exec(await response.text())![1]!;
      const { result } = JSON.parse(message) as { result: { content: { text: string }[] } };
      return result.content[0]!.text;
    };
    return { ...terminal, call, write: (name) => call('write-file', { path: name, content: '(a)\n' }) };
  }

  async function told({ out }: Run, what: RegExp): Promise<void> {
    await expect.poll(out, { timeout: 60_000 }).toMatch(what);
  }

  async function answer({ out, say }: Run, text: string, prompt = PROMPT): Promise<void> {
    await expect.poll(out, { timeout: 60_000 }).toMatch(prompt);
    await new Promise((resolve) => setTimeout(resolve, INERT_MS + 100));
    // If the test runs as root, the answer yes must include the word from the prompt.
    const word = /y\(es\)( \w+)?,[^\n]*: $/.exec(out())?.[1] ?? '';
    say(text.replace(/^[yehp](?=[ \n])/, (way) => `${way}${word}`));
  }

  it('The terminal approves with y and denies with n and a reason, but not what was typed too soon [X10, X11]', async () => {
    const terminal = await atTerminal();
    const first = terminal.write('yes.lisp');
    await expect.poll(terminal.out).toMatch(PROMPT);
    terminal.say('n typed before it could be read\n');
    await told(terminal, /Your answer came before you could read the question\. Answer again\./);
    await answer(terminal, 'y\n');
    expect(await first).toBe('Wrote 4 bytes to yes.lisp.');
    const second = terminal.write('no.lisp');
    await answer(terminal, 'n not today\n');
    expect(await second).toBe('User denied tool execution: not today');
  });

  it('The terminal edits with e in an editor that has arguments, and serves others meanwhile [X12]', async () => {
    const editor = path.join(folder, 'editor.sh');
    const served = path.join(folder, 'served');
    const script = `#!/bin/sh\nuntil [ -e "${served}" ]; do sleep 0.1; done\necho "(edited)" > "$2"\n`;
    writeFileSync(editor, script, { mode: 0o755 });
    const terminal = await atTerminal(`${editor} --wait`);
    const { lisply, token } = await terminal.ready();
    const reply = terminal.write('edited.lisp');
    await answer(terminal, 'e\n');
    const ping = await fetch(`${lisply}/ping-lisp`, { headers: { authorization: `Bearer ${token}` } });
    expect(await ping.text()).toBe('pong');
    writeFileSync(served, ''); // the editor cannot exit before this
    if (BY_WORD) await answer(terminal, 'y\n', / the edited text\? y\(es\) \w+, n\(o\): $/);
    expect(await reply).toContain('The person edited this before approving it.');
    expect(readFileSync(path.join(folder, 'edited.lisp'), 'utf8')).toBe('(edited)\n');
  });

  it('The terminal takes the hunks whose numbers are typed [D13]', async () => {
    const forms = ['a', 'b', 'c'].map((name) => `(defun ${name} ()\n  1)\n`);
    const original = forms.join('\n');
    writeFileSync(path.join(folder, 'three.lisp'), original);
    const terminal = await atTerminal();
    const reply = terminal.call('propose-file-edit', {
      path: 'three.lisp',
      original,
      modified: original.replaceAll('1)', '2)'),
      description: 'All of them.',
    });
    await answer(terminal, 'h 1,3\n');
    expect(await reply).toContain('the person accepted 2 of 3 hunks');
    expect(readFileSync(path.join(folder, 'three.lisp'), 'utf8')).toBe(
      [forms[0]!.replace('1)', '2)'), forms[1], forms[2]!.replace('1)', '2)')].join('\n'),
    );
  });

  it('The terminal lets an effect go on, redirects, denies and aborts it [G3]', async () => {
    const terminal = await atTerminal();
    expect(await terminal.call('evaluate-lisp', { code: '(+ 1 1)' })).toContain('=> 2'); // the target builds its core before the evaluation
    const write = (name: string): string =>
      `(with-open-file (s "${path.join(folder, name)}" :direction :output) (write-string "x" s) :done)`;
    const evaluate = (name: string): Promise<string> => terminal.call('evaluate-lisp', { code: write(name) });
    const first = evaluate('asked.txt');
    await answer(terminal, 'p other.txt\n');
    expect(await first).toContain('=> :DONE');
    expect(readFileSync(path.join(folder, 'other.txt'), 'utf8')).toBe('x');
    const second = evaluate('asked.txt');
    await answer(terminal, 'n not there\n');
    expect(await second).toMatch(/EFFECT-DENIED[^]*not there/);
    const third = evaluate('asked.txt');
    await answer(terminal, 'a enough\n');
    expect(await third).toMatch(/^\[ERROR\]/);
    const fourth = evaluate('asked.txt');
    await answer(terminal, 'y\n');
    expect(await fourth).toContain('=> :DONE');
    expect(readFileSync(path.join(folder, 'asked.txt'), 'utf8')).toBe('x');
  }, 120_000);

  it('The terminal cannot be answered by the code that waits for it, though that types at the terminal past the guard', async () => {
    const terminal = await atTerminal();
    const target = path.join(folder, 'typed.txt');
    const alien = (name: string, types: string, args: string): string =>
      `(sb-alien:alien-funcall (sb-alien:extern-alien "${name}" (function sb-alien:int ${types})) ${args})`;
    const code = `(progn
      (require :sb-posix)
      (let* ((name (sb-posix:readlink (format nil "/proc/~D/fd/0" (sb-posix:getppid))))
             (fd ${alien('open', 'sb-alien:c-string sb-alien:int', 'name 2')})
             (octet (sb-alien:make-alien (sb-alien:unsigned 8) 1)))
        (sb-thread:make-thread
          (lambda ()
            (loop repeat 6 do
              (sleep 1)
              (loop for each across (format nil "y~%") do
                (setf (sb-alien:deref octet 0) (char-code each))
                ${alien('ioctl', 'sb-alien:int sb-alien:unsigned-long (* (sb-alien:unsigned 8))', 'fd #x5412 octet')}))))
        (with-open-file (s "${target}" :direction :output) (write-string "x" s) (list name fd :written))))`;
    const reply = terminal.call('evaluate-lisp', { code });
    // If the kernel prevents code from typing at the terminal, the test must type the answer.
    await (BY_WORD
      ? told(terminal, /Nothing ran\. After the answer, also type the word/)
      : answer(terminal, 'n without the word that the prompt showed\n'));
    expect(await reply).toMatch(/EFFECT-DENIED[^]*without the word that the prompt showed/);
    expect(() => readFileSync(target)).toThrow(/ENOENT/);
  }, 120_000);

  it('A terminal that is held by Ctrl+S keeps no other call waiting, and asks once it reads again [X10, decision 18]', async () => {
    const terminal = await atTerminal();
    expect(await terminal.call('evaluate-lisp', { code: '(+ 1 1)' })).toContain('=> 2');
    terminal.say('\u0013');
    const asked = new Promise<string>((resolve) => void terminal.write('held.lisp').then(resolve));
    const audit = path.join(folder, 'home', 'state', 'audit');
    const kept = (): string =>
      readdirSync(audit)
        .map((name) => readFileSync(path.join(audit, name), 'utf8'))
        .join('');
    await expect.poll(kept).toContain('held.lisp');
    for (const n of [2, 3])
      expect(await terminal.call('evaluate-lisp', { code: `(+ 1 ${n})` })).toContain(`=> ${n + 1}`);
    expect(terminal.out()).not.toMatch(PROMPT);
    terminal.say('\u0011');
    await answer(terminal, 'y\n');
    expect(await asked).toBe('Wrote 4 bytes to held.lisp.');
  }, 120_000);

  it('The terminal says that an editor failed, and asks again', async () => {
    const terminal = await atTerminal('no-such-editor');
    const reply = terminal.write('x.lisp');
    await answer(terminal, 'e\n');
    await expect.poll(terminal.out).toContain('The editor failed');
    await answer(terminal, 'n\n');
    expect(await reply).toBe('User denied tool execution: No reason was given.');
  });

  it('Without a terminal what would ask is denied at once, and nobody is told to wait [decision 18]', async () => {
    // A process that leads a new session has no controlling terminal.
    const args = [process.execPath, CLI, 'serve', '--port', '0', '--approve', 'terminal', '--project', folder];
    const alone = run('setsid', args);
    const { lisply, token } = await alone.ready();
    const body = JSON.stringify({ code: `(open "${path.join(folder, 'denied.txt')}" :direction :output)` });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(`${lisply}/lisp-eval`, { method: 'POST', headers, body });
    expect(await reply.text()).toMatch(
      /EFFECT-DENIED[^]*Approval is not possible here: no window is open\. The person who starts the server can allow it with --approve terminal .*--approve client .*--approve project/,
    );
    expect(alone.err()).toContain('There is no terminal to approve on');
    expect(alone.err()).not.toContain('needs the person’s approval');
  }, 120_000);

  it('The terminal denies when it ends [decision 18]', async () => {
    const terminal = await atTerminal();
    const reply = terminal.write('x.lisp');
    await answer(terminal, '\u0004');
    expect(await reply).toBe('Not approved: The terminal was closed.');
    expect(await terminal.write('y.lisp')).toMatch(/Approval is not possible here/);
  });
});
