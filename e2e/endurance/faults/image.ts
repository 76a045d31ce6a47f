/** Faults of the image's processes, from outside and from code in the image. */
import { kill } from '../served.ts';
import { evaluated, type Fault, type Trial } from './fault.ts';

const SIGNALS = [
  'SIGTERM',
  'SIGABRT',
  'SIGSEGV',
  'SIGHUP',
  'SIGINT',
  'SIGUSR2',
  'SIGPIPE',
  'SIGALRM',
  'SIGCHLD',
] as const;

const LOST = /IMAGE-LOST|returns to its last checkpoint|Back at the checkpoint|fresh image/;

/**
 * Evaluates once more. SBCL stops its threads with SIGUSR2 and waits for them, so after such a signal from outside, the image no longer
 * answers. The workbench then ends the image, and the image's current requests fail.
 */
const again = async ({ agent }: Trial): Promise<void> => void (await agent.evaluate(':again'));

const signals: Fault[] = [
  {
    family: 'signals',
    name: 'SIGKILL of an idle image',
    told: /by SIGKILL|IMAGE-LOST/,
    inject: async ({ imagePid, agent }) => {
      kill(await imagePid(), 'SIGKILL');
      return agent.evaluate(':after');
    },
  },
  {
    family: 'signals',
    name: 'SIGKILL of an image at work',
    told: /by SIGKILL|IMAGE-LOST/,
    inject: async ({ begin, imagePid }) => {
      const pid = await imagePid();
      const { answer } = await begin('(loop)');
      kill(pid, 'SIGKILL');
      return answer;
    },
  },
  {
    family: 'signals',
    name: 'SIGSTOP and SIGCONT of an image at work',
    told: /=> 55/,
    inject: async ({ begin, imagePid }) => {
      const pid = await imagePid();
      const { answer } = await begin('(progn (sleep 0.2) (+ 50 5))');
      kill(pid, 'SIGSTOP');
      setTimeout(() => kill(pid, 'SIGCONT'), 2_000);
      return answer;
    },
  },
  {
    family: 'signals',
    name: 'SIGSTOP of an image for good',
    told: LOST,
    inject: async ({ begin, imagePid, agent }) => {
      const pid = await imagePid();
      const { answer } = await begin('(sleep 0.5)');
      kill(pid, 'SIGSTOP');
      await agent.call('interrupt-evaluation');
      return answer;
    },
  },
  ...SIGNALS.flatMap((signal): Fault[] => [
    {
      family: 'signals',
      name: `${signal} of an idle image`,
      told: null,
      inject: async ({ imagePid, agent }) => {
        kill(await imagePid(), signal);
        return agent.evaluate(':after');
      },
      wayBack: again,
    },
    {
      family: 'signals',
      name: `${signal} of an image at work`,
      told: null,
      inject: async ({ imagePid, begin }) => {
        const pid = await imagePid();
        const { answer } = await begin('(progn (sleep 0.5) :done)');
        kill(pid, signal);
        return answer;
      },
      wayBack: again,
    },
  ]),
];

const copies: Fault[] = [
  {
    family: 'checkpoints',
    name: 'SIGKILL of one checkpoint',
    told: null,
    inject: async ({ copies, agent, random }) => {
      await agent.call('checkpoint');
      kill(random.pick(await copies()), 'SIGKILL');
      return '';
    },
  },
  {
    family: 'checkpoints',
    name: 'SIGKILL of all checkpoints',
    told: null,
    inject: async ({ copies, agent }) => {
      await agent.call('checkpoint');
      for (const pid of await copies()) kill(pid, 'SIGKILL');
      return '';
    },
  },
  {
    family: 'checkpoints',
    name: 'SIGKILL of all checkpoints and of the image',
    told: LOST,
    inject: async ({ copies, imagePid, agent }) => {
      await agent.call('checkpoint');
      const live = await imagePid();
      for (const pid of [...(await copies()), live]) kill(pid, 'SIGKILL');
      return agent.evaluate(':after');
    },
  },
  {
    family: 'checkpoints',
    name: 'going back to a checkpoint whose process was killed',
    told: /is gone: its process was ended|back at checkpoint|fresh image/,
    inject: async ({ copies, agent }) => {
      const { text } = await agent.call('checkpoint', { label: 'to be killed' });
      for (const pid of await copies()) kill(pid, 'SIGKILL');
      return (await agent.call('rewind', { id: Number(/\d+/.exec(text)?.[0] ?? 0) })).text;
    },
  },
  {
    family: 'checkpoints',
    name: 'SIGKILL of the image right after it went back',
    // The image may end before the evaluation begins, or immediately after the answer.
    told: /SIGKILL|IMAGE-LOST|The image ended/,
    inject: async ({ agent, imagePid }) => {
      const { text } = await agent.call('checkpoint', { label: 'to go back to' });
      await agent.call('rewind', { id: Number(/\d+/.exec(text)?.[0] ?? 0) });
      kill(await imagePid(), 'SIGKILL');
      return agent.evaluate(':after');
    },
  },
  {
    family: 'checkpoints',
    name: 'SIGSTOP of a checkpoint',
    told: null,
    inject: async ({ agent, copies, random }) => {
      await agent.call('checkpoint');
      kill(random.pick(await copies()), 'SIGSTOP');
      return agent.evaluate('(defvar *after-stop* 1)');
    },
  },
];

const exits = evaluated('exits', [
  ['exit without unwinding', '(sb-ext:exit :abort t)', LOST],
  ['exit with a code', '(sb-ext:exit :code 7)', LOST],
  ['exit in a thread', '(sb-thread:join-thread (sb-thread:make-thread (lambda () (sb-ext:exit :abort t))))', LOST],
  ['abort of the C library', '(sb-alien:alien-funcall (sb-alien:extern-alien "abort" (function sb-alien:void)))', LOST],
  [
    '_exit of the C library',
    '(sb-alien:alien-funcall (sb-alien:extern-alien "_exit" (function sb-alien:void sb-alien:int)) 3)',
    LOST,
  ],
  [
    'SIGKILL by itself',
    '(progn (require :sb-posix) (funcall (intern "KILL" :sb-posix) (funcall (intern "GETPID" :sb-posix)) 9))',
    LOST,
  ],
  ['reading at address 0', '(sb-sys:sap-ref-8 (sb-sys:int-sap 0) 0)', /MEMORY-FAULT/],
]);

export const imageFaults: readonly Fault[] = [...signals, ...copies, ...exits];
