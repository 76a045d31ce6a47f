/** Commands that profile code. */
import { Flame } from 'lucide-react';
import { activeBuffer } from '../../editor/text/buffers.ts';
import { profileAtCaret } from '../evaluate/evaluate.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { ALL_THREADS, isSampling, profile, profileAgain, profiled, startSampling, stopSampling } from './store.ts';
import { packageOf, shownRepl } from '../../base/image/active-repl.ts';
import { transcript } from '../../base/image/transcript-store.ts';

const withFile = (): true | string => (activeBuffer() ? true : 'with an open file');

const lastInput = () =>
  transcript.entries().findLast(({ origin, report }) => origin === 'repl' && report !== null && report !== undefined);

export const profileCommands: Command[] = [
  {
    id: 'evaluate.profile',
    title: 'Profile Form',
    icon: Flame,
    when: withFile,
    run: () => profileAtCaret('form'),
  },
  {
    id: 'evaluate.profileTopLevel',
    title: 'Profile Top-Level Form',
    icon: Flame,
    when: withFile,
    run: () => profileAtCaret('topLevel'),
  },
  {
    id: 'evaluate.profileLastInput',
    title: 'Profile Last REPL Input',
    icon: Flame,
    when: () => (lastInput() ? true : 'after an input in the REPL'),
    detail: () => lastInput()?.code,
    run: async () => {
      const repl = shownRepl();
      const input = lastInput();
      if (input) await profile({ code: input.code, package: input.package || packageOf(repl), repl: repl.id });
    },
  },
  {
    id: 'evaluate.profileStart',
    title: 'Start Profiling All Threads',
    icon: Flame,
    when: () => (isSampling() ? 'while no profile is running' : true),
    run: startSampling,
  },
  {
    id: 'evaluate.profileStop',
    title: 'Stop Profiling All Threads and Show the Profile',
    icon: Flame,
    when: () => (isSampling() ? true : 'while a profile is running'),
    run: stopSampling,
  },
  {
    id: 'evaluate.profileAgain',
    title: 'Profile Again',
    icon: Flame,
    when: () => (profiled() && profiled()?.code !== ALL_THREADS ? true : 'after a profile of code'),
    detail: () => profiled()?.code,
    run: profileAgain,
  },
];
