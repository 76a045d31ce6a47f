import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { Session } from '../session.ts';
import type { SessionEvents } from '../image-events.ts';
import { DefinitionList } from './definition-list.ts';

it('A list of definitions whose image is gone asks once, and does not keep the program from ending', async () => {
  const events = new Emitter<SessionEvents>();
  let asked = 0;
  const lookUp = (): Promise<never> => {
    asked += 1;
    if (asked > 100) return new Promise(() => {}); // prevents an endless loop in the test
    return Promise.reject(new WorkbenchError('no-image', 'The program ends.'));
  };
  const list = new DefinitionList({ events, lookUp } as unknown as Session);
  const stop = list.watch(() => {});
  events.emit('definitions-changed', { evaluation: null, actor: null, packages: ['SHOP'], removedPackages: [] });
  await setImmediate();
  expect(asked).toBe(1);
  stop();
});

it('Definitions are listed though the image took too long to answer the first time, as a busy machine makes it [B10]', async () => {
  const events = new Emitter<SessionEvents>();
  const shop = { package: 'SHOP', definitions: [], more: 0 };
  let asked = 0;
  const lookUp = (): Promise<unknown> => {
    asked += 1;
    return asked === 1
      ? Promise.reject(new WorkbenchError('wire', 'It took longer than five seconds.'))
      : Promise.resolve({ packages: [shop] });
  };
  const list = new DefinitionList({ events, lookUp } as unknown as Session);
  const listed = new Promise((resolve) => {
    list.watch(({ packages }) => resolve(packages));
  });
  events.emit('definitions-changed', { evaluation: null, actor: null, packages: ['SHOP'], removedPackages: [] });
  expect(await listed).toEqual([shop]);
  expect(asked).toBe(2);
});
