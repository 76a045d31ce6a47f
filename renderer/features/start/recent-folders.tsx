/** The recently opened folders; a folder that no longer exists is marked. */
import { Folder, FolderX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../base/bridge.ts';
import { useMirror } from '../../base/mirror.ts';
import { fileName } from '../../base/text/paths.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import styles from './welcome.module.css';
import { openFolder } from '../../base/open-folder.ts';

/** The maximum number of folders that are shown; *Open Recent* has the others. */
const MOST = 6;

export function RecentFolders() {
  const open = useMirror((state) => state.project?.path);
  const recent = useMirror((state) => state.settings.recentProjects);
  const [missing, setMissing] = useState<readonly string[]>([]);
  useEffect(() => {
    let isShown = true;
    void orNotice(call('project.missingRecent', {}).then((found) => isShown && setMissing(found.missing)));
    return () => {
      isShown = false;
    };
  }, [recent]);
  const folders = recent.filter((path) => path !== open).slice(0, MOST);
  if (folders.length === 0) return null;
  return (
    <Stack as="section" gap={2} aria-label="Recent folders">
      <Text as="h3" font="base-strong" tone={1}>
        Recent folders
      </Text>
      <Stack as="ul" gap={1}>
        {folders.map((path) => {
          const isMissing = missing.includes(path);
          return (
            <Row as="li" key={path} gap={2}>
              <Button
                kind="link"
                icon={isMissing ? <FolderX className="icon" aria-hidden /> : <Folder className="icon" aria-hidden />}
                onPress={() => void orNotice(openFolder(path))}
              >
                {fileName(path)}
              </Button>
              <Truncate font="small" tone={isMissing ? 'warning' : 3} className={styles.path}>
                {isMissing ? 'no longer exists: ' : ''}
                {path}
              </Truncate>
            </Row>
          );
        })}
      </Stack>
    </Stack>
  );
}
