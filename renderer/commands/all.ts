/** Fills the command table. */
import { agentCommands } from './agent-commands.ts';
import { browserCommands } from './browser-commands.ts';
import { coverageCommands } from './coverage-commands.ts';
import { debuggerCommands } from './debugger-commands.ts';
import { definitionCommands } from './definition-commands.ts';
import { editorCommands } from './editor-commands.ts';
import { goCommands } from './go-commands.ts';
import { hyperspecCommands } from './hyperspec-commands.ts';
import { imageCommands } from './image-commands.ts';
import { inspectorCommands } from './inspector-commands.ts';
import { macroCommands } from './macro-commands.ts';
import { profileCommands } from './profile-commands.ts';
import { recordCommands } from './record-commands.ts';
import { traceCommands } from './trace-commands.ts';
import { replCommands } from './repl-commands.ts';
import { replInputCommands } from './repl-input-commands.ts';
import { registerCommands } from '../features/command-registry.ts';
import { serverCommands } from './server-commands.ts';
import { searchCommands } from './search-commands.ts';
import { splitCommands } from './split-commands.ts';
import { structureCommands } from './structure-commands.ts';
import { testCommands } from './test-commands.ts';
import { systemCommands } from './system-commands.ts';
import { textCommands } from './text-commands.ts';
import { tourCommands } from './tour-commands.ts';
import { viewCommands } from './view-commands.ts';

export function registerAll(): void {
  registerCommands([
    ...editorCommands,
    ...structureCommands,
    ...goCommands,
    ...hyperspecCommands,
    ...macroCommands,
    ...traceCommands,
    ...recordCommands,
    ...profileCommands,
    ...coverageCommands,
    ...testCommands,
    ...splitCommands,
    ...imageCommands,
    ...serverCommands,
    ...agentCommands,
    ...replCommands,
    ...replInputCommands,
    ...inspectorCommands,
    ...definitionCommands,
    ...debuggerCommands,
    ...browserCommands,
    ...systemCommands,
    ...tourCommands,
    ...viewCommands,
    ...searchCommands,
    ...textCommands,
  ]);
}
