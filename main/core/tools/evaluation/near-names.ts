/** Suggests names that were probably meant, if an evaluation did not find a name. */
import type { ConditionRecord } from '#contract/image/condition.ts';
import { suggestionText } from '#core/base/suggestions.ts';
import type { ToolContext } from '../tool.ts';

const NO_PACKAGE = /^(?:Package|The name) "?([^\s"]+)"? does not (?:exist|designate any package)/i;
const NO_MEANING = /^The (?:function|variable) (\S+) is (?:undefined|unbound)/;
const NO_SYSTEM = /^Component "?([^\s"]+)"? not found/;
const NO_SYMBOL = /^Symbol "?([^\s"]+)"? not (?:found|external) in the (\S+) package/i;

/** Returns a sentence with similar names, for an error about an unknown name; empty for any other error, or if no name is similar. */
export async function nearNames(
  { session, connectionId, howToCall }: Pick<ToolContext, 'session' | 'connectionId' | 'howToCall'>,
  { message }: Pick<ConditionRecord, 'message'>,
): Promise<string> {
  /** Returns how the caller calls a tool with these arguments. */
  const called = (tool: string, args: object): string => {
    const way = howToCall(tool);
    const given = JSON.stringify(args);
    return way.includes('{…}') ? way.replace('{…}', given) : `${way} ${given}`;
  };
  const [, noPackage] = NO_PACKAGE.exec(message) ?? [];
  if (noPackage !== undefined) {
    const { packages } = await session.lookUp('packages', {});
    const names = packages.flatMap(({ name, nicknames }) => [name, ...nicknames]);
    const { systems } = await session.lookUp('systems', { context: connectionId });
    const system = systems.find(({ name, loaded }) => !loaded && name === noPackage.toLowerCase());
    if (system) return `The system ${system.name} is not loaded: load-system loads it.`;
    const name = noPackage.toLowerCase();
    const provided = await session.libraries?.provides(name);
    if (/^(?:ql|quicklisp)$/i.test(noPackage)) {
      const tool = (await session.libraries?.provides('')) === null ? 'install_library' : 'load_system';
      return `This image has no Quicklisp client, and needs none: ${howToCall(tool)} also installs libraries.`;
    }
    if (provided)
      return `A library called ${name} is not loaded. To install and load it: ${called('load_system', { system: name })}`;
    return suggestionText(noPackage, names).trim();
  }
  const [, noSystem] = NO_SYSTEM.exec(message) ?? [];
  if (noSystem !== undefined) {
    const name = noSystem.replace(/^#?:/, '').toLowerCase();
    const provided = await session.libraries?.provides(name);
    if (provided) return `A dist has it. To install and load it: ${called('load_system', { system: name })}`;
    const { systems } = await session.lookUp('systems', { context: connectionId });
    const offered = (await session.libraries?.names()) ?? [];
    const near = suggestionText(name, [...systems.map((each) => each.name), ...offered]).trim();
    if (near !== '') return near;
    if (provided === false) return `No dist provides ${name}; ${howToCall('find_library')} searches them.`;
    // Without dists, a load does not look for libraries on the network.
    return provided === null ? `If it is a library: ${called('install_library', { name })} installs it.` : '';
  }
  const [, noMeaning] = NO_MEANING.exec(message) ?? [];
  const [, symbol = noMeaning, pkg = null] = NO_SYMBOL.exec(message) ?? [];
  if (symbol === undefined) return '';
  const { near } = await session.lookUp('describe-symbol', { context: connectionId, symbol, package: pkg });
  return near.length > 0 ? `Did you mean ${near.join(', ')}?` : '';
}
