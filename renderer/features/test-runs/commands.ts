/** Commands that run tests. */
import { Bug, FlaskConical, ListRestart, Play, Square, SquarePlay } from 'lucide-react';
import { plural } from '#contract/text/text.ts';
import { mirror } from '../../base/mirror.ts';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { runAllTests } from './project-tests.ts';
import { runTestAtCaret, runTestsOfText } from './run-tests.ts';
import { failedTests, runnable, runTests, stopTests, tests } from './store.ts';
import type { Command } from '../../base/keys/command-registry.ts';

const withFile = (): true | string => (activeBuffer() ? true : 'with an open file');
const counted = (count: number): string | undefined => (count === 0 ? undefined : plural(count, 'test'));

export const testCommands: Command[] = [
  {
    id: 'test.atCaret',
    title: 'Run Test at Caret',
    keys: 'Ctrl+; C',
    icon: Play,
    when: withFile,
    run: () => runTestAtCaret(false),
  },
  {
    id: 'test.debug',
    title: 'Debug Test at Caret',
    keys: 'Ctrl+; Ctrl+C',
    icon: Bug,
    when: withFile,
    run: () => runTestAtCaret(true),
  },
  {
    id: 'test.file',
    title: 'Run Tests of This File',
    keys: 'Ctrl+; F',
    icon: FlaskConical,
    when: withFile,
    detail: () => activeBuffer()?.title,
    run: runTestsOfText,
  },
  {
    id: 'test.all',
    title: 'Run All Tests',
    keys: 'Ctrl+; A',
    icon: SquarePlay,
    when: () =>
      mirror.getState().project !== null ||
      runnable(tests.getState()).length > 0 ||
      'with an open folder that has tests',
    detail: () => {
      const { project } = mirror.getState();
      return project ? `of ${project.name}` : counted(runnable(tests.getState()).length);
    },
    run: runAllTests,
  },
  {
    id: 'test.failed',
    title: 'Run Failed Tests Again',
    keys: 'Ctrl+; E',
    icon: ListRestart,
    when: () => failedTests(tests.getState()).length > 0 || 'after a test failed',
    detail: () => counted(failedTests(tests.getState()).length),
    run: () =>
      runTests(
        failedTests(tests.getState()).map(({ id }) => id),
        { title: 'the failed tests again' },
      ),
  },
  {
    id: 'test.stop',
    title: 'Stop the Tests',
    keys: 'Ctrl+; X',
    icon: Square,
    when: () => tests.getState().run !== null || 'while tests run',
    run: stopTests,
  },
];
