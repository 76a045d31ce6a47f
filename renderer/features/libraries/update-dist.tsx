/** The dialog before a dist is changed to another version: what is new, what changes, and what is removed. */
import { ChevronRight, PackageCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { DistUpdate } from '#contract/libraries.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import { Ring } from '../../ui/mark.tsx';
import { Tree } from '../../ui/panels/tree.tsx';
import { sizeOf } from '../../ui/panels/sizes.ts';
import { plural } from '#contract/text/text.ts';
import { updateDist } from './actions.ts';
import { openLibraries } from './libraries-store.ts';
import { affectedUsed, type GroupRow, type ProjectRow, stateWords, updateRows } from './update-rows.ts';
import styles from './update-dist.module.css';

const ROW = 22;

type Answer = { readonly update: DistUpdate | null } | { readonly problem: string } | null;

/** The dialog. `version` is the version to change to; null for the newest one. */
export function UpdateDist({ dist, version }: { dist: string; version: string | null }) {
  const [answer, setAnswer] = useState<Answer>(null);
  useEffect(() => {
    let isWanted = true;
    void call('libraries.compare', { dist, version })
      .then((found): Answer => found)
      .catch((error: unknown): Answer => ({ problem: messageOf(error) }))
      .then((found) => {
        if (isWanted) setAnswer(found);
      });
    return () => {
      isWanted = false;
    };
  }, [dist, version]);
  const update = answer && 'update' in answer ? answer.update : null;
  const start = (after: string): void => {
    closeOverlay();
    openLibraries();
    void updateDist(dist, after);
  };
  return (
    <Dialog
      title={version === null ? `Update ${dist}` : `Change ${dist} to ${version}`}
      onClose={closeOverlay}
      actions={
        <>
          <Button size="large" autoFocus onPress={closeOverlay}>
            {update ? 'Cancel' : 'Close'}
          </Button>
          {update ? (
            <Button size="large" kind="primary" onPress={() => start(update.after)}>
              {version === null ? 'Update' : 'Change'}
            </Button>
          ) : null}
        </>
      }
    >
      {answer === null ? (
        <Row as="p" gap={2} tone={2} role="status">
          <Ring />
          <span>Comparing the versions…</span>
        </Row>
      ) : 'problem' in answer ? (
        <Text as="p" tone={1} breaks role="status">
          {answer.problem}
        </Text>
      ) : update === null ? (
        <Text as="p" tone={2} role="status">
          {version === null ? `${dist} has the newest version.` : `${dist} has this version already.`}
        </Text>
      ) : (
        <Differences update={update} />
      )}
    </Dialog>
  );
}

function Differences({ update }: { update: DistUpdate }) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const { before, after, size } = update;
  const rows = updateRows(update, folded);
  const affected = affectedUsed(update);
  const toggle = ({ id }: { id: string }, expanded: boolean): void => {
    const next = new Set(folded);
    if (expanded) next.delete(id);
    else next.add(id);
    setFolded(next);
  };
  return (
    <>
      <Text as="p" tone={2}>
        {before} → {after}.{' '}
        {affected === 0
          ? 'None of the installed libraries changes.'
          : `${plural(affected, 'installed library changes', 'installed libraries change')}; ${sizeOf(size)} to download. Installed libraries that the new version lacks are removed.`}
      </Text>
      {rows.length === 0 ? (
        <Text as="p" tone={2}>
          The versions have the same releases.
        </Text>
      ) : (
        <Stack className={styles.rows}>
          <Tree<GroupRow | ProjectRow>
            label={`Differences between ${before} and ${after}`}
            rows={rows}
            rowSize={ROW}
            onOpen={() => undefined}
            onToggle={toggle}
            render={(row) => (row.kind === 'group' ? <Group row={row} /> : <Project row={row} />)}
          />
        </Stack>
      )}
    </>
  );
}

function Group({ row: { title, count, expanded } }: { row: GroupRow }) {
  return (
    <Row gap={1}>
      <ChevronRight className={classes('icon-small', expanded === true ? 'turned' : undefined)} aria-hidden />
      <Text font="small-strong" tone={1}>
        {title}
      </Text>{' '}
      <Text font="small" tone={3}>
        {count.toLocaleString('en')}
      </Text>
    </Row>
  );
}

function Project({ row }: { row: ProjectRow }) {
  const { project, change, isUsed } = row;
  return (
    <Row gap={2} grow className={styles.project}>
      {isUsed ? (
        <PackageCheck className={look({ tone: 2 }, 'icon-small')} aria-hidden />
      ) : (
        <Text fixed className={styles.blank} />
      )}
      <Truncate className="code" tone={1}>
        {project}
      </Truncate>{' '}
      {change === null ? null : (
        <Truncate font="small" tone={2}>
          {change}
        </Truncate>
      )}{' '}
      {isUsed ? (
        <Truncate end font="small" tone={3}>
          {stateWords(row)}
        </Truncate>
      ) : null}
    </Row>
  );
}
