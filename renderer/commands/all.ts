/** Fills the command table. */
import { definitionCommands } from './definition-commands.ts';
import { editorCommands } from './editor-commands.ts';
import { imageCommands } from './image-commands.ts';
import { registerCommands } from './registry.ts';
import { viewCommands } from './view-commands.ts';

export function registerAll(): void {
  registerCommands([...editorCommands, ...imageCommands, ...definitionCommands, ...viewCommands]);
}
