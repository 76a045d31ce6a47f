/** Files that configure other programs of the person: whoever writes one can have something run outside the image. */

/** Folders whose files configure a program, by name, with what that can start. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['.git', 'Git runs hooks and programs that it names.'],
  ['.claude', 'Claude Code takes hooks, permissions and servers from it.'],
  ['.codex', 'Codex takes its permissions and servers from it.'],
  ['.gemini', 'Gemini CLI takes its permissions and servers from it.'],
  ['.cursor', 'Cursor takes rules and servers from it.'],
  ['.vscode', 'VS Code starts tasks and programs that it names.'],
  ['.idea', 'JetBrains programs start what it names.'],
  ['.github', 'GitHub runs the workflows in it.'],
  ['.husky', 'Git runs the hooks in it.'],
]);

/** Files that configure a program, by name, with what that can start. */
const FILES: ReadonlyMap<string, string> = new Map([
  ['.mcp.json', 'AI programs start the servers that it names.'],
  ['.envrc', 'direnv runs it in a shell.'],
  ['agents.md', 'AI programs follow the instructions in it.'],
  ['claude.md', 'Claude Code follows the instructions in it.'],
  ['gemini.md', 'Gemini CLI follows the instructions in it.'],
  ['.gitmodules', 'Git fetches the repositories that it names.'],
  ['.gitattributes', 'Git starts filters that it names.'],
  ['.gitconfig', 'Git starts programs that it names.'],
  ['.dir-locals.el', 'Emacs evaluates forms of it.'],
  ['.sbclrc', 'SBCL loads it at each start.'],
  ['.bashrc', 'A shell runs it.'],
  ['.bash_profile', 'A shell runs it.'],
  ['.profile', 'A shell runs it.'],
  ['.zshrc', 'A shell runs it.'],
  ['.zshenv', 'A shell runs it.'],
  ['.zprofile', 'A shell runs it.'],
]);

/** Returns a sentence about what a file at this path can start, whatever the case of its name; null if it configures no program. */
export function configuringFile(path: string): string | null {
  const parts = path.toLowerCase().split(/[\\/]/);
  const folder = parts.find((part) => FOLDERS.has(part));
  return (folder === undefined ? undefined : FOLDERS.get(folder)) ?? FILES.get(parts.at(-1) ?? '') ?? null;
}
