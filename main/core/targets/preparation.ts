/**
 * Prepares a target for images: finds SBCL and the core with the engine there. If the target does not have the core yet, it is built there
 * from sources that are sent over the connection. The target needs only `sh` and SBCL.
 */
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Target } from '#contract/target.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { digestOf, engineFiles } from '#core/lisp/start/engine-files.ts';
import { isRecent, OLDEST_SBCL } from '#core/lisp/start/sbcl.ts';
import { ConnectionFault } from '#core/lisp/start/start-fault.ts';
import { connect, nonce } from './connection.ts';
import { endedEarly, silenceWords } from './faults.ts';
import { quoted, quotedPath } from './shell-quoting.ts';

export interface Prepared {
  /** Absolute path of SBCL on the target. */
  readonly sbcl: string;
  readonly version: string;
  /** Absolute path of the engine's core on the target. */
  readonly core: string;
  /** The real path of the folder that contains the core. */
  readonly cache: string;
}

export interface PreparationRequest {
  readonly target: Target;
  /** The folder on the target in which images start; null for the home folder. */
  readonly directory: string | null;
  /** The engine's sources on this machine. */
  readonly sources: string;
  readonly environment: NodeJS.ProcessEnv;
  /** A folder for cores that an earlier preparation created because there was no other; null if there is none. */
  readonly cache: string | null;
  /** True to build the core even if it exists. */
  readonly anew: boolean;
  /** Called when a step is reached. */
  readonly reached?: (step: 'connected' | 'sbcl' | 'building' | 'core', words: string) => void;
}

const CONNECT_LIMIT_MS = 60_000;
const BUILD_LIMIT_MS = 600_000;
/** The disk space, in kilobytes, that a core and its build need. */
const CORE_KILOBYTES = 80 * 1024;

/** Prepares a target. @throws WorkbenchError `no-sbcl` or a ConnectionFault, each with advice. */
export async function prepare(request: PreparationRequest): Promise<Prepared> {
  const { target, directory, environment, cache, sources, anew, reached } = request;
  const mark = nonce();
  const connection = connect(target, mark, findingScript(mark, target.sbcl, directory, cache), environment);
  const limit = new Limit(() => connection.end());
  try {
    limit.set(CONNECT_LIMIT_MS, () => silenceWords(target, connection.said()));
    await connection.first;
    reached?.('connected', '');
    const lines = createInterface({ input: connection.output, crlfDelay: Infinity })[Symbol.asyncIterator]();
    /** Returns the next line that our script printed, and skips lines that SBCL on the target printed. */
    const next = async (): Promise<[string, string]> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw endedEarly(target, connection.said());
        const [, word, words] =
          /^(\S+) ?(.*)$/.exec(value.startsWith(`${mark} `) ? value.slice(mark.length + 1) : '') ?? [];
        if (word !== undefined) return [word, words ?? ''];
      }
    };
    const expect = async (wanted: string): Promise<string> => {
      const [word, words] = await next();
      if (word === wanted) return words;
      throw faultOf(target, directory, word, words);
    };
    const version = (await expect('version')).replace(/^SBCL /, '');
    if (!isRecent(version))
      throw new WorkbenchError(
        'no-sbcl',
        `The target ${target.name} has SBCL ${version}, but Lisp Workbench needs ${OLDEST_SBCL.join('.')} or newer. Install it there, and enter its path in the target's settings.`,
      );
    const sbcl = await expect('sbcl');
    const folder = await expect('cache');
    connection.input.write(`${SERVER.replace('MARK', JSON.stringify(mark))}\n`);
    const identity = await expect('identity');
    reached?.('sbcl', `SBCL ${version} at ${sbcl}`);
    const name = nameOf(identity, digestOf(sources));
    connection.input.write(`("${name}" ${anew ? 't' : 'nil'})\n`);
    const core = `${folder}/${name}`;
    if ((await expect('core')) === 'missing') {
      reached?.('building', '');
      limit.set(
        BUILD_LIMIT_MS,
        () => `The engine's core could not be built on the target ${target.name} within ten minutes.`,
      );
      connection.input.write(sourcesAsForms(sources));
      let [word, words] = await next();
      let room = '';
      if (word === 'room') {
        room = words;
        [word, words] = await next();
      }
      if (word !== 'built') throw buildFault(target, version, words, folder, room);
    }
    reached?.('core', core);
    return { sbcl, version, core, cache: folder };
  } catch (error) {
    throw limit.exceeded ?? error;
  } finally {
    limit.clear();
    connection.end();
  }
}

/**
 * Returns the name of a core, which is different for each engine and each SBCL. The identity is the data that SBCL reports about its own
 * files.
 */
function nameOf(identity: string, digest: string): string {
  return `engine-${createHash('sha256').update(identity).update(digest).digest('hex').slice(0, 24)}.core`;
}

