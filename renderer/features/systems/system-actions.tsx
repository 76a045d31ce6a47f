/** The actions on the selected system: buttons that load it, run its tests and show its details, and a menu with the others. */
import { Ellipsis } from 'lucide-react';
import type { SystemRecord } from '#contract/image/system.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { showSystem } from '../browser/browsing.ts';
import { menuEntry } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { loadSystem } from './loading.ts';
import { describeSystem, testSystem } from './runs-store.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row } from '../../ui/layout.tsx';
import { MenuButton, type MenuGroup } from '../../ui/menus/menu.tsx';

export function SystemActions({ system, live }: { system: SystemRecord | null; live: boolean }) {
  const name = system?.name ?? null;
  const load = (each: string): Promise<unknown> => loadSystem(each);
  return (
    <Row gap={2} padY={2} padX={3} fixed edge="top" wrap>
      <Act title={(system?.changed ?? 0) > 0 ? 'Reload' : 'Load'} system={name} live={live} run={load} />
      <Act title="Run tests" system={name} live={live} run={testSystem} />
      <Act title="Details" system={name} live={live} run={describeSystem} />
      <MenuButton label="Systems" groups={groupsFor(system, live)} placement="top start">
        <IconButton label={name === null ? 'More actions for systems' : `More: ${name}`}>
          <Ellipsis className="icon" aria-hidden />
        </IconButton>
      </MenuButton>
    </Row>
  );
}

/** A button for an action on the selected system. */
function Act({
  title,
  system,
  live,
  run,
}: {
  title: string;
  system: string | null;
  live: boolean;
  run: (system: string) => Promise<unknown>;
}) {
  return (
    <Button
      size="small"
      isDisabled={system === null || !live}
      {...(system === null ? {} : { 'aria-label': `${title}: ${system}` })}
      onPress={() => (system === null ? undefined : void orNotice(run(system)))}
    >
      {title}
    </Button>
  );
}

function groupsFor(system: SystemRecord | null, live: boolean): MenuGroup[] {
  const file = system?.file ?? null;
  const ofSystem =
    system === null
      ? []
      : [
          {
            id: 'force',
            title: 'Reload All Files',
            disabled: !live,
            run: () => void orNotice(loadSystem(system.name, 'system')),
          },
          {
            id: 'all',
            title: 'Reload with Dependencies',
            disabled: !live,
            run: () => void orNotice(loadSystem(system.name, 'all')),
          },
          { id: 'browse', title: 'Browse Dependencies', run: () => showSystem(system.name) },
          ...(file === null
            ? []
            : [
                {
                  id: 'definition',
                  title: 'Go to Definition',
                  run: () => void orNotice(revealSource({ file, offset: null, line: null })),
                },
              ]),
        ];
  return [
    { id: 'system', entries: ofSystem },
    { id: 'commands', entries: [menuEntry('system.reloadChanged'), menuEntry('project.new')] },
  ];
}
