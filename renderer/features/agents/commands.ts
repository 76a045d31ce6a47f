/** Commands on agents, and commands that add the person's current context to the prompt without sending it. */
import { Bot, Bug, CircleStop, FlaskConical, MessageSquareText, Paperclip, Plus } from 'lucide-react';
import type { PromptContext } from '#contract/clients/hosted-agent.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { definitionChipNear, definitionNear, formChip, selectionChip } from './prompt-context.ts';
import { openStartPage, putIntoPrompt, showAgentPanel, stopTurn } from './agent-actions.ts';
import { shownAgent } from './agents-store.ts';
import { failingTestChip, inspectedChip, replTailChip, shownConditionChip } from './image-chips.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { shownDebugger } from '../debugger/store.ts';
import { mainViewer } from '../inspector/inspector.ts';
import { sayOfKeys } from '../../base/keys/key-state.ts';
import { transcript } from '../../base/image/transcript-store.ts';
import { failedTests, tests } from '../test-runs/store.ts';
import { view as testsView } from '../test-runs/view-store.ts';

const withFile = (): true | string => (activeBuffer() ? true : 'with an open file');
const toWhom = (): string | undefined => {
  const agent = shownAgent();
  return agent && agent.state !== 'ended' ? agent.actor.name : undefined;
};

/** Returns a command that adds a chip and suggested text to the prompt; `none` is the message shown if there is no chip. */
function asking(
  command: Pick<Command, 'id' | 'title' | 'keys' | 'icon' | 'when'>,
  chip: () => PromptContext | null | Promise<PromptContext | null>,
  suggestion: string,
  none: string,
): Command {
  return {
    ...command,
    detail: toWhom,
    run: async () => {
      if (!putIntoPrompt(await chip(), suggestion)) sayOfKeys(none);
    },
  };
}

const NO_FORM = 'There is no form at the caret.';

export const agentCommands: Command[] = [
  { id: 'agent.show', title: 'Show Agent', keys: 'Ctrl+Shift+X', icon: Bot, run: showAgentPanel },
  { id: 'agent.start', title: 'Start an Agent…', icon: Plus, run: openStartPage },
  {
    id: 'agent.stopTurn',
    title: 'Stop Agent’s Turn',
    keys: 'Ctrl+Shift+Backspace',
    icon: CircleStop,
    when: () => shownAgent()?.state === 'working' || 'while an agent works',
    detail: toWhom,
    run: () => {
      const agent = shownAgent();
      return agent ? stopTurn(agent) : undefined;
    },
  },
  asking(
    {
      id: 'agent.askForm',
      title: 'Ask Agent about This Form…',
      keys: 'Alt+Shift+A',
      icon: MessageSquareText,
      when: withFile,
    },
    formChip,
    '',
    NO_FORM,
  ),
  asking(
    { id: 'agent.explain', title: 'Explain This Form…', icon: MessageSquareText, when: withFile },
    formChip,
    'Explain what this form does, and how it is used. Change nothing.',
    NO_FORM,
  ),
  asking(
    { id: 'agent.writeTests', title: 'Write Tests for This Form…', icon: FlaskConical, when: withFile },
    formChip,
    'Write tests for this form with the test framework of the project, run them in the image, and propose them as an edit to a file.',
    NO_FORM,
  ),
  asking(
    {
      id: 'agent.fixTest',
      title: 'Fix This Failing Test…',
      icon: FlaskConical,
      when: () => failedTests(tests.getState()).length > 0 || 'after a test failed',
    },
    () => failingTestChip(chosenTest()),
    'This test fails. Find out why in the image, say whether the test or the code is wrong, and propose the edit that fixes it.',
    'No test has failed.',
  ),
  asking(
    {
      id: 'agent.askError',
      title: 'Ask an Agent about This Error…',
      icon: Bug,
      when: () => shownDebugger() !== null || 'while code waits in the debugger',
    },
    shownConditionChip,
    'Why did this happen? Look at the frames and their variables. I choose the restart.',
    'No code waits in the debugger.',
  ),
  asking(
    {
      id: 'agent.addSelection',
      title: 'Add Selection to the Prompt',
      icon: Paperclip,
      when: () => activeEditor()?.getSelection()?.isEmpty() === false || 'with a selection in the editor',
    },
    selectionChip,
    '',
    'Nothing is selected.',
  ),
  asking(
    {
      id: 'agent.addDefinition',
      title: 'Add Definition with Callers to the Prompt',
      icon: Paperclip,
      when: () => definitionNear() !== null || 'with a name or a definition at the caret',
    },
    definitionChipNear,
    '',
    'There is no name or definition at the caret.',
  ),
  asking(
    {
      id: 'agent.addRepl',
      title: 'Add REPL Tail to the Prompt',
      icon: Paperclip,
      when: () => transcript.entries().length > 0 || 'with a transcript',
    },
    replTailChip,
    '',
    'The REPL has no entries.',
  ),
  asking(
    {
      id: 'agent.addObject',
      title: 'Add Inspected Object to the Prompt',
      icon: Paperclip,
      when: () => mainViewer.step !== null || 'with an object in the inspector',
    },
    inspectedChip,
    '',
    'The inspector shows no object.',
  ),
];

/** Returns the id of the test that is selected in the panel. */
function chosenTest(): string | null {
  const { selected } = testsView.getState();
  return tests.getState().tests.find(({ id }) => id.replaceAll(/\s/g, '/') === selected)?.id ?? null;
}
