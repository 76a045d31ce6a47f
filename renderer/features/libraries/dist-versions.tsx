/** The dialog with the versions of a dist, newest first. A chosen version is compared with the current one before anything changes. */
import { Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import { GridList, GridListItem } from 'react-aria-components';
import { call, messageOf } from '../../base/bridge.ts';
import { closeOverlay, openOverlay } from '../../base/layout/overlays.ts';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { pickList, pickRow } from '../../ui/menus/pick-list.ts';
import { useLibraries } from './libraries-store.ts';

export function DistVersions({ dist }: { dist: string }) {
  const current = useLibraries(({ overview }) => overview?.dists.find(({ name }) => name === dist)?.version ?? null);
  const [answer, setAnswer] = useState<readonly string[] | { readonly problem: string } | null>(null);
  useEffect(() => {
    call('libraries.versions', { dist }).then(
      ({ versions }) => setAnswer(versions),
      (error: unknown) => setAnswer({ problem: messageOf(error) }),
    );
  }, [dist]);
  const versions = answer && !('problem' in answer) ? answer : [];
  return (
    <Dialog title={`Versions of ${dist}`} onClose={closeOverlay}>
      <GridList
        autoFocus="first"
        aria-label={`Versions of ${dist}`}
        className={pickList}
        items={versions.map((version) => ({ id: version }))}
        disabledKeys={current === null ? [] : [current]}
        renderEmptyState={() => (
          <Text as="p" tone={2} breaks role="status">
            {answer === null
              ? 'Looking for versions…'
              : 'problem' in answer
                ? answer.problem
                : 'The dist lists no versions.'}
          </Text>
        )}
        onAction={(key) => openOverlay({ kind: 'update-dist', dist, version: String(key) })}
      >
        {({ id }) => (
          <GridListItem textValue={id === current ? `${id}, current` : id} className={pickRow}>
            <Truncate grow>{id}</Truncate>
            {id === current ? (
              <Text fixed font="small" tone={2}>
                <Check className={look({ tone: 'success' }, 'icon-tiny')} aria-hidden /> current
              </Text>
            ) : null}
          </GridListItem>
        )}
      </GridList>
    </Dialog>
  );
}
