/**
 * Files that configure other programs: what such a file can start, and when. Changing one has effects beyond the project and the sandbox.
 */
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { foldedPath } from './files/folded-path.ts';

interface Kind {
  /** Matches the file's folded path, which has `/` before each path component. */
  readonly pattern: RegExp;
  readonly words: string;
}

/** Files that configure a program in any folder. More specific kinds come first. */
const ANYWHERE: readonly Kind[] = [
  {
    pattern: /\/[^/]*\.git\/hooks(?:\/|$)|\/\.(?:husky|githooks)(?:\/|$)|\/(?:\.pre-commit-config|\.?lefthook)\.ya?ml$/,
    words: 'Git runs it at the next commit, checkout, merge or push.',
  },
  {
    pattern: /\/[^/]*\.git(?:\/|$)|\/\.git(?:config|attributes|modules)$|\/\.config\/git(?:\/|$)/,
    words: 'Git reads it at its next command, and it can name programs that Git then runs.',
  },
  {
    pattern: /\/\.claude(?:\/|\.json|$)|\/\.claude-plugin(?:\/|$)/,
    words: 'Claude Code reads it when it starts, and it can name commands that Claude Code then runs or allows.',
  },
  {
    pattern: /\/\.?mcp\.json$/,
    words: 'AI programs start the servers that it names when they open this folder.',
  },
  {
    pattern:
      /\/\.github\/(?:copilot-|instructions|prompts|chatmodes|agents|skills)|\/(?:agents?|claude|gemini|qwen|copilot|crush|skill)(?:\.[\w-]+)?\.md$|\/\.(?:cursor|windsurf|cline|roo)rules(?:-[\w-]+)?$|\/\.roomodes$/,
    words: 'AI programs follow it as instructions when they work in this folder.',
  },
  {
    pattern:
      /\/\.(?:codex|gemini|qwen|opencode|copilot|cursor|cline|clinerules|continue|goose|kimi|kimi-code|windsurf|roo|kiro|amazonq|junie|devin|factory|augment|trae|crush|agents?|vibe)(?:\/|$)|\/(?:opencode|crush|gemini-extension)\.jsonc?$|\/\.aider[^/]*$/,
    words: 'An AI program reads it when it starts, and it can name commands that this program then runs.',
  },
  {
    pattern:
      /\/\.(?:github|gitea|forgejo)\/(?:workflows|actions)(?:\/|$)|\/\.(?:circleci|woodpecker|builds)(?:\/|$)|\/(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|\.build|\.?appveyor|azure-pipelines|bitbucket-pipelines)\.ya?ml$|\/jenkinsfile$/,
    words: 'A build server runs the commands in it after the next push.',
  },
  {
    pattern: /\/\.devcontainer(?:\/|\.json$|$)/,
    words: 'An editor builds and starts the container that it describes, with its commands, when it opens this folder.',
  },
  {
    pattern:
      /\/\.(?:vscode|idea|fleet|zed|emacs|emacs\.d|doom\.d|vim|vimrc|gvimrc|exrc|nvimrc|nvim\.lua|lem|nanorc|dir-locals(?:-2)?\.el)(?:\/|$)|\/\.config\/(?:emacs|doom|nvim|vim|lem|zed|code[^/]*)(?:\/|$)|\.(?:code-workspace|sublime-project)$/,
    words:
      'An editor reads it when it starts or opens this folder, and it can name commands that the editor then runs.',
  },
  {
    pattern: /\/\.envrc$|\/\.direnv(?:\/|$)|\/\.?mise(?:\.[\w-]+)?\.toml$|\/\.autoenv[^/]*$|\/\.env\.zsh$/,
    words: 'A shell runs it when it enters this folder.',
  },
  {
    pattern: /\/\.env(?:\.[\w-]+)*$/,
    words:
      'Programs that start in this folder read it as their environment, which can name other programs and servers.',
  },
  {
    pattern:
      /\/\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|login|logout|z(?:shrc|shenv|profile|login|logout)|m?kshrc|t?cshrc|inputrc|xprofile|xinitrc|xsession|xsessionrc|pam_environment)$|\/\.config\/(?:fish|zsh|nushell|environment\.d)(?:\/|$)|\/(?:microsoft\.powershell_)?profile\.ps1$/,
    words: 'Shells and sessions run it when they start.',
  },
  {
    pattern:
      /\/\.config\/(?:autostart|systemd)(?:\/|$)|\/\.local\/share\/(?:systemd|dbus-1|applications)(?:\/|$)|\/library\/launch(?:agents|daemons)(?:\/|$)|\.desktop$/,
    words: 'The system or the desktop starts the programs that it names, also at the next login.',
  },
  { pattern: /\/(?:ana)?crontabs?(?:\/|$)/, words: 'The system runs the commands in it at set times.' },
  {
    pattern: /\/\.ssh(?:\/|$)|\/authorized_keys$|\/\.netrc$/,
    words: 'It decides who can log in to this machine or from it, and ssh can run commands that it names.',
  },
  {
    pattern:
      /\/\.(?:sbclrc|eclrc|clisprc(?:\.lisp)?|cmucl-init\.lisp|ccl-init\.lisp|abclrc|swank\.lisp|swankrc|slynkrc|sly|slime|roswell)(?:\/|$)|\/sbclrc$|\/ccl-init\.lisp$/,
    words: 'Lisp runs it when an image starts.',
  },
  {
    pattern:
      /\/\.qlot(?:\/|$)|\/qlfile(?:\.lock)?$|\/(?:ocicl|systems)\.csv$|\/\.(?:config|cache|local\/share)\/common-lisp(?:\/|$)/,
    words: 'It decides which code Lisp loads when the next system is loaded.',
  },
  {
    pattern: /\/package\.json$|\/\.(?:npm|pnpm|yarn)rc(?:\.ya?ml)?$|\/\.pypirc$|\/\.cargo\/config(?:\.toml)?$/,
    words:
      'A package manager reads it at its next command, and it can name scripts and servers that this command uses.',
  },
  {
    pattern:
      /\/(?:gnu)?makefile$|\/\.?justfile$|\/taskfile\.ya?ml$|\/(?:dockerfile|containerfile)(?:\.[\w-]+)?$|\/(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/,
    words: 'The next build runs the commands in it, outside the sandbox of the image.',
  },
  {
    pattern:
      /\/(?:\.pythonrc|\.pythonstartup|sitecustomize\.py|usercustomize\.py|\.gdbinit|\.lldbinit|\.curlrc|\.wgetrc|\.screenrc|\.tmux\.conf)$/,
    words: 'Another program reads it when it starts, and it can name commands that this program then runs.',
  },
  {
    pattern: /\/[^/~.]{1,6}~\d+(?:\.[^/.~]{1,3})?(?:\/|$)/,
    words: 'On FAT and NTFS this is also the short name of another file, which can configure a program.',
  },
];

