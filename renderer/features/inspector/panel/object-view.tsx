/** An object in a viewer: its title, its facts, the views of its parts, and the actions on it. */
import type { KeyboardEvent } from 'react';
import type { InspectedPage } from '#contract/image/inspection.ts';
import { LongText } from '../../../editor/groups/long-text.tsx';
import { showWhyAlive } from '../../memory/held-store.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { copyToRepl, useViewer } from '../inspector.ts';
import { startEdit } from '../editing.ts';
import { drillInto } from '../evaluating.ts';
import type { Drawing, Step } from '../viewer-state.ts';
import type { Viewer } from '../viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeText } from '../../../ui/code-text.tsx';
import { Empty } from '../../../ui/panels/empty.tsx';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { Box, Row, Stack, Text } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';
import { Answers } from './answers.tsx';
import { DataTable } from './data-table.tsx';
import { EditRow } from './edit-row.tsx';
import { PartsList } from './parts-list.tsx';
import { Picture } from './picture.tsx';
import { Plot } from './plot.tsx';
import { useRows } from './use-rows.ts';
import styles from './inspector.module.css';

/** `brief` leaves out the row for evaluating. */
export function ObjectView({ viewer, name, brief = false }: { viewer: Viewer; name: string; brief?: boolean }) {
  const step = useViewer(viewer, ({ steps, at }) => steps[at] ?? null);
  const description = useViewer(viewer, (state) => state.description);
  if (!step) return null;
  if (step.state === 'expired')
    return (
      <Empty title="This object is gone.">
        <p>The image restarted or ran low on memory. Evaluate the form again, and inspect its value.</p>
      </Empty>
    );
  if (step.state === 'failed')
    return (
      <Empty title="The image did not show this object.">
        <p>{step.problem}</p>
        <Button size="small" onPress={() => void viewer.refresh()}>
          Try again
        </Button>
      </Empty>
    );
  if (!step.head) return null;
  return (
    <>
      <Head viewer={viewer} head={step.head} />
      <ViewTabs viewer={viewer} step={step} head={step.head} />
      <Content viewer={viewer} step={step} head={step.head} name={name} />
      {description ? <Description viewer={viewer} {...description} /> : null}
      <EditRow viewer={viewer} />
      <Actions viewer={viewer} step={step} />
      {brief ? null : <Answers viewer={viewer} />}
    </>
  );
}

function Head({ viewer, head }: { viewer: Viewer; head: InspectedPage }) {
  const { type, text, cut, title } = head;
  // The type is already shown above.
  const facts = head.facts.filter(({ value }) => value !== type);
  // A title such as "A CART" only repeats the type.
  const words = title.replace(/^An? /, '') === type ? 'An instance of' : `${title} of type`;
  const toClass = (): void => void orNotice(drillInto(viewer, '(cl:class-of cl:*)', type));
  return (
    <Stack gap={1} padX={4} padY={3} fixed scroll className={styles.head}>
      <Box scroll className={styles.printed} role="group" aria-label="Printed" tabIndex={0}>
        <Box as="h3" breaks lines="wrap" selectable className="code">
          <CodeText text={text} />
          {cut > 0 ? <Text tone={3}> … {cut.toLocaleString('en')} more characters</Text> : null}
        </Box>
      </Box>
      <Row gap={1} wrap font="small" tone={2}>
        <span>{words}</span>
        <Button kind="link" size="small" aria-label={`Inspect the class of this ${type}`} onPress={toClass}>
          {type}
        </Button>
      </Row>
      {facts.length > 0 ? (
        <Row as="dl" wrap font="small" className={styles.facts}>
          {facts.map(({ label, value }) => (
            <Row key={label} gap={1} align="baseline" shrink>
              <Text as="dt" fixed tone={3}>
                {label}
              </Text>
              <Text as="dd" breaks selectable className="code">
                <LongText text={value} title={`${label} of ${type}`} shown={600} />
              </Text>
            </Row>
          ))}
        </Row>
      ) : null}
    </Stack>
  );
}

const DRAWINGS: Record<Drawing, string> = { table: 'table', plot: 'plot', picture: 'picture' };