function sourcesAsForms(sources: string): string {
  const forms = engineFiles(sources).map(({ name, text }) => `(${lispText(name)} ${lispText(text)})`);
  return `${forms.join('\n')}\nnil\n`;
}

function lispText(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (char) => `\\${char}`)}"`;
}

/**
 * Returns the script that finds SBCL and a folder for cores that only its user can write, and then makes SBCL read and evaluate one form.
 */
function findingScript(mark: string, sbcl: string, directory: string | null, known: string | null): string {
  return [
    'umask 077',
    `say() { printf '%s %s\\n' ${mark} "$*"; }`,
    `printf '\\n'`,
    'say connected',
    ...(directory === null ? [] : [`[ -d ${quotedPath(directory)} ] || { say no-folder; exit 0; }`]),
    `s=$(command -v ${quotedPath(sbcl)}) || { say no-sbcl ${quoted(sbcl)}; exit 0; }`,
    'v=$("$s" --version 2>&1 </dev/null | head -n 1)',
    'case $v in "SBCL "*) say version "$v" ;; *) say no-version "$v"; exit 0 ;; esac',
    'say sbcl "$s"',
    `c=\${XDG_CACHE_HOME:-$HOME/.cache}/lisp-workbench`,
    ...(known === null ? [] : [`k=${quoted(known)}; [ -w "$k/" ] && c=$k`]),
    '{ mkdir -p "$c" && [ -w "$c/" ]; } 2>/dev/null || c=$(mktemp -d "${TMPDIR:-/tmp}/lisp-workbench-core-XXXXXX" 2>/dev/null) || { say no-cache; exit 0; }',
    'c=$(CDPATH= cd "$c" && pwd -P)',
    'say cache "$c"',
    `exec "$s" --noinform --no-sysinit --no-userinit --non-interactive --eval ${quoted(READING)} --end-toplevel-options "$s" "$c"`,
  ].join('; ');
}

/**
 * The form given to SBCL on its command line. It sets UTF-8 as the encoding of all files, because the default differs between machines, and
 * then evaluates the next form from standard input.
 */
const READING =
  '(progn (setf sb-impl::*default-external-format* :utf-8) (defvar cl-user::*in* (sb-sys:make-fd-stream 0 :input t :buffering :full :external-format :utf-8)) (eval (read cl-user::*in*)))';

/** The form that SBCL then reads. It reports the identity of this SBCL, and builds the core from sources if there is none. */
const SERVER = String.raw`
(let* ((arguments (last sb-ext:*posix-argv* 2))
       (sbcl (first arguments))
       (cache (sb-ext:parse-native-namestring (second arguments) nil *default-pathname-defaults* :as-directory t))
       (out (sb-sys:make-fd-stream 1 :output t :buffering :full :external-format :utf-8)))
  (labels ((say (&rest words)
             (format out "~&~A~{ ~A~}~%" MARK words)
             (finish-output out))
           (stamp (file)
             (and file (probe-file file)
                  (with-open-file (stream file :element-type '(unsigned-byte 8))
                    (format nil "~A:~D:~D" (sb-ext:native-namestring file) (file-length stream) (file-write-date file)))))
           (one-line (text)
             (substitute #\Space #\Return (substitute #\Space #\Newline text)))
           (last-words (text)
             (let ((said (string-trim '(#\Space #\Newline) text)))
               (one-line (subseq said (max 0 (- (length said) 1500))))))
           ;; The room that is left in kilobytes and the place of the file system, as the last line of df has them.
           (say-room ()
             (let ((line (ignore-errors
                          (with-output-to-string (text)
                            (sb-ext:run-program "df" (list "-kP" (second arguments)) :search t :input nil :output text
                                                :error nil)))))
               (say "room" (one-line (string-trim '(#\Space #\Newline) (or line ""))))))
           (write-sources (folder)
             (loop for form = (read cl-user::*in*)
                   while form
                   do (let ((file (merge-pathnames (sb-ext:parse-native-namestring (first form)) folder)))
                        (ensure-directories-exist file)
                        (with-open-file (stream file :direction :output :if-exists :error :external-format :utf-8)
                          (write-string (second form) stream)))))
           (old-p (file)
             (let ((date (ignore-errors (file-write-date file))))
               (and date (> (- (get-universal-time) date) (* 30 24 60 60)))))
           (build (folder core)
             (let* ((part (concatenate 'string (sb-ext:native-namestring folder) "engine.core"))
                    (text (make-string-output-stream))
                    (process (sb-ext:run-program
                              sbcl
                              (list "--noinform" "--non-interactive" "--no-sysinit" "--no-userinit"
                                    "--eval" "(setf sb-impl::*default-external-format* :utf-8)"
                                    "--load" (concatenate 'string (sb-ext:native-namestring folder) "build.lisp"))
                              :search t :input nil :output text :error :output
                              :environment (cons (format nil "LISP_WORKBENCH_CORE=~A" part) (sb-ext:posix-environ))))
                    (said (get-output-stream-string text)))
               (if (and (eql 0 (sb-ext:process-exit-code process)) (probe-file part))
                   (progn (rename-file part core) (list "built"))
                   (list "failed" (last-words said))))))
    (say "identity" (one-line (format nil "~A|~A|~A|~A" (lisp-implementation-version) (machine-type)
                                      (stamp sb-ext:*runtime-pathname*) (stamp sb-ext:*core-pathname*))))
    (destructuring-bind (name anew) (read cl-user::*in*)
      (let ((core (merge-pathnames name cache))
            (folder (merge-pathnames (format nil "build-~36R/" (random (expt 36 12) (make-random-state t))) cache)))
        (when (and anew (probe-file core)) (ignore-errors (delete-file core)))
        (if (probe-file core)
            (say "core" "present")
            ;; The other end ends the connection at the last word, so that is said when nothing is left to do.
            (let ((outcome
                   (handler-case
                       (unwind-protect
                            (progn
                              (say "core" "missing")
                              (write-sources folder)
                              (build folder core))
                         (ignore-errors (sb-ext:delete-directory folder :recursive t))
                         (dolist (file (directory (merge-pathnames "engine-*.core" cache)))
                           (when (old-p file) (ignore-errors (delete-file file))))
                         (dolist (left (directory (merge-pathnames "build-*/" cache)))
                           (when (old-p left) (ignore-errors (sb-ext:delete-directory left :recursive t)))))
                     (error (condition) (list "failed" (last-words (princ-to-string condition)))))))
              (when (equal "failed" (first outcome)) (say-room))
              (apply #'say outcome)))))))
`;

