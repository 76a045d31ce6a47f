/** Installs the language features of the editor. */
import { installCompletion } from './completion.ts';
import { installDefinition } from './definition.ts';
import { installHover } from './hover.ts';
import { installOpener } from './locations.ts';
import { installFolding, installOutline } from './outline.ts';
import { installReferences } from './references.ts';
import { installRename } from './rename.ts';
import { installSemanticColours } from './semantic.ts';
import { installSignatureHelp } from './signature.ts';
import { installFormSelection } from '../typing/structure.ts';

let isInstalled = false;

/** Installs the providers once, because they belong to the language and not to one editor. */
export function installProviders(): void {
  if (isInstalled) return;
  isInstalled = true;
  for (const install of [
    installCompletion,
    installSignatureHelp,
    installHover,
    installDefinition,
    installReferences,
    installOpener,
    installOutline,
    installFolding,
    installRename,
    installSemanticColours,
    installFormSelection,
  ])
    install();
}
