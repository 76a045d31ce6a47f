/**
 * The script that starts an image on a target. The shell stays until the last process of the image has ended, checkpoints included: a
 * server of ssh closes the input of what it started as soon as that ends, and a checkpoint that goes on needs it.
 */
import { commandLine, type ImageMemory } from '#core/lisp/process.ts';
import { quoted, quotedPath } from './shell-quoting.ts';

export interface Start {
  readonly sbcl: string;
  readonly core: string;
  /** The folder there; null for the home folder. */
  readonly directory: string | null;
  readonly memory: ImageMemory;
}

/**
 * The first line has `ready` and the group of the image's processes, 0 where the system does not tell. The wire is then on standard input and
 * output; what the image's processes write by themselves comes on standard error, through a program that ends with the last of them.
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
 * The script that sends signals for as long as its input lasts: lines of a signal and a process. It answers each with `sent` or `gone`, and
 * sends none to what is not in the group of the image.
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
