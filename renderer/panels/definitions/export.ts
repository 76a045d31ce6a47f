/** What was evaluated in the image, saved as a Lisp file. */
import { call } from '../../bridge.ts';
import { openFile } from '../../editor/files.ts';
import { notify } from '../../layout/notices.tsx';
import { shownPackage } from '../../sexp/packages.ts';
import { exportedWords } from './export-words.ts';

/** Of one package, or of all with null. */
export async function exportDefinitions(inPackage: string | null): Promise<void> {
  const { text, forms, missing } = await call('definitions.export', { package: inPackage });
  if (forms === 0) {
    notify(exportedWords(0, missing, null));
    return;
  }
  const name =
    inPackage === null
      ? 'definitions'
      : shownPackage(inPackage)
          .toLowerCase()
          .replaceAll(/[^\w.-]/g, '-');
  const { path } = await call('file.choosePlace', { name: `${name}.lisp` });
  if (path === null) return;
  // The dialog has asked already whether a file that is there is to be replaced.
  await call('file.save', { path, text, digest: null, overwrite: true });
  notify(exportedWords(forms, missing, path), 'info', { title: 'Open', run: () => openFile(path) });
}
