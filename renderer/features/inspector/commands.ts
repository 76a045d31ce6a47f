/** Commands that show objects of the image, and commands of the inspector. */
import { ArrowLeft, ArrowRight, Columns2, Eye, FileCode, Pin, RefreshCw, ScanSearch } from 'lucide-react';
import { formOrNameAtCaret, formOrNameIn } from './inspect-at-caret.ts';
import { goToFunction, goToName } from '../documentation/go-to-name.ts';
import { call } from '../../base/bridge.ts';
import { giveBack } from '../../base/layout/giving-back.ts';
import { mirror } from '../../base/mirror.ts';
import { focusedRegion, showRegion } from '../../base/layout/regions.ts';
import { showSide } from '../../base/layout/layout-store.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import {
  copyToRepl,
  inspectForm,
  inspectName,
  inspector,
  mainViewer,
  pin,
  pinnedViewer,
  setComparing,
  unpin,
} from './inspector.ts';
import { askExpression } from './expression.ts';
import { inspectHandle } from '../../base/image/inspect.ts';
import { showWhyAlive } from '../memory/held-store.ts';
import { notify } from '../../base/notices/notices.tsx';
import { imageOf, shownRepl } from '../../base/image/active-repl.ts';
import { inputCaret } from '../../base/image/input-caret.ts';

const withImage = (): true | string =>
  (mirror.getState().session.pid ?? imageOf(shownRepl())?.pid ?? null) === null ? 'with an image' : true;
const withObject = (): true | string => (mainViewer.step ? true : 'with an object in the inspector');
const inInspector = (): true | string => (focusedRegion() === 'Inspector' ? true : 'in the inspector');

async function inspectAtCaret(): Promise<void> {
  const input = inputCaret();
  const found = input ? formOrNameIn(input) : formOrNameAtCaret();
  if (input && !found) return inspectName('*', null, input.repl);
  if (!found) return void notify('There is no name or form here to inspect.');
  if (found.kind === 'value') return inspectHandle(found.value);
  return found.kind === 'name'
    ? inspectName(found.text, found.package, input?.repl)
    : inspectForm(found.text, found.package, input?.repl);
}

/** Goes to the definition of an object if it has one, otherwise to the definition of its class. */
async function goToDefinitionOf(handle: number): Promise<void> {
  const { expired, name, isFunction } = await call('inspector.definingName', { handle });
  if (expired) notify('This value is gone: the image restarted or ran low on memory.');
  else if (name === null) notify('The definition of this object cannot be found, because the object has no name.');
  else await (isFunction ? goToFunction(name) : goToName({ symbol: name, package: 'COMMON-LISP-USER' }));
}

export const inspectorCommands: Command[] = [
  {
    id: 'inspect.atCaret',
    title: 'Inspect Value at Caret',
    keys: 'Ctrl+I',
    icon: ScanSearch,
    when: withImage,
    detail: () => {
      const input = inputCaret();
      const found = input ? formOrNameIn(input) : formOrNameAtCaret();
      return found?.text.slice(0, 60) ?? (input ? 'the last value' : undefined);
    },
    run: inspectAtCaret,
  },
  {
    id: 'inspect.expression',
    title: 'Inspect Value of an Expression…',
    icon: ScanSearch,
    when: withImage,
    run: () => {
      const input = inputCaret();
      const found = input ? formOrNameIn(input) : formOrNameAtCaret();
      if (found?.kind === 'value') return inspectHandle(found.value);
      const code = found?.text.replaceAll(/\s+/g, ' ') ?? (input ? '*' : '');
      return askExpression(code, { package: found?.package ?? null, repl: input?.repl });
    },
  },
  {
    id: 'inspect.last',
    title: 'Inspect Last REPL Value',
    icon: ScanSearch,
    when: withImage,
    run: () => inspectName('*', null, shownRepl().id),
  },
  {
    id: 'view.inspector',
    title: 'Inspector: Focus',
    keys: 'Ctrl+Alt+I',
    icon: ScanSearch,
    run: () => showRegion('Inspector', () => showSide('inspector')),
  },
  {
    id: 'inspector.back',
    title: 'Inspector: Back',
    keys: 'Alt+ArrowLeft',
    keysIn: 'Inspector',
    icon: ArrowLeft,
    when: () => mainViewer.canGo(-1) || 'after an object was opened',
    run: () => mainViewer.go(-1),
  },
  {
    id: 'inspector.forward',
    title: 'Inspector: Forward',
    keys: 'Alt+ArrowRight',
    keysIn: 'Inspector',
    icon: ArrowRight,
    when: () => mainViewer.canGo(1) || 'after going back',
    run: () => mainViewer.go(1),
  },
  {
    id: 'inspector.refresh',
    title: 'Inspector: Refresh',
    keys: 'Ctrl+R',
    keysIn: 'Inspector',
    icon: RefreshCw,
    when: withObject,
    run: () => mainViewer.refresh(),
  },
  {
    id: 'inspector.watch',
    title: 'Inspector: Watch After Each Evaluation',
    icon: Eye,
    when: withObject,
    detail: () => (mainViewer.store.getState().watching ? 'on' : 'off'),
    run: () => mainViewer.setWatching(!mainViewer.store.getState().watching),
  },
  {
    id: 'inspector.pin',
    title: 'Inspector: Pin or Unpin',
    icon: Pin,
    when: () => (mainViewer.step || pinnedViewer.step ? true : 'with an object in the inspector'),
    run: () => (pinnedViewer.step ? unpin() : pin()),
  },
  {
    id: 'inspector.compare',
    title: 'Inspector: Compare with the Pinned Object',
    icon: Columns2,
    when: () => (pinnedViewer.step && mainViewer.step ? true : 'with a pinned object'),
    run: () => setComparing(!inspector.getState().comparing),
  },
  {
    id: 'inspector.describe',
    title: 'Inspector: Describe',
    when: withObject,
    run: () => mainViewer.describe(),
  },
  {
    id: 'inspector.whyAlive',
    title: 'Inspector: Why Is It Alive?',
    when: withObject,
    run: () => showWhyAlive(mainViewer.step!.handle, mainViewer.step!.head?.text ?? mainViewer.step!.label),
  },
  {
    id: 'inspector.source',
    title: 'Inspector: Go to Definition',
    keys: 'F12',
    keysIn: 'Inspector',
    icon: FileCode,
    when: withObject,
    run: () => goToDefinitionOf(mainViewer.step!.handle),
  },
  { id: 'inspector.leave', title: 'Inspector: Back to the Text', when: inInspector, run: () => giveBack() },
  {
    id: 'inspector.copyToRepl',
    title: 'Inspector: Copy to REPL',
    when: withObject,
    run: () => copyToRepl(mainViewer.step!.handle),
  },
];
