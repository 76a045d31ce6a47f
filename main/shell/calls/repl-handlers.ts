/** Handlers for the page's calls about REPLs and about images other than the shared one. */
import type { replCalls } from '#contract/image/repl.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

export function replHandlers(workbench: Workbench): Handlers<typeof replCalls> {
  const { repls, sessions } = workbench;
  return {
    'repl.evaluate': (request) => workbench.evaluateAsPerson(request),
    'repl.input': async ({ evaluation, text }) => {
      await sessions.running(evaluation).answerInput(evaluation, text);
      return {};
    },
    'repl.open': ({ image }) => repls.open(image),
    'repl.rename': ({ repl, name }) => {
      repls.rename(repl, name);
      return {};
    },
    'repl.close': ({ repl }) => {
      repls.close(repl);
      return {};
    },
    'repl.enterPackage': async ({ repl, package: inPackage }) => {
      await repls.enterPackage(repl, inPackage);
      return {};
    },
    'repl.resetReader': ({ repl }) => {
      const { session, context } = repls.place(repl);
      return session.lookUp('reset-reader', { context });
    },
    'image.open': ({ name, target }) => repls.openImage(name, target),
    'image.rename': ({ image, name }) => {
      repls.renameImage(image, name);
      return {};
    },
    'image.restart': async ({ image }) => {
      await sessions.find(image).restart();
      return {};
    },
    'image.end': async ({ image }) => {
      await repls.endImage(image);
      return {};
    },
    'image.replay': ({ image }) => sessions.find(image).replay(),
    'image.askPerson': async ({ image, asks }) => {
      await sessions.find(image).changes.choose(asks);
      return {};
    },
    'image.changes': ({ image }) => sessions.find(image).changes.list(),
    'image.acceptChanges': async ({ image, upTo }) => {
      const { changes } = sessions.find(image);
      await changes.accept(upTo);
      return changes.list();
    },
    'image.dismissLost': ({ image }) => {
      sessions.find(image).dismissLost();
      return {};
    },
  };
}
