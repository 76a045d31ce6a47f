/** The actions on a difference of the image from a build. */
import type { BuildDifference } from '#contract/image/builds.ts';
import { hasFolder } from '../../../base/text/paths.ts';
import { showPage } from '../../../base/layout/layout-store.ts';
import { textDrawn } from '../../../editor/monaco/drawn.ts';
import { openFile } from '../../../editor/files/files.ts';
import { runCommand } from '../../../base/keys/command-registry.ts';
import { openDefinition } from '../../definitions/open-definition.ts';

/** Opens the text of a definition: that of the image where it is known, else the file's. */
export function openDifference({ definition, file }: BuildDifference): Promise<void> {
  const isKnown = definition.source !== null && hasFolder(definition.source.file);
  if (isKnown || file === null) return openDefinition(definition);
  return openDefinition({ ...definition, source: { file, offset: null, line: null } });
}

/** Compiles and loads a file in the shared image, which shows it. */
export async function loadFileOf(file: string): Promise<void> {
  showPage('editor');
  await openFile(file);
  await textDrawn();
  runCommand('evaluate.compileFile');
}
