/** Handlers for the page's calls about agents that the workbench runs. */
import type { hostedAgentCalls } from '#contract/clients/hosted-agent.ts';
import type { DesktopAgents } from '../desktop-agents.ts';
import type { Handlers } from './ipc.ts';

export function agentHandlers(agents: DesktopAgents): Handlers<typeof hostedAgentCalls> {
  return {
    'hosted.look': async () => {
      const { programs } = await agents.host();
      return { programs: await programs.look(), list: programs.source };
    },
    'hosted.refreshList': async () => ({ list: await (await agents.host()).programs.refresh() }),
    'hosted.remove': async ({ program, state }) => {
      await (await agents.host()).programs.remove(program, state);
      return {};
    },
    'hosted.install': async ({ program }) => {
      (await agents.host()).programs.install(program);
      return {};
    },
    'hosted.cancelInstall': async ({ program }) => {
      await (await agents.host()).programs.cancelInstall(program);
      return {};
    },
    'hosted.start': async ({ program, standing, conversation }) => ({
      id: await (await agents.host()).start(program, standing, conversation),
    }),
    'hosted.place': async ({ id }) => ({ context: [...(await (await agents.host()).place(id))] }),
    'hosted.prompt': async ({ id, text, context }) => {
      (await agents.host()).prompt(id, text, context);
      return {};
    },
    'hosted.unqueue': async ({ id }) => {
      const { text, context } = (await agents.host()).unqueue(id) ?? { text: '', context: [] };
      return { text, context: [...context] };
    },
    'hosted.stop': async ({ id }) => {
      (await agents.host()).stop(id);
      return {};
    },
    'hosted.end': async ({ id }) => {
      await (await agents.host()).end(id);
      return {};
    },
    'hosted.close': async ({ id }) => {
      await (await agents.host()).close(id);
      return {};
    },
    'hosted.choose': async ({ id, picker, value }) => {
      await (await agents.host()).choose(id, picker, value);
      return {};
    },
    'hosted.login': async ({ id, method }) => {
      await (await agents.host()).login(id, method);
      return {};
    },
    'hosted.answerPage': async ({ id, page, isOpened }) => {
      (await agents.host()).answerPage(id, page, isOpened);
      return {};
    },
    'hosted.openLogin': async ({ id, method, columns, rows }) => {
      const host = await agents.host();
      await host.openLogin(id, method, { columns, rows });
      return {};
    },
    'hosted.typeLogin': async ({ id, text }) => {
      (await agents.host()).typeLogin(id, text);
      return {};
    },
    'hosted.resizeLogin': async ({ id, columns, rows }) => {
      (await agents.host()).resizeLogin(id, { columns, rows });
      return {};
    },
    'hosted.closeLogin': async ({ id }) => {
      await (await agents.host()).closeLogin(id);
      return {};
    },
    'hosted.items': async ({ id, before, most }) => ({ items: await (await agents.host()).items(id, before, most) }),
    'hosted.log': async ({ id }) => ({ text: (await agents.host()).log(id) }),
    'hosted.conversations': async () => ({ conversations: await (await agents.host()).conversations() }),
    'hosted.forget': async ({ id }) => {
      await (await agents.host()).forget(id);
      return {};
    },
  };
}
