/**
 * The window while an image does not answer. It shows the image's state, an alert with an action, and panels with the last known content.
 */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import recorded from '../../features/answers.fixture.json';
import { region } from '../../text.fixture.ts';
import { openWholeWindow, press, snapshotWith } from '../../window.fixture.tsx';

/** The recorded threads of a real image. */
const THREADS: never = recorded['threads.list'] as never;

it('An image whose process is stopped says so, and goes on when it is continued [issue 11.3, issue 36.4]', async () => {
  const snapshot = snapshotWith();
  const core = await openWholeWindow(snapshot, {
    'threads.list': () => THREADS,
    'alerts.act': () => ({}),
  });
  const state = page.getByRole('button', { name: /^Image/ });
  const alerts = page.getByRole('alert', { name: 'Alerts' });
  await expect.element(state).toMatchTextContent('idle');
  await page.getByRole('tab', { name: 'Threads' }).click();
  const threads = region('Threads');
  await expect.element(threads.getByRole('treeitem', { name: /of Lisp Workbench and SBCL/ })).toBeVisible();

  core.tell('session-changed', { ...snapshot.session, silence: { since: Date.now(), stopped: true } });
  // The core's message about an image that was stopped by a signal.
  const text =
    'The image shared does not answer: a signal has stopped its process. Send it SIGCONT to continue, or restart it; a restart loses everything that is only in the image.';
  core.tell('alerts-changed', [{ id: 'silent shared', text, actions: [{ id: 'restart', title: 'Restart' }] }]);
  await expect.element(state).toMatchTextContent('stopped, is not answering');
  await expect.element(alerts).toMatchTextContent('Send it SIGCONT to continue');
  await expect
    .element(threads.getByRole('status'))
    .toMatchTextContent('Its process was stopped by a signal. The data shown is from');
  await alerts.getByRole('button', { name: 'Restart' }).click();
  expect(core.calls.filter(({ name }) => name === 'alerts.act')).toMatchObject([
    { input: { id: 'silent shared', action: 'restart' } },
  ]);
  await state.click();
  await expect.element(page.getByRole('menuitem', { name: /Restart/ })).toBeVisible();
  await press('Escape');

  core.tell('session-changed', snapshot.session);
  core.tell('alerts-changed', []);
  await expect.element(threads.getByRole('status')).not.toBeInTheDocument();
  await expect.element(state).toMatchTextContent('idle');
  await expect.element(alerts).not.toBeInTheDocument();
});