/** Files of the machine and of the person that configure other programs only if they are outside the project. */
const OUTSIDE: readonly Kind[] = [
  { pattern: /\.asd$/, words: 'ASDF loads it when a system of its name is loaded, in other projects and images too.' },
  {
    pattern: /\/(?:quicklisp|common-lisp|local-projects|ocicl)\//,
    words: 'Lisp loads systems from there when another project needs them.',
  },
  {
    pattern: /\/\.config(?:\/|$)/,
    words: 'A program reads it when it starts, and it can change what this program does.',
  },
  {
    pattern: /^\/etc\/(?:cron|anacron|at\.)|^\/var\/spool\/(?:cron|at)/,
    words: 'The system runs the commands in it at set times.',
  },
  {
    pattern: /^\/etc\/(?:profile|bash\.bashrc|zsh|environment|skel)/,
    words: 'Shells and sessions run it when they start.',
  },
  {
    pattern: /^\/(?:etc|usr\/lib|lib|run)\/systemd\/|^\/etc\/(?:init\.d|rc\.local|xdg\/autostart)/,
    words: 'The system or the desktop starts the programs that it names, also at the next login.',
  },
  {
    pattern:
      /^\/(?:usr\/(?:local\/)?)?s?bin\/|\/\.local\/bin\/|\/\.cargo\/bin\/|^\/(?:home\/[^/]+|root|users\/[^/]+)\/bin\/[^/]+$/,
    words: 'Shells and programs run it when its name is called.',
  },
  { pattern: /^\/(?:etc|boot|sys|proc\/sys)\//, words: 'It is part of how this system works.' },
  { pattern: /^\/dev\/(?:sd|hd|vd|nvme|mmcblk|mem|kmsg|input|loop|dm-|mapper)/, words: 'It is a device, not a file.' },
];

/** The maximum number of folder entries to check, at all levels together; more would block the window. */
const MOST_ENTRIES = 5_000;

/**
 * Returns a sentence about what the file can start and when; null for a file that configures no other program.
 *
 * @param file an absolute path, or one below the project.
 * @param project the project's folder; null if none is open. Inside it, system definitions are ordinary files.
 */
export function configuringFile(file: string, project: string | null): string | null {
  const outside = path.resolve(project ?? '/', file);
  const inside = project === null ? null : path.relative(project, outside);
  if (project === null || inside === null || inside === '..' || inside.startsWith(`..${path.sep}`))
    return wordsOf(outside, [...ANYWHERE, ...OUTSIDE]);
  // Only the last two folders above the project are included, because a work tree can be anywhere, even below a hidden folder.
  const above = project.split(path.sep).filter(Boolean).slice(-2);
  return wordsOf(['', ...above, inside].join('/'), ANYWHERE);
}

/**
 * Returns the sentence of `configuringFile` for the first such file below a folder; null if there is none, or if `folder` is not a folder
 * of this machine. A folder that is too large to check counts as containing such files.
 *
 * @param moved the path of the folder after a move; null if it stays.
 */
export function configuringFileBelow(
  folder: string,
  project: string | null,
  moved: string | null = null,
): string | null {
  const waiting = [folder];
  let looked = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const entry of entriesOf(next)) {
      if ((looked += 1) > MOST_ENTRIES)
        return 'The folder has too many files to be checked, and some of them may configure other programs.';
      const file = path.join(next, entry.name);
      const relative = path.relative(folder, file);
      const words =
        configuringFile(file, project) ??
        (moved === null ? null : configuringFile(path.join(moved, relative), project));
      if (words !== null) return `The folder contains ${relative}. ${words}`;
      if (entry.isDirectory()) waiting.push(file);
    }
  }
  return null;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not a folder, or an unreadable one
  }
}

/**
 * Returns the sentence for a file of one of these kinds; null if there is none. Names are compared as on file systems that treat several
 * names as the same file.
 */
function wordsOf(file: string, kinds: readonly Kind[]): string | null {
  const plain = foldedPath(file);
  return kinds.find(({ pattern }) => pattern.test(plain))?.words ?? null;
}
