/** Files that some program runs or obeys by itself later, when nobody thinks of who wrote them. Pure. */

interface Kind {
  readonly pattern: RegExp;
  readonly words: string;
}

const KINDS: readonly Kind[] = [
  { pattern: /\/(?:\.git|[^/]*\.git)\/hooks(?:\/|$)|\/\.husky\//, words: 'Git runs what is there by itself' },
  {
    pattern:
      /\/\.git\/(?:config|info\/attributes|modules\/.*config)|\/\.git(?:config|attributes|modules)$|\/\.config\/git\//,
    words: 'Git obeys it, and it can name programs that Git runs',
  },
  {
    pattern:
      /\/\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|login|logout|z(?:shrc|shenv|profile|login|logout)|kshrc|m?kshrc|t?cshrc|inputrc|xprofile|xinitrc|xsession|xsessionrc|pam_environment)$|\/\.config\/(?:fish|environment\.d|zsh)(?:\/|$)|^\/etc\/(?:profile|bash\.bashrc|zsh|environment|skel)/,
    words: 'shells and sessions run it when they start',
  },
  {
    pattern: /^\/etc\/(?:cron|anacrontab|at\.)|^\/var\/spool\/(?:cron|at)/,
    words: 'it runs at set times',
  },
  {
    pattern:
      /\/\.config\/(?:autostart|systemd)(?:\/|$)|^\/(?:etc|usr\/lib|lib|run)\/systemd\/|^\/etc\/(?:init\.d|rc\.local|xdg\/autostart)|\/Library\/Launch(?:Agents|Daemons)(?:\/|$)|\/\.local\/share\/(?:systemd|dbus-1|applications)(?:\/|$)/,
    words: 'the system or the desktop starts what it names',
  },
  { pattern: /\/\.ssh(?:\/|$)/, words: 'it decides who may log in here, and how' },
  {
    pattern:
      /\/\.(?:sbclrc|eclrc|clisprc(?:\.lisp)?|cmucl-init\.lisp|ccl-init\.lisp|abclrc|swank\.lisp|swankrc|slynkrc|sly|slime|roswell)(?:\/|$)|\/(?:sbclrc|etc\/sbclrc)$|\/\.config\/common-lisp(?:\/|$)|\/\.cache\/common-lisp(?:\/|$)|\/(?:quicklisp|common-lisp|local-projects)\/|\/\.local\/share\/common-lisp\//,
    words: 'Lisp images load it, or what they find by it, when they start or load a system',
  },
  {
    pattern:
      /\/\.(?:emacs|emacs\.d|vimrc|gvimrc|vim|exrc|nvimrc|lem|nanorc|dir-locals\.el|vscode|idea)(?:\/|$)|\/\.config\/(?:emacs|nvim|lem|doom|zed|Code)(?:\/|$)/,
    words: 'editors run or obey it when they start or open the folder',
  },
  {
    pattern:
      /\/\.(?:claude|codex|gemini|cursor|cline|qwen|continue|copilot|goose|mcp\.json)(?:\/|$)|\/(?:AGENTS|CLAUDE|GEMINI)\.md$|\/\.github\/(?:workflows|copilot)/i,
    words: 'agents, or machines that build the project, run or obey it',
  },
  {
    pattern:
      /\/(?:\.envrc|\.npmrc|\.yarnrc(?:\.yml)?|\.pythonrc|\.pythonstartup|sitecustomize\.py|usercustomize\.py|\.gdbinit|\.lldbinit|\.curlrc|\.wgetrc|\.gitlab-ci\.yml|\.pre-commit-config\.yaml)$/,
    words: 'other programs run or obey it when they start',
  },
  {
    pattern:
      /^\/(?:usr\/(?:local\/)?)?s?bin\/|\/\.local\/bin\/|^\/(?:home\/[^/]+|root|Users\/[^/]+)\/bin\/|\/\.cargo\/bin\//,
    words: 'it takes the place of a program, or becomes one, that is run by its name alone',
  },
  { pattern: /^\/(?:etc|boot|sys|proc\/sys)\//, words: 'it is part of how this system works' },
  { pattern: /^\/dev\/(?:sd|hd|vd|nvme|mmcblk|mem|kmsg|input|loop|dm-|mapper)/, words: 'it is a device, not a file' },
];

/** Returns, in words, what runs or obeys a file by itself; null when nothing is known to. */
export function runsLater(path: string): string | null {
  return KINDS.find(({ pattern }) => pattern.test(path))?.words ?? null;
}
