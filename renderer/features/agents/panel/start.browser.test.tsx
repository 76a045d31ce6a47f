/**
 * The page that starts an agent, and its logins: the steps before a start, a login in a terminal of the panel, and a login on a web page.
 */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { LoginTerminal } from '#contract/clients/hosted-agent.ts';
import { answer, faults, press, type } from '../../../window.fixture.tsx';
import { ask, clickStart, field, log, openAgents, panel, question, readyAgent, ready, said } from './agent.fixture.ts';

const WORD = { id: 'word', title: 'Say the word', detail: '', terminal: false };
const AT_TERMINAL = { ...WORD, terminal: true };
const login = panel.getByRole('group', { name: 'Login' });
const logIn = login.getByRole('button', { name: 'Log in: Say the word' });
const terminal = login.getByRole('group', { name: 'Terminal: Say the word' });

it('A folder that is not trusted and an agent that wants a login each say what to do, with the action beside it [issue 14.3]', async () => {
  const project = { path: '/home/ada/shop', name: 'shop', trusted: false };
  const core = await openAgents([], { snapshot: { project }, started: { state: 'login', logins: [WORD] } });
  answer({
    'project.trust': () => {
      core.tell('project-changed', { ...project, trusted: true });
      return { ...project, trusted: true };
    },
    'hosted.login': () => {
      core.change({ state: 'idle' });
      return {};
    },
  });
  const start = panel.getByRole('button', { name: 'Start Claude Code' });
  await expect.element(panel).toMatchTextContent('is not trusted. Agents cannot start in it');
  await expect.element(start).toBeDisabled();
  await panel.getByRole('button', { name: 'Trust this folder' }).click();
  await expect.element(start).toBeEnabled();
  await clickStart('Unconfined');
  expect(core.inputs('hosted.start')).toEqual([{ program: 'claude-code', standing: 'unconfined', conversation: null }]);
  await expect.element(login).toMatchTextContent('Claude Code requires you to log in.');
  expect(await faults()).toEqual([]);
  await logIn.click();
  await expect.element(ready).toBeVisible();
  expect(core.inputs('hosted.login')).toEqual([{ id: core.hosted()[0]!.id, method: 'word' }]);
  await ask('Are you in?');
  expect(core.inputs('hosted.prompt')).toMatchObject([{ text: 'Are you in?' }]);
  core.item(said(1, 'I am in.'));
  await expect.element(log).toMatchTextContent('I am in.');
});

/** Opens a login in a terminal. The returned functions send output of the login's program, and return the typed text. */
async function openLogin(first: string) {
  const agent = readyAgent({ state: 'login', logins: [AT_TERMINAL] });
  const core = await openAgents([agent]);
  let shown: LoginTerminal | null = null;
  const typed: string[] = [];
  const put = (text: string, parts: Partial<LoginTerminal> = {}): void => {
    shown = { ...shown!, text: shown!.text + text, total: shown!.total + text.length, ...parts };
    core.logins([shown]);
  };
  let runs = 0;
  answer({
    'hosted.openLogin': () => {
      runs += 1;
      shown = {
        agent: agent.id,
        title: 'Say the word',
        run: (made += 1),
        text: '',
        total: 0,
        state: 'running',
        problem: null,
      };
      put(first);
      return {};
    },
    'hosted.typeLogin': ({ text }) => {
      typed.push(text);
      return {};
    },
    'hosted.resizeLogin': () => ({}),
  });
  await logIn.click();
  return { core, put, typed: () => typed.splice(0).join(''), runs: () => runs };
}

/** The number of logins so far, which makes each login's id unique. */
let made = 0;

it('A login at a terminal runs in the panel, and the conversation continues after it [issue 33.2]', async () => {
  const { core, put, typed, runs } = await openLogin('Open https://login.example.org/device\r\nCode: ');
  await expect.element(terminal).toMatchTextContent('Code:');
  await expect.element(terminal).toMatchTextContent('https://login.example.org/device');
  await expect.element(logIn).toBeDisabled();
  await type('wrong');
  await expect.poll(typed).toBe('wrong');
  put('wrong');
  await expect.element(terminal).toMatchTextContent('Code: wrong');
  expect(await faults()).toEqual([]);
  (terminal.getByRole('textbox').element() as HTMLElement).focus();
  await press('Enter');
  await expect.poll(typed).toBe('\r');
  const problem = 'The login did not succeed: its program ended with exit code 2. Read its output above.';
  put('\r\nThis code is wrong.\r\n', { state: 'ended', problem });
  await expect.element(terminal.getByRole('alert')).toMatchTextContent('its program ended with exit code 2');
  await expect.element(terminal).toMatchTextContent('This code is wrong.');

  await logIn.click();
  expect(runs()).toBe(2);
  await expect.element(terminal).not.toMatchTextContent('This code is wrong.');
  await expect.element(terminal).toMatchTextContent('Code:');
  // Pastes a code that the person has copied from the vendor's web page.
  await navigator.clipboard.writeText('open sesame');
  await press('Control+v');
  await expect.poll(typed).toBe('open sesame');
  await press('Enter');
  await expect.poll(typed).toBe('\r');
  core.logins([]);
  core.change({ state: 'idle' });
  await expect.element(ready).toBeVisible();
  await expect.element(terminal).not.toBeInTheDocument();
  await expect.element(field).toHaveFocus();
});

it('A login at a terminal that is shown again is answered no second time what it asked the terminal [issue 33.2]', async () => {
  const { typed } = await openLogin('Where are you? \u001B[6n');
  await expect.poll(typed).toBe('\u001B[1;16R');
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await expect.element(terminal).not.toBeInTheDocument();
  await page.getByRole('tab', { name: 'Agent' }).click();
  await expect.element(terminal).toMatchTextContent('Where are you?');
  (terminal.getByRole('textbox').element() as HTMLElement).focus();
  await press('x');
  await expect.poll(typed).toBe('x');
});

it('A login that needs a page of the web asks the person to open it, and shows the code until that is done [issue 33.2]', async () => {
  const address = 'https://login.example.org/device';
  const asks = { id: 'p1', message: 'Sign in and enter this code: ABCD-1234', address, isOpened: false };
  const core = await openAgents([readyAgent({ state: 'login', logins: [WORD], page: asks })]);
  answer({
    'hosted.answerPage': ({ isOpened }) => {
      core.change({ page: { ...asks, isOpened } });
      return {};
    },
  });
  const asking = panel.getByRole('group', { name: 'Page to open' });
  await expect.element(asking).toMatchTextContent('Sign in and enter this code: ABCD-1234');
  await expect.element(asking).toMatchTextContent('asks you to open a page of login.example.org');
  expect(await faults()).toEqual([]);
  const open = asking.getByRole('button', { name: 'Open…' });
  await open.click();
  await expect.element(question).toMatchTextContent(address);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(open).toBeVisible();
  expect(core.inputs('hosted.answerPage')).toEqual([]);
  await open.click();
  await question.getByRole('button', { name: 'Open', exact: true }).click();
  await expect.element(asking).toMatchTextContent('is waiting for you on that page');
  await expect.element(asking).toMatchTextContent('ABCD-1234');
  expect(core.inputs('app.openAddress')).toEqual([{ address }]);
  expect(core.inputs('hosted.answerPage')).toMatchObject([{ page: 'p1', isOpened: true }]);
  core.change({ state: 'idle', page: null });
  await expect.element(ready).toBeVisible();
  await expect.element(asking).not.toBeInTheDocument();
});
