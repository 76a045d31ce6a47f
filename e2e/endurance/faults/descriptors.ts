/** Faults of the image's descriptors: descriptors that are closed, code that writes to the wire, and floods of output. */
import { evaluated, type Fault } from './fault.ts';

const write = (descriptor: number, octets: string): string =>
  `(let ((it ${octets})) (sb-sys:with-pinned-objects (it) (sb-unix:unix-write ${descriptor} (sb-sys:vector-sap it) 0 (length it))))`;
const text = (characters: string): string => `(sb-ext:string-to-octets ${JSON.stringify(characters)})`;
const random = '(map-into (make-array 5000 :element-type (quote (unsigned-byte 8))) (lambda () (random 256)))';

const descriptors: Fault[] = evaluated(
  'descriptors',
  [
    ...[0, 1, 2].map(
      (each) => [`descriptor ${each} closed`, `(progn (sb-unix:unix-close ${each}) :closed)`, /=> :CLOSED/] as const,
    ),
    ['descriptor 3 closed, from which the wire is read', '(progn (sb-unix:unix-close 3) :closed)', /./],
    ['descriptor 4 closed, to which the wire is written', '(progn (sb-unix:unix-close 4) :closed)', /./],
    ['text on the wire', write(4, text('this is no frame at all\n')), /./],
    ['random octets on the wire', write(4, random), /./],
    ['a frame on the wire that is no event', write(4, text('00000c{"event":"x"}')), /./],
    [
      'octets read from the wire',
      '(let ((it (make-array 4 :element-type (quote (unsigned-byte 8))))) (sb-sys:with-pinned-objects (it) (sb-unix:unix-read 3 (sb-sys:vector-sap it) 4)))',
      /./,
    ],
    [
      'all descriptors used up',
      '(let ((all nil)) (unwind-protect (handler-case (loop (push (open "/dev/null") all)) (error (it) (type-of it))) (mapc (function close) all)))',
      /=>|ERROR/,
    ],
  ],
  {
    // When an image no longer reads, the request to it is lost. The sender is notified and sends the request again.
    wayBack: async ({ agent }) => void (await agent.evaluate(':again')),
  },
);

const floods: Fault[] = evaluated('floods', [
  [
    '40 MB of output',
    '(let ((it (make-string 1000 :initial-element #\\y))) (loop repeat 40000 do (write-line it)) :printed)',
    /:PRINTED/,
  ],
  ['20 MB past the streams of Lisp', `(loop repeat 4000 do ${write(1, random)} finally (return :printed))`, /:PRINTED/],
  ['a value of 20 million characters', '(make-string 20000000 :initial-element #\\z)', /zzz/],
  [
    'output of threads that go on',
    '(progn (dotimes (i 4) (sb-thread:make-thread (lambda () (loop repeat 20000 do (write-line "on and on"))))) :begun)',
    /:BEGUN/,
  ],
  [
    'one line of a million characters',
    '(progn (princ (make-string 1000000 :initial-element #\\w)) :printed)',
    /:PRINTED/,
  ],
]);

export const descriptorFaults: readonly Fault[] = [...descriptors, ...floods];
