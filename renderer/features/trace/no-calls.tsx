/** The words in the place of the calls before there are any. */
import { runCommand } from '../../base/keys/command-registry.ts';
import { useTrace } from './trace-store.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Row } from '../../ui/layout.tsx';

export function NoCalls() {
  const isTraced = useTrace(({ traced }) => traced !== null && traced.length > 0);
  if (isTraced)
    return (
      <Empty title="No calls yet.">
        <p>The calls of what is traced come here as it is called, by you or by an agent.</p>
      </Empty>
    );
  return (
    <Empty title="Nothing is traced.">
      <p>Name a function at the left, or put the caret of the editor on one. Then call it.</p>
      <Row gap={2}>
        <Button size="small" onPress={() => runCommand('trace.toggle')}>
          Trace Function at Caret
        </Button>
      </Row>
    </Empty>
  );
}
