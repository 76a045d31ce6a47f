/** The REPL without an image: why, and the way to one. */
import { CircleX } from 'lucide-react';
import { runCommand } from '../../commands/registry.ts';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';

export function NoImage() {
  const problem = useMirror((state) => state.session.problem);
  return (
    <div className="no-image" data-region-focus>
      <CircleX className="icon error-mark" aria-hidden />
      <div className="no-image-text">
        <p className="no-image-title">No image.</p>
        {problem ? <p className="no-image-problem">{problem}</p> : null}
      </div>
      <Button kind="primary" onPress={() => runCommand('image.start')}>
        Start one
      </Button>
    </div>
  );
}
