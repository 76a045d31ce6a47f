/** Handles the calls about the HyperSpec. Its pages open in the system's browser, because the window shows no other pages. */
import type { hyperspecCalls } from '#contract/hyperspec/calls.ts';
import { messageOf } from '#core/base/error.ts';
import { addressOf } from '#core/hyperspec/address.ts';
import { placeOf } from '#core/hyperspec/location.ts';
import type { DesktopParts } from '../desktop-parts.ts';
import type { Handlers } from './ipc.ts';
import { openOutside } from '../window/outside.ts';

export function hyperspecHandlers({
  workbench,
  files,
}: Pick<DesktopParts, 'workbench' | 'files'>): Handlers<typeof hyperspecCalls> {
  return {
    'hyperspec.open': async (topic) => {
      const address = await addressOf(topic, workbench.settings.value.hyperspec);
      await openOutside(address);
      return { address };
    },
    'hyperspec.check': async ({ place }) => {
      try {
        return { place: (await placeOf(place)).root, problem: null };
      } catch (error) {
        return { place: null, problem: messageOf(error) };
      }
    },
    'hyperspec.chooseFolder': async () => ({ folder: await files.chooseFolder() }),
  };
}
