/** The dialog that chooses the system of the project to which a library is added. */
import { useEffect, useState } from 'react';
import { GridList, GridListItem } from 'react-aria-components';
import { mirror } from '../../base/mirror.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { pathWithin } from '../../base/text/paths.ts';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Text, Truncate } from '../../ui/layout.tsx';
import { pickList, pickRow } from '../../ui/menus/pick-list.ts';
import { addToSystem, type ProjectSystem, projectSystems } from './adding.ts';

export function AddToProject({ library }: { library: string }) {
  const [systems, setSystems] = useState<readonly ProjectSystem[]>([]);
  useEffect(() => {
    void orNotice(projectSystems().then(setSystems));
  }, []);
  return (
    <Dialog title={`Add ${library} to the project`} onClose={closeOverlay}>
      <Text as="p" tone={2}>
        Choose the system that uses the library. Its definition is changed in the editor, and you save it.
      </Text>
      <GridList
        autoFocus="first"
        aria-label="Systems of the project"
        className={pickList}
        items={systems.map((system) => ({ ...system, id: system.name }))}
        renderEmptyState={() => (
          <Text as="p" tone={3}>
            No system was found.
          </Text>
        )}
        onAction={(key) => {
          const chosen = systems.find(({ name }) => name === key);
          if (!chosen) return;
          closeOverlay();
          void orNotice(addToSystem(library, chosen));
        }}
      >
        {({ name, file }) => (
          <GridListItem textValue={name} className={pickRow}>
            <Truncate grow className="code">
              {name}
            </Truncate>
            <Text fixed font="small" tone={3}>
              {pathWithin(mirror.getState().project?.path ?? '', file) ?? file}
            </Text>
          </GridListItem>
        )}
      </GridList>
    </Dialog>
  );
}
