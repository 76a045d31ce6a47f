/** The details of a difference between the image and a build: what it means, and the possible actions. */
import type { BuildDifference } from '#contract/image/builds.ts';
import { shownName } from '../../definitions/definition-rows.ts';
import { removeDefinition } from '../../definitions/remove.ts';
import { showDifference } from '../../definitions/show-difference.tsx';
import { orNotice } from '../../../base/notices/notices.tsx';
import { shownPackage } from '../../../sexp/packages.ts';
import { Button } from '../../../ui/button.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { hasFolder } from '../../../base/text/paths.ts';
import { showPage } from '../../../base/layout/layout-store.ts';
import { textDrawn } from '../../../editor/monaco/drawn.ts';
import { openFile } from '../../../editor/files/files.ts';
import { runCommand } from '../../../base/keys/command-registry.ts';
import { openDefinition } from '../../definitions/open-definition.ts';
import columns from '../../../base/columns.module.css';
import { exportDefinitions } from '../../definitions/export-definitions.ts';
import { STATES } from './differences.ts';

export function DifferenceDetails({ difference }: { difference: BuildDifference }) {
  const { state, definition, package: name, file, words } = difference;
  const { title, meaning } = STATES.find((each) => each.state === state)!;
  const shown = shownName(definition.name);
  return (
    <Stack gap={2} padX={4} padY={3} selectable aria-label={shown} role="group">
      <Row align="baseline" gap={2} wrap>
        <Text as="h3" tone={1} breaks className={columns.name}>
          {shown.toLowerCase()}
        </Text>
        <Text font="small" tone={3}>
          {definition.kind.replace('-', ' ')} in {shownPackage(name)}
        </Text>
      </Row>
      <Text as="p" tone={1} lines="wrap" breaks>
        {title}: {words}. {meaning}
      </Text>
      {file === null ? null : (
        <Text as="p" font="small" tone={3} breaks>
          {file}
        </Text>
      )}
      <Row gap={2} wrap>
        <Button size="small" onPress={() => void orNotice(openDifference(difference))}>
          Go to source
        </Button>
        {state === 'only-in-image' ? (
          <>
            <Button size="small" onPress={() => void orNotice(removeDefinition(definition, name))}>
              Remove from the image…
            </Button>
            <Button size="small" onPress={() => void orNotice(exportDefinitions(name))}>
              Save the evaluated definition to {shownPackage(name)}…
            </Button>
          </>
        ) : null}
        {state !== 'only-in-image' && file !== null ? (
          <Button size="small" onPress={() => void orNotice(loadFileOf(file))}>
            Load its file
          </Button>
        ) : null}
        {state === 'different' && definition.event !== null ? (
          <Button
            size="small"
            onPress={() =>
              void orNotice(
                showDifference({
                  event: definition.event!,
                  name: definition.name,
                  actor: definition.actor,
                  time: definition.time,
                  waits: false,
                }),
              )
            }
          >
            Show the evaluated definition…
          </Button>
        ) : null}
      </Row>
    </Stack>
  );
}

/** Opens the text of a definition: the image's text if it is known, otherwise the file's. */
function openDifference({ definition, file }: BuildDifference): Promise<void> {
  const isKnown = definition.source !== null && hasFolder(definition.source.file);
  if (isKnown || file === null) return openDefinition(definition);
  return openDefinition({ ...definition, source: { file, offset: null, line: null } });
}

/** Opens a file in the editor, compiles it, and loads it in the shared image. */
async function loadFileOf(file: string): Promise<void> {
  showPage('editor');
  await openFile(file);
  await textDrawn();
  runCommand('evaluate.compileFile');
}
