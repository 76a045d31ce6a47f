/** Classes and generic functions as the image has them. */
import { z } from 'zod';
import { classKind, slotDescription, type MethodDescription, type SlotDescription } from '#contract/introspection.ts';
import { listed, placeText } from './looking-up.ts';
import { explainMissing, inPackage, lookUp, nameOf, packageOf } from './names.ts';
import { defineTool } from './tool.ts';

const classInput = z.strictObject({
  class: nameOf('Name of a class, structure or condition type', '"standard-object"'),
  package: packageOf,
});

export const classSlots = defineTool({
  name: 'class_slots',
  title: 'Slots of a class',
  level: 'safe',
  description:
    'The slots of a class, structure or condition type: types, initargs, initforms, accessors, and whence each comes. Use it before you make an instance or read a slot.',
  input: classInput,
  output: z.object({ name: z.string(), kind: classKind, slots: z.array(slotDescription) }),
  openWorld: false,
  summarize: ({ class: name, package: pkg }) => inPackage(name, pkg),
  run: async ({ class: name, package: pkg }, context) => {
    const asked = { context: context.context, symbol: name, package: pkg ?? null };
    const { class: found } = await lookUp(context, 'class', asked);
    if (!found) return explainMissing(context, name, pkg, 'class');
    const { name: printed, kind, slots } = found;
    const head = `${printed} [${kind}]`;
    const text = slots.length === 0 ? `${head} has no slots.` : `${head}\n${listed(slots.map(slotLine), slots.length)}`;
    return { success: true, text, structured: { name: printed, kind, slots } };
  },
});

export const classHierarchy = defineTool({
  name: 'class_hierarchy',
  title: 'Class hierarchy',
  level: 'safe',
  description:
    'The direct superclasses and subclasses of a class and its precedence list. Use it to see what a class inherits and what a change would reach.',
  input: classInput,
  openWorld: false,
  summarize: ({ class: name, package: pkg }) => inPackage(name, pkg),
  run: async ({ class: name, package: pkg }, context) => {
    const asked = { context: context.context, symbol: name, package: pkg ?? null };
    const { class: found } = await lookUp(context, 'class', asked);
    if (!found) return explainMissing(context, name, pkg, 'class');
    const lines = [
      `${found.name} [${found.kind}] ${placeText(found)}`,
      `Superclasses: ${found.superclasses.join(', ') || 'none'}`,
      `Subclasses: ${found.subclasses.join(', ') || 'none'}`,
      `Precedence: ${found.precedence.join(' → ')}`,
    ];
    return { success: true, text: lines.join('\n') };
  },
});

export const genericFunctionMethods = defineTool({
  name: 'generic_function_methods',
  title: 'Methods of a generic function',
  level: 'safe',
  description:
    'The methods of a generic function with qualifiers, specializers and places, and its method combination. Use it before you add a method, or to see which one runs.',
  input: z.strictObject({
    function: nameOf('Name of the generic function', '"print-object" or "(setf title)"'),
    package: packageOf,
    setf: z
      .boolean()
      .optional()
      .describe('The SETF function of that name instead, as if the name were given as "(setf name)".'),
  }),
  openWorld: false,
  summarize: ({ function: name, package: pkg }) => inPackage(name, pkg),
  run: async ({ function: name, package: pkg, setf }, context) => {
    const asked = { context: context.context, symbol: name, package: pkg ?? null, setf: setf ?? false };
    const { genericFunction } = await lookUp(context, 'generic-function', asked);
    if (!genericFunction) return explainMissing(context, name, pkg, 'generic function');
    const { name: printed, lambdaList, methodCombination, methods, total } = genericFunction;
    const head = `${printed} ${lambdaList}, method combination ${methodCombination}`;
    return { success: true, text: `${head}\n${listed(methods.map(methodLine), total)}` };
  },
});

function slotLine({
  name,
  type,
  initargs,
  initform,
  readers,
  writers,
  allocation,
  from,
  documentation,
}: SlotDescription): string {
  const facts = [
    `type ${type}`,
    ...(allocation === 'instance' ? [] : [`allocation ${allocation}`]),
    ...(initargs.length > 0 ? [`initargs ${initargs.join(' ')}`] : []),
    ...(initform === null ? [] : [`initform ${initform}`]),
    ...(readers.length > 0 ? [`readers ${readers.join(' ')}`] : []),
    ...(writers.length > 0 ? [`writers ${writers.join(' ')}`] : []),
    `from ${from}`,
  ];
  return `${name}: ${facts.join('; ')}${documentation ? `. ${documentation}` : ''}`;
}

function methodLine(method: MethodDescription): string {
  return `${method.name} ${method.lambdaList} ${placeText(method)}`;
}
