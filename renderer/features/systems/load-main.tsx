/** The button that loads the main system of the open folder. */
import { useEffect } from 'react';
import { useMirror } from '../../base/mirror.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { reloadSystem } from './loading.ts';
import { mainSystem } from './own-systems.ts';
import { refreshSystems, useSystems } from './systems-store.ts';

/** Shows nothing without a running image, in a folder that is not trusted, or if the main system is unknown or loaded. */
export function LoadMain() {
  const project = useMirror((state) => state.project);
  const isUp = useMirror(({ session }) => session.pid !== null && session.state !== 'gone');
  const canLoad = isUp && project?.trusted === true;
  const folder = project?.name ?? '';
  useEffect(() => {
    if (canLoad) void refreshSystems();
  }, [canLoad, folder]);
  const main = useSystems(({ systems }) => mainSystem(systems ?? [], folder));
  if (!canLoad || main === null) return null;
  return (
    <Button size="small" onPress={() => void orNotice(reloadSystem(main.name, null, ''))}>
      Load {main.name}
    </Button>
  );
}
