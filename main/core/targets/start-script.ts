/**
 * The script that starts an image on a target. The shell runs until the last process of the image has ended, including checkpoints.
 * Otherwise an ssh server would close the input when the started program ends, and a checkpoint that continues needs that input.
 */
import { commandLine, type ImageMemory } from '#core/lisp/process.ts';
import { quoted, quotedPath } from './shell-quoting.ts';

export interface Start {
  readonly sbcl: string;
  readonly core: string;
  /** The start folder on the target; null for the home folder. */
  readonly directory: string | null;
  readonly memory: ImageMemory;
}

/**
 * Returns the script. Its first output line has `ready` and the image's process group, or 0 if the system does not report the group. The
 * wire then uses standard input and output. Output of the image's processes themselves arrives on standard error, through a program that
 * ends with the last of these processes.
 */
export function startScript(mark: string, { sbcl, core, directory, memory }: Start): string {
  const lisp = [sbcl, ...commandLine(core, memory)].map(quoted).join(' ');
  return [
    `say() { printf '\\n%s %s\\n' ${mark} "$*"; }`,
    `cd ${directory === null ? '"$HOME"' : quotedPath(directory)} 2>/dev/null || { say no-folder; exit 0; }`,
    `[ -r ${quoted(core)} ] || { say no-core; exit 0; }`,
    `touch -c ${quoted(core)} 2>/dev/null`,
    'g=0; if [ -r /proc/$$/stat ]; then read -r l </proc/$$/stat; l=${l##*) }; set -- $l; g=$3; else set -- $(ps -o pgid= -p $$ 2>/dev/null); g=${1:-0}; fi',
    'say ready $g',
    'exec 8<&0 9>&1 </dev/null >&2',
    `{ ${lisp} 3<&8 4>&9 8<&- 9>&- 2>&1; printf '\\n\\041exited %s\\n' $? >&9; } | cat 8<&- 9>&-`,
    `printf '\\n\\041closed 0\\n' >&9`,
  ].join('; ');
}

/**
 * Returns the script that sends signals as long as its input is open. Each input line contains a signal and a process. The script answers
 * each with `sent` or `gone`, and sends no signal to a process outside the image's group.
 */
export function signalScript(mark: string, group: string): string {
  const known = `o=0; if [ -r /proc/$p/stat ]; then { read -r l </proc/$p/stat; } 2>/dev/null && { l=\${l##*) }; set -- $l; case $1 in Z|X) ;; *) o=$3 ;; esac; }; else set -- $(ps -o pgid= -p $p 2>/dev/null); o=\${1:-0}; fi`;
  const send = `if [ "$o" = ${quoted(group)} ] && kill -$s $p 2>/dev/null; then say sent $p; else say gone $p; fi`;
  return [
    `say() { printf '\\n%s %s\\n' ${mark} "$*"; }`,
    'say ready',
    `while read -r s p; do ${known}; ${send}; done`,
  ].join('; ');
}