function faultOf(target: Target, directory: string | null, word: string, words: string): Error {
  const { name } = target;
  switch (word) {
    case 'no-folder':
      return new ConnectionFault(
        `The folder ${directory} does not exist on the target ${name}. Copy the project there, with a mount, a checkout or rsync, or enter its folder there in the target's settings.`,
        false,
      );
    case 'no-sbcl':
      return new WorkbenchError(
        'no-sbcl',
        `SBCL was not found on the target ${name}: its shell cannot find ${words}. Install SBCL there, or enter its absolute path in the target's settings.`,
      );
    case 'no-version':
      return new WorkbenchError(
        'no-sbcl',
        `${target.sbcl} on the target ${name} is not a working SBCL: it answered ${JSON.stringify(words.slice(0, 100))} to --version. Enter the path of SBCL there in the target’s settings.`,
      );
    case 'no-cache':
      return new ConnectionFault(
        `The target ${name} has no writable folder for the workbench’s core: neither ~/.cache/lisp-workbench nor a folder for temporary files. Make one of them writable there.`,
        false,
      );
    case 'failed':
      return buildFault(target, '', words, null, '');
    default:
      return new ConnectionFault(`The target ${name} sent an unexpected reply: ${word} ${words}`, false);
  }
}

/**
 * Returns the error of a failed build. `folder` is the target's folder of cores; null if unknown. `room` is the output of df for its file
 * system.
 */
function buildFault(target: Target, version: string, words: string, folder: string | null, room: string): Error {
  // Also checks the free space, because SBCL's message may be in another language, or be about a part of the core that could not be read
  // back.
  const [, free, mount] = /\s(-?\d+)\s+\d+%\s+(\/.*)$/.exec(room) ?? [];
  const lacksRoom = free !== undefined && Number(free) < CORE_KILOBYTES;
  if (lacksRoom || /No space left|ENOSPC|Disk quota/i.test(words)) {
    const where =
      mount === undefined
        ? ''
        : `, the file system ${mount} with ${Math.max(0, Math.floor(Number(free) / 1024))} MB left,`;
    const which = folder === null ? '' : ` in ${folder}`;
    return new ConnectionFault(
      `The disk of the target ${target.name}${where} has no space for the engine’s core${which}, which needs about ${CORE_KILOBYTES / 1024} MB. Free some space there: you can delete files engine-*.core in that folder, which are rebuilt when needed. Or set XDG_CACHE_HOME there to a folder on another disk.`,
      false,
    );
  }
  const lacks = /SBCL \S+ lacks .*$/.exec(words)?.[0];
  return new WorkbenchError(
    'no-sbcl',
    `SBCL ${version} on the target ${target.name} could not build the engine's core: ${lacks ?? words}`,
  );
}

/** A time limit, with the sentence that reports it. */
class Limit {
  exceeded: ConnectionFault | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #end: () => void;

  constructor(end: () => void) {
    this.#end = end;
  }

  set(ms: number, words: () => string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.exceeded = new ConnectionFault(words(), true);
      this.#end();
    }, ms);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
