/** Checks the name of a new project, which must be valid for an ASDF system, a package and a folder. */

const LONGEST = 64;

/** Names of existing packages and systems, which a new project cannot have. */
const TAKEN =
  /^(?:cl|cl-user|common-lisp|common-lisp-user|keyword|asdf|asdf-user|uiop|t|nil|sb-.*|asdf[-/.].*|uiop[-/.].*)$/;
/** The name of the workbench's own package in each image; a project with this name would redefine that package. */
const OWN = 'lisp-workbench';
/** Names that Windows reserves for devices. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/;

/** Returns the reason why a project name is invalid, with a way to fix it; null if the name is valid. */
export function nameFault(name: string): string | null {
  if (name === '') return 'A project needs a name.';
  if (name.length > LONGEST) return `A name can have at most ${LONGEST} characters.`;
  if (/[/\\]/.test(name)) return 'A name cannot contain slashes. The tests get their own system automatically.';
  const better = name.trim().toLowerCase().replaceAll(/\s+/g, '-');
  if (name !== name.toLowerCase()) return `ASDF finds systems by lower-case names: ${better}.`;
  if (/\s/.test(name)) return `A name cannot contain spaces: ${better}.`;
  if (name.endsWith('.asd')) return `Omit .asd: ${name.slice(0, -4)}.`;
  if (!/^[a-z]/.test(name)) return 'A name must start with a letter from a to z.';
  if (!/^[a-z0-9._+-]+$/.test(name)) return 'A name can contain only letters from a to z, digits, and - . _ +';
  if (/[._-]$/.test(name)) return 'A name must end with a letter or a digit.';
  if (TAKEN.test(name)) return `${name} is a package of Common Lisp or SBCL. Choose another one.`;
  if (name === OWN) return `${name} is the workbench’s own package in the image. Choose another name.`;
  if (DEVICES.test(name)) return `${name} is a reserved name on Windows. Choose another name.`;
  return null;
}
