/** Tools that describe classes and generic functions of the image. */
import { z } from 'zod';
import {
  classKind,
  slotDescription,
  type MethodDescription,
  type SlotDescription,
} from '#contract/image/introspection.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import { listed, placeText } from './lookup.ts';
import { explainMissing, inPackage, lookUp, nameOf, packageOf } from './names.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const classInput = z.strictObject({
  class: nameOf('"standard-object"'),
  package: packageOf,
});

export const classSlots = defineTool({
  name: 'class_slots',
  title: 'Slots of a class',
  level: 'safe',
  description:
    'The slots of a class, structure or condition type: types, initargs, initforms, accessors, and the class that defines each. Use it before you create an instance or read a slot.',
  input: classInput,
  output: z.object({ name: z.string(), kind: classKind, slots: z.array(slotDescription) }),
  openWorld: false,
  summarize: ({ class: name, package: pkg }) => inPackage(name, pkg),
  run: async ({ class: name, package: pkg }, context) => {
    const found = await classOf(context, name, pkg);
    if (!found) return explainMissing(context, name, pkg, 'class');
    const { name: printed, kind, slots } = found;
    return {
      success: true,
      text: `${printed} [${kind}]${slotsText(found)}`,
      structured: { name: printed, kind, slots },
    };
  },
});

export const classHierarchy = defineTool({
  name: 'class_hierarchy',
  title: 'Class hierarchy',
  level: 'safe',
  description:
    'The direct superclasses and subclasses of a class and its precedence list. Use it to see what a class inherits and what a change would affect.',
  input: classInput,
  openWorld: false,
  summarize: ({ class: name, package: pkg }) => inPackage(name, pkg),
  run: async ({ class: name, package: pkg }, context) => {
    const found = await classOf(context, name, pkg);
    if (!found) return explainMissing(context, name, pkg, 'class');
    const head = `${found.name} [${found.kind}] ${placeText(found, context)}`;
    return { success: true, text: [head, ...hierarchyLines(found)].join('\n') };
  },
});

type ClassFound = NonNullable<OperationReply<'class'>['class']>;

async function classOf(context: ToolContext, symbol: string, pkg: string | undefined): Promise<ClassFound | null> {
  const asked = { context: context.connectionId, symbol, package: pkg ?? null };
  return (await lookUp(context, 'class', asked)).class;
}

/** Returns the section of a description about a class's slots, superclasses and subclasses; empty if there is no such class. */
export async function classText(context: ToolContext, symbol: string, pkg: string | undefined): Promise<string> {
  const found = await classOf(context, symbol, pkg);
  if (!found) return '';
  const few = { ...found, subclasses: [...found.subclasses.slice(0, FEW), ...restOf(found.subclasses)] };
  return [`Slots:${slotsText(found)}`, ...hierarchyLines(few)].join('\n');
}

/** Returns the section of a description about a generic function's methods; empty if there is no such function. */
export async function methodsText(context: ToolContext, symbol: string, pkg: string | undefined): Promise<string> {
  const asked = { context: context.connectionId, symbol, package: pkg ?? null, setf: false };
  const { genericFunction } = await lookUp(context, 'generic-function', asked);
  if (!genericFunction) return '';
  const { methodCombination, methods, total } = genericFunction;
  const lines = methods.slice(0, MOST_METHODS).map((each) => methodLine(each, context));
  return `Methods, combination ${methodCombination}:\n${listed(lines, total, 'For one class: who-calls with the class.')}`;
}

const FEW = 20;
const MOST_METHODS = 50;

function restOf(names: readonly string[]): string[] {
  return names.length > FEW ? [`and ${names.length - FEW} more`] : [];
}

function slotsText({ slots }: Pick<ClassFound, 'slots'>): string {
  return slots.length === 0 ? ' has no slots.' : `\n${listed(slots.map(slotLine), slots.length)}`;
}

function hierarchyLines({
  superclasses,
  subclasses,
  precedence,
}: Pick<ClassFound, 'superclasses' | 'subclasses' | 'precedence'>): string[] {
  return [
    `Superclasses: ${superclasses.join(', ') || 'none'}`,
    `Subclasses: ${subclasses.join(', ') || 'none'}`,
    `Precedence: ${precedence.join(' → ')}`,
  ];
}

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

function methodLine(method: MethodDescription, context: Pick<ToolContext, 'project'>): string {
  return `${method.name} ${method.lambdaList} ${placeText(method, context)}`;
}
