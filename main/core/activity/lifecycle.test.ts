import { expect, test } from 'vitest';
import { openTestWorkbench } from '../workbench.fixture.ts';

test('The end of an image that nobody asked for, and the start of the next one, are told as the workbench’s own [B22]', async () => {
  const { workbench, close } = await openTestWorkbench({ checkpoints: false });
  try {
    const told: string[] = [];
    workbench.activity.events.on('added', (event) => {
      if (event.kind === 'session-changed') told.push(`${event.actor.id} ${event.change}`);
    });
    await workbench.session.start();
    const started = new Promise<void>((resolve) => {
      workbench.session.events.on('lifecycle', ({ change }) => change === 'started' && resolve());
    });
    process.kill(workbench.session.view().pid!, 'SIGKILL');
    await started;
    await workbench.session.restart();
    expect(told).toEqual([
      'workbench started',
      'workbench ended',
      'workbench started',
      'workbench started',
      'person restarted',
    ]);
  } finally {
    await close();
  }
});
