/** Commands that find things in the image with the Browser. */
import { FileText, Ghost, Network, Package, Search, Telescope, Workflow } from 'lucide-react';
import { layout } from '../../base/layout/layout-store.ts';
import { mirror } from '../../base/mirror.ts';
import { askedName, askedNameNear } from '../documentation/asked-name.ts';
import { showTextOf } from '../documentation/text-of-name.ts';
import { showApropos, showBrowser, showClass, showGenericFunction, showPackage } from './browsing.ts';
import { compareWithBuild } from './compared-build.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { packageOf, shownRepl } from '../../base/image/active-repl.ts';
import { bareName } from '../../sexp/symbols.ts';

/** Returns the name at the caret without its package, as the initial search text. */
function nameToBegin(): string {
  const name = askedName();
  return name ? bareName(name.symbol).toLowerCase() : '';
}

export const browserCommands: Command[] = [
  {
    id: 'view.browser',
    title: 'Browser: Focus',
    keys: 'Ctrl+2',
    icon: Telescope,
    run: () => showBrowser(layout.getState().browser),
  },
  {
    id: 'browse.class',
    title: 'Browse Class',
    keys: 'Ctrl+F12',
    icon: Network,
    detail: () => askedNameNear()?.symbol,
    run: () => {
      const name = askedName() ?? askedNameNear();
      return name ? showClass(name) : showBrowser('classes');
    },
  },
  {
    id: 'browse.genericFunction',
    title: 'Browse Generic Function',
    icon: Workflow,
    detail: () => askedNameNear()?.symbol,
    run: () => {
      const name = askedName() ?? askedNameNear();
      return name ? showGenericFunction(name) : showBrowser('functions');
    },
  },
  {
    id: 'browse.package',
    title: 'Browse Package',
    icon: Package,
    detail: () => askedNameNear()?.package ?? packageOf(shownRepl()),
    run: () => showPackage(askedNameNear()?.package ?? packageOf(shownRepl())),
  },
  ...(
    [
      ['disassemble.name', 'Disassemble Function Beside', 'Ctrl+Alt+D', 'disassembly'],
      ['describe.name', 'Describe Beside', undefined, 'description'],
    ] as const
  ).map(([id, title, keys, kind]): Command => ({
    id,
    title,
    ...(keys === undefined ? {} : { keys }),
    icon: FileText,
    detail: () => askedNameNear()?.symbol,
    when: () => askedNameNear() !== null || 'with a name at the caret',
    run: () => showTextOf(askedNameNear()!, kind),
  })),
  {
    id: 'build.compare',
    title: 'Compare Image with a Clean Build (Ghost Report)',
    icon: Ghost,
    when: () => mirror.getState().session.pid !== null || 'with an image',
    run: () => compareWithBuild(),
  },
  {
    id: 'apropos.show',
    title: 'Apropos: Exported Symbols…',
    icon: Search,
    detail: nameToBegin,
    run: () => showApropos({ pattern: nameToBegin(), externalOnly: true }),
  },
  {
    id: 'apropos.all',
    title: 'Apropos: All Symbols…',
    keys: 'Ctrl+Shift+A',
    icon: Search,
    detail: nameToBegin,
    run: () => showApropos({ pattern: nameToBegin() }),
  },
  {
    id: 'apropos.package',
    title: 'Apropos: Symbols of a Package…',
    icon: Search,
    detail: () => askedNameNear()?.package ?? packageOf(shownRepl()),
    run: () => showApropos({ inPackage: askedNameNear()?.package ?? packageOf(shownRepl()) }),
  },
];
