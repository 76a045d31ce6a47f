/** The context menu of a traced call: actions on the call, its arguments and its values. */
import { goToFunction } from '../documentation/go-to-name.ts';
import { inspectHandle } from '../../base/image/inspect.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import type { CallNode, TraceNode } from './trace-log.ts';
import { setTraced, trace } from './trace-store.ts';
import type { MenuGroup } from '../../ui/menus/menu.tsx';

/** The maximum number of values that have an entry in the menu. */
const MOST = 8;
/** The maximum number of characters of a value in an entry. */
const LONGEST = 40;

interface Actions {
  readonly toCaller: (node: CallNode) => void;
  readonly foldBelow: (node: TraceNode, folded: boolean) => void;
}

export function callMenu(row: CallNode, { toCaller, foldBelow }: Actions): MenuGroup[] {
  const { function: name, begun, values } = row;
  const shown = name.toLowerCase();
  const inspectable = [
    ...begun.values.map((value) => ({ value, what: 'Argument' })),
    ...values.map((value) => ({ value, what: 'Value' })),
  ].flatMap(({ value: { handle, text }, what }, index) =>
    handle === null || index >= MOST
      ? []
      : [
          {
            id: `inspect-${index}`,
            title: `Inspect ${what} ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`,
            run: () => inspectHandle({ handle, title: text.slice(0, 120), from: name }),
          },
        ],
  );
  return [
    { id: 'values', entries: inspectable },
    {
      id: 'go',
      entries: [
        { id: 'source', title: 'Go to Definition', keys: 'F12', run: () => void orNotice(goToFunction(name)) },
        ...(row.caller.kind === 'call'
          ? [{ id: 'caller', title: 'Go to Caller', keys: 'Backspace', run: () => toCaller(row) }]
          : []),
        { id: 'filter', title: `Show Calls of ${shown} Only`, run: () => trace.setState({ filter: name }) },
      ],
    },
    {
      id: 'fold',
      entries:
        row.expanded === null
          ? []
          : [
              { id: 'expand', title: 'Expand All Below', run: () => foldBelow(row, false) },
              { id: 'collapse', title: 'Collapse All Below', run: () => foldBelow(row, true) },
            ],
    },
    {
      id: 'trace',
      entries: [
        {
          id: 'untrace',
          title: `Untrace ${shown}`,
          run: () =>
            void orNotice(setTraced(name, false).then((problem) => (problem === null ? undefined : notify(problem)))),
        },
      ],
    },
  ];
}
