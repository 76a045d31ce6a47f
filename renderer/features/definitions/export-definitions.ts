/** Exports evaluated definitions to a Lisp file. */
import { call } from '../../base/bridge.ts';
import { workOnFile } from '../../editor/files/work-on-file.ts';
import { notify } from '../../base/notices/notices.tsx';
import { shownPackage } from '../../sexp/packages.ts';
import { exportedWords } from './export-words.ts';

/** Exports the definitions of one package, or of all if `inPackage` is null. */
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
  // The dialog has already asked whether to replace an existing file.
  await call('file.save', { path, text, digest: null, overwrite: true });
  notify(exportedWords(forms, missing, path), 'info', { title: 'Open', run: () => workOnFile(path) });
}
