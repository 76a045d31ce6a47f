/** Handles the calls about saved images, for the image that has checkpoints. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { savedImageCalls } from '#contract/image/saved-images.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { DesktopParts } from '../desktop-parts.ts';
import type { Handlers } from './ipc.ts';

export function savedImageHandlers({ workbench, files }: DesktopParts): Handlers<typeof savedImageCalls> {
  const { session } = workbench;
  return {
    'savedImages.list': async () => ({ images: await session.worlds() }),
    'savedImages.hooks': async () => ({
      hooks: (await session.agentsHooks()).hooks.map(({ actor, ...hook }) => ({
        ...hook,
        by: workbench.clients.actor(actor).name,
      })),
    }),
    'savedImages.save': async ({ name }) => {
      await session.saveWorld(name);
      return {};
    },
    'savedImages.open': async ({ name }) => {
      await session.openWorld(name);
      return {};
    },
    'savedImages.remove': async ({ name }) => {
      await session.removeWorld(name);
      return {};
    },
    'savedImages.chooseFile': async ({ file }) => ({ file: await files.chooseTarget('Save as executable', file) }),
    'savedImages.saveExecutable': async ({ replace, ...wanted }) => {
      const { file } = wanted;
      if (!path.isAbsolute(file)) throw new WorkbenchError('invalid', 'Enter the absolute path of the file.');
      if (!replace && existsSync(file)) return { file, bytes: null };
      await session.saveExecutable(wanted);
      return { file, bytes: (await stat(file)).size };
    },
  };
}