function ViewTabs({ viewer, step, head }: { viewer: Viewer; step: Step; head: InspectedPage }) {
  const tabs = [
    ...head.views.map((view) => ({
      id: `view ${view}`,
      title: view,
      chosen: step.drawing === null && head.view === view,
      show: () => viewer.setView(view),
    })),
    ...head.drawings.map((drawing) => ({
      id: `drawing ${drawing}`,
      title: DRAWINGS[drawing],
      chosen: step.drawing === drawing,
      show: () => viewer.setDrawing(drawing),
    })),
  ];
  if (tabs.length < 2) return null;
  return (
    <Row role="tablist" aria-label="Views" fixed wrap padX={4} className={styles.views} onKeyDown={moveAmongTabs}>
      {tabs.map(({ id, title, chosen, show }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={chosen}
          tabIndex={chosen ? 0 : -1}
          className={look({ font: 'small-medium', tone: chosen ? 1 : 2 }, styles.view)}
          onClick={show}
        >
          {title}
        </button>
      ))}
    </Row>
  );
}

/** Handles the arrow keys, which move between tabs. Enter shows the focused tab. */
function moveAmongTabs(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  tabs[(at + step + tabs.length) % tabs.length]!.focus();
}

function Content({ viewer, step, head, name }: { viewer: Viewer; step: Step; head: InspectedPage; name: string }) {
  const rows = useRows(viewer, step, head);
  const filter = useViewer(viewer, (state) => state.filter);
  if (step.drawing === 'table') return <DataTable key={step.id} viewer={viewer} step={step} />;
  if (step.drawing === 'plot') return <Plot key={step.id} step={step} />;
  if (step.drawing === 'picture') return <Picture key={step.id} step={step} />;
  if (step.problem)
    return (
      <Empty title="The parts cannot be shown.">
        <p>{step.problem}</p>
      </Empty>
    );
  if (head.total === 0)
    return (
      <Stack grow tabIndex={0} data-region-focus aria-label="No parts" role="group">
        <Empty title="No parts.">{head.views.length > 1 ? <p>Another view may have parts.</p> : null}</Empty>
      </Stack>
    );
  return (
    <>
      {head.total > 8 ? (
        <FilterField
          label={`${name} filter`}
          value={filter}
          onChange={(text) => viewer.setFilter(text)}
          count={rows.words}
          onEnter={() => {
            // The results of the current filter may not have arrived yet.
            if (rows.count > 0 && (rows.finding === null || rows.finding.text === filter))
              void orNotice(viewer.drill(rows.placeAt(0).path));
          }}
        />
      ) : null}
      <PartsList viewer={viewer} step={step} head={head} rows={rows} name={name} />
    </>
  );
}

function Description({ viewer, text, cut }: { viewer: Viewer; text: string; cut: number }) {
  return (
    <Stack edge="top" shrink className={styles.description} role="group" aria-label="Description">
      <Row gap={2} padX={4} padY={1} fixed font="small-strong" tone={2} justify="between">
        <span>DESCRIBE</span>
        <Button size="small" kind="quiet" onPress={() => viewer.endDescription()}>
          Close
        </Button>
      </Row>
      <Box
        as="pre"
        padX={4}
        padY={1}
        grow
        scroll
        breaks
        lines="wrap"
        selectable
        className="code"
        tabIndex={0}
        role="group"
        aria-label="DESCRIBE"
      >
        {text.trim()}
        {cut > 0 ? `\n… ${cut.toLocaleString('en')} more characters` : ''}
      </Box>
    </Stack>
  );
}

/** The maximum number of characters of a part's label on the button that sets it. */
const LABEL = 24;

function Actions({ viewer, step }: { viewer: Viewer; step: Step }) {
  // A part that the filter found may arrive after it was selected.
  useViewer(viewer, (state) => state.finding?.parts);
  const part = viewer.partAt(step.selected);
  const settable = step.drawing === null && part !== undefined && part.path !== null;
  return (
    <Row gap={3} padX={4} padY={1} fixed wrap edge="top">
      <Button kind="link" size="small" isDisabled={!settable} onPress={() => startEdit(viewer, step.selected)}>
        {part && settable ? `Set ${part.label.slice(0, LABEL)}…` : 'Set…'}
      </Button>
      <Button kind="link" size="small" onPress={() => void orNotice(viewer.describe())}>
        Describe
      </Button>
      <Button
        kind="link"
        size="small"
        onPress={() => void orNotice(showWhyAlive(step.handle, step.head?.text ?? step.label))}
      >
        Why Is It Alive?
      </Button>
      <Button kind="link" size="small" onPress={() => void orNotice(copyToRepl(step.handle))}>
        Copy to REPL
      </Button>
    </Row>
  );
}
