/** The context menu of a tab. */
import { showRegion } from '../../base/layout/regions.ts';
import { commandKeys } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { useBuffers } from '../text/buffers.ts';
import { closeAll, closeOthers, closeTab } from '../files/closing.ts';
import { groupOf } from './groups.ts';

export interface TabMenuProps {
  /** Id of the text whose tab it is. */
  id: string;
  group: string;
  title: string;
  place: { x: number; y: number };
  onClose: () => void;
}

export function TabMenu({ id, group, title, place, onClose }: TabMenuProps) {
  const isAlone = useBuffers((state) => (groupOf(state.groups, group)?.tabs.length ?? 0) < 2);
  const run = (closing: () => Promise<void>) => (): void =>
    void orNotice(closing().then(() => showRegion('Editor', () => {})));
  const entries = [
    { id: 'close', title: 'Close', keys: commandKeys('file.close'), run: run(() => closeTab(id, group)) },
    { id: 'others', title: 'Close Others', disabled: isAlone, run: run(() => closeOthers(id, group)) },
    { id: 'all', title: 'Close All', run: run(() => closeAll(group)) },
  ];
  return <ContextMenu label={title} groups={[{ id: 'close', entries }]} place={place} onClose={onClose} />;
}
